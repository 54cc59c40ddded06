// Views of the goods-item stream: the list, or that of one organisation, as the address says.
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { useMessages } from '../../language/language-context.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { messages } from './messages.js';
import { ViewList } from './view-list.js';
import { ViewOf } from './view-of.js';

export function GoodsItemViewsPage() {
  const text = useMessages(messages);
  const { 'goods-item-views': title } = useMessages(pageNames);
  const [search, setSearch] = useSearchParams();
  /** Whose view was just removed. */
  const [removed, setRemoved] = useState<string>();
  const organisation = search.get('organisation');
  return (
    <Page title={title} lead={text.lead} wide>
      {organisation === null ? (
        <ViewList removed={removed} />
      ) : (
        <ViewOf
          key={organisation}
          organisation={organisation}
          onRemoved={() => {
            setRemoved(organisation);
            setSearch({});
          }}
        />
      )}
    </Page>
  );
}
