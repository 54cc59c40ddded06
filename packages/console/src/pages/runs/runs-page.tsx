// Runs: all of them, or one with its results, as the address says.
import { useSearchParams } from 'wouter';
import { useMessages } from '../../language/language-context.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { messages } from './messages.js';
import { RunList } from './run-list.js';
import { RunView } from './run-view.js';

export function RunsPage() {
  const text = useMessages(messages);
  const { runs: title } = useMessages(pageNames);
  const [search] = useSearchParams();
  const id = search.get('id');
  return id === null ? (
    <Page title={title} lead={text.lead} wide>
      <RunList />
    </Page>
  ) : (
    <RunView key={id} id={id} />
  );
}
