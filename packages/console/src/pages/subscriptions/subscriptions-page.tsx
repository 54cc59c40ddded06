// Subscriptions: the list, a new one, or one of them, as the address says.
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { useMessages } from '../../language/language-context.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { messages } from './messages.js';
import { NewSubscriptionForm } from './new-subscription.js';
import { SubscriptionList } from './subscription-list.js';
import { SubscriptionView } from './subscription-view.js';

export function SubscriptionsPage() {
  const text = useMessages(messages);
  const { subscriptions: title } = useMessages(pageNames);
  const [search, setSearch] = useSearchParams();
  const [hasDeleted, setDeleted] = useState(false);
  const id = search.get('id');
  const isNew = search.get('view') === 'new';
  return (
    <Page title={title} lead={text.lead} wide>
      {id !== null ? (
        <SubscriptionView
          key={id}
          id={id}
          onDeleted={() => {
            setDeleted(true);
            setSearch({});
          }}
        />
      ) : isNew ? (
        <NewSubscriptionForm
          onCreated={(created) => {
            setDeleted(false);
            setSearch({ id: created.id });
          }}
        />
      ) : (
        <SubscriptionList hasDeleted={hasDeleted} />
      )}
    </Page>
  );
}
