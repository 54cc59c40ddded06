// The status of the service for operators: what is wrong now, the figures of the last hours, servers and callers.
import { Heading, Paragraph, ToggleGroup } from '@digdir/designsystemet-react';
import type { ServiceStatus } from '@landfall/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { useMessages } from '../../language/language-context.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { usePollInterval } from '../../session/presence.js';
import { useLandfall } from '../../session/session-context.js';
import { Loaded } from '../../states/loaded.js';
import { OfficeTime } from '../../time/office-time.js';
import { Facts } from './facts.js';
import { FailedRequests } from './failed-requests.js';
import { FigureCharts } from './figure-charts.js';
import { messages } from './messages.js';
import styles from './operations.module.css';
import { ProblemList } from './problem-list.js';
import { CallerTable, ServerTable } from './status-tables.js';

/** Servers report once a minute. */
const POLL_INTERVAL_MS = 15_000;

const HOURS = [1, 6, 24] as const;

export function OperationsPage() {
  const text = useMessages(messages);
  const { operations: title } = useMessages(pageNames);
  const landfall = useLandfall();
  const [search, setSearch] = useSearchParams();
  const hours = HOURS.find((one) => String(one) === search.get('hours')) ?? 24;
  const status = useQuery({
    queryKey: ['service-status', hours],
    queryFn: () => landfall.getServiceStatus({ hours }),
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
    // The figures of other hours are shown until those of the chosen ones are there.
    placeholderData: keepPreviousData,
  });
  return (
    <Page title={title} lead={text.lead} wide>
      <div className={styles.bar}>
        <ToggleGroup
          data-size="sm"
          aria-label={text.hours}
          value={String(hours)}
          onChange={(chosen) =>
            setSearch(chosen === '24' ? {} : { hours: chosen }, { replace: true })
          }
        >
          {HOURS.map((one) => (
            <ToggleGroup.Item key={one} value={String(one)}>
              {text.lastHours(one)}
            </ToggleGroup.Item>
          ))}
        </ToggleGroup>
        {status.data && (
          <Paragraph data-size="sm">
            {text.readAt} <OfficeTime at={status.data.at} />
          </Paragraph>
        )}
      </div>
      <Loaded query={status}>
        {(data) => <Status status={data} hours={hours} failed={search.get('failed')} />}
      </Loaded>
    </Page>
  );
}

function Status({
  status,
  hours,
  failed,
}: {
  status: ServiceStatus;
  hours: number;
  /** The id of the failed request that is looked for. */
  failed: string | null;
}) {
  const text = useMessages(messages);
  return (
    <>
      <Section title={text.problems}>
        <ProblemList status={status} />
      </Section>
      <Section title={text.figures}>
        <FigureCharts status={status} hours={hours} />
      </Section>
      <Section title={text.failedRequests}>
        <FailedRequests requests={status.failedRequests} searched={failed} />
      </Section>
      <Section title={text.servers}>
        <ServerTable servers={status.servers} />
      </Section>
      <Section title={text.callers}>
        <CallerTable callers={status.callers} />
      </Section>
      <Section title={text.more}>
        <Facts status={status} />
      </Section>
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.section}>
      <Heading level={2} data-size="sm">
        {title}
      </Heading>
      {children}
    </div>
  );
}
