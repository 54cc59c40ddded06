// The log of requests: one row for each presentation, with what the playground has recorded of it, and the other recorded
// requests.
import { Suspense } from 'react';
import { useMessages } from '../../language/language-context.js';
import { lazyPart } from '../../layout/lazy-part.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { useSessionState } from '../../session/session-context.js';
import { Loading } from '../../states/states.js';
import { messages } from './messages.js';

/** The heading and the text above it are shown while it is loaded. */
const Log = lazyPart(async () => ({ default: (await import('./log.js')).Log }));

export function RequestsPage() {
  const text = useMessages(messages);
  const { requests: title } = useMessages(pageNames);
  const { signIn } = useSessionState().configuration;
  const lead = signIn === 'identity' ? text.recordedLead : text.lead;
  return (
    <Page title={title} lead={lead} wide>
      <Suspense fallback={<Loading />}>
        <Log />
      </Suspense>
    </Page>
  );
}
