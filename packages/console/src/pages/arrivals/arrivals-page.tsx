// Arrivals for officers: the queue of what waits for a decision, how much was presented by office and hour, and the arrival
// of a transport, reported by hand.
import { Tabs } from '@digdir/designsystemet-react';
import { Suspense } from 'react';
import { useSearchParams } from 'wouter';
import { useMessages } from '../../language/language-context.js';
import { lazyPart } from '../../layout/lazy-part.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { isDecider } from '../../session/scopes.js';
import { useSession } from '../../session/session-context.js';
import { Loading } from '../../states/states.js';
import styles from './arrivals.module.css';
import { messages } from './messages.js';

/** The heading and the tabs are shown while the one that is seen is loaded. */
const Hours = lazyPart(async () => ({ default: (await import('./hours.js')).Hours }));
const WaitingQueue = lazyPart(async () => ({
  default: (await import('./queue/queue.js')).WaitingQueue,
}));
const ReportArrival = lazyPart(async () => ({
  default: (await import('./report/report-arrival.js')).ReportArrival,
}));

const VIEWS = ['queue', 'hours', 'report'] as const;

export function ArrivalsPage() {
  const text = useMessages(messages);
  const { arrivals: title } = useMessages(pageNames);
  const [address, setAddress] = useSearchParams();
  const mayReport = isDecider(useSession());
  const asked = VIEWS.find((one) => one === address.get('view')) ?? 'queue';
  const view = asked === 'report' && !mayReport ? 'queue' : asked;
  return (
    <Page title={title} lead={text.lead} wide>
      <Tabs
        value={view}
        onChange={(chosen) => setAddress(chosen === 'queue' ? {} : { view: chosen })}
      >
        <Tabs.List>
          <Tabs.Tab value="queue">{text.queue}</Tabs.Tab>
          <Tabs.Tab value="hours">{text.hours}</Tabs.Tab>
          {mayReport && <Tabs.Tab value="report">{text.report}</Tabs.Tab>}
        </Tabs.List>
        {/* Only the one that is seen reads anything. */}
        <Tabs.Panel value="queue" className={styles.tab}>
          <Suspense fallback={<Loading />}>{view === 'queue' && <WaitingQueue />}</Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="hours" className={styles.tab}>
          <Suspense fallback={<Loading />}>{view === 'hours' && <Hours />}</Suspense>
        </Tabs.Panel>
        {mayReport && (
          <Tabs.Panel value="report" className={styles.tab}>
            <Suspense fallback={<Loading />}>{view === 'report' && <ReportArrival />}</Suspense>
          </Tabs.Panel>
        )}
      </Tabs>
    </Page>
  );
}
