// Runs: all of them, or one with its results, as the address says.
import { lazy, Suspense } from 'react';
import { useSearchParams } from 'wouter';
import { useMessages } from '../../language/language-context.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { Loading } from '../../states/states.js';
import { messages } from './messages.js';

/** Each is loaded where it is shown. */
const RunList = lazy(async () => ({ default: (await import('./run-list.js')).RunList }));
const RunView = lazy(async () => ({ default: (await import('./run-view.js')).RunView }));

export function RunsPage() {
  const text = useMessages(messages);
  const { runs: title } = useMessages(pageNames);
  const [search] = useSearchParams();
  const id = search.get('id');
  return id === null ? (
    <Page title={title} lead={text.lead} wide>
      <Suspense fallback={<Loading />}>
        <RunList />
      </Suspense>
    </Page>
  ) : (
    <Suspense fallback={<Loading />}>
      <RunView key={id} id={id} />
    </Suspense>
  );
}
