// Runs: all of them, or one with its results, as the address says.
import { Suspense } from 'react';
import { useSearchParams } from 'wouter';
import { useMessages } from '../../language/language-context.js';
import { lazyPart } from '../../layout/lazy-part.js';
import { Page } from '../../layout/page.js';
import { FailedPage } from '../../layout/page-boundary.js';
import { pageNames } from '../../layout/page-names.js';
import { Loading } from '../../states/states.js';
import { messages } from './messages.js';

/** Each is loaded where it is shown. */
const RunList = lazyPart(async () => ({ default: (await import('./run-list.js')).RunList }));
/** It has the heading of its page, so what is shown in its place is a page too. */
const RunView = lazyPart(
  async () => ({ default: (await import('./run-view.js')).RunView }),
  FailedPage,
);

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
