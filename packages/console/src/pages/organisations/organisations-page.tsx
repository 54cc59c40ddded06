// Organisations: the list, or one of them, as the address says.
import { useSearchParams } from 'wouter';
import { useMessages } from '../../language/language-context.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { messages } from './messages.js';
import { OrganisationList } from './organisation-list.js';
import { OrganisationView } from './organisation-view.js';

export function OrganisationsPage() {
  const text = useMessages(messages);
  const { organisations: title } = useMessages(pageNames);
  const [search] = useSearchParams();
  const id = search.get('id');
  return (
    <Page title={title} lead={text.lead} wide>
      {id === null ? <OrganisationList /> : <OrganisationView key={id} id={id} />}
    </Page>
  );
}
