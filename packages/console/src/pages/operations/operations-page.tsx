// The status of the service for operators: what is wrong now, the figures of the last hours, servers and callers.
import { Heading, Paragraph, Textfield, ToggleGroup } from '@digdir/designsystemet-react';
import type { ServiceStatus } from '@landfall/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { useMessages } from '../../language/language-context.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { usePollInterval } from '../../session/presence.js';
import { useLandfall, useSessionState } from '../../session/session-context.js';
import { Loaded } from '../../states/loaded.js';
import { OfficeTime } from '../../time/office-time.js';
import { Facts } from './facts.js';
import { FailedRequests } from './failed-requests.js';
import { FigureCharts } from './figure-charts.js';
import { messages } from './messages.js';
import styles from './operations.module.css';
import { ProblemList } from './problem-list.js';
import { PastProblems } from './problem-periods.js';
import {
  boundsOf,
  hoursOf,
  PRESET_HOURS,
  rangeBetween,
  readRange,
  type StatusRange,
} from './status-range.js';
import { CallerTable, ServerTable } from './status-tables.js';

/** Servers report once a minute. */
const POLL_INTERVAL_MS = 15_000;

export function OperationsPage() {
  const text = useMessages(messages);
  const { operations: title } = useMessages(pageNames);
  const landfall = useLandfall();
  const [search, setSearch] = useSearchParams();
  const { timeZone } = useSessionState().configuration;
  const range = readRange(search);
  const hours = hoursOf(range, Date.now(), timeZone);
  const choose = (chosen: StatusRange) =>
    setSearch(
      'hours' in chosen
        ? chosen.hours === 24
          ? {}
          : { hours: String(chosen.hours) }
        : Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== '')),
      { replace: true },
    );
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
          value={'hours' in range ? String(range.hours) : ''}
          onChange={(chosen) => choose({ hours: Number(chosen) })}
        >
          {PRESET_HOURS.map((one) => (
            <ToggleGroup.Item key={one} value={String(one)}>
              {text.lastHours(one)}
            </ToggleGroup.Item>
          ))}
        </ToggleGroup>
        {(['from', 'to'] as const).map((name) => (
          <Textfield
            key={name}
            data-size="sm"
            type="datetime-local"
            label={`${name === 'from' ? text.rangeFrom : text.rangeTo} (${timeZone})`}
            value={'hours' in range ? '' : range[name]}
            onChange={({ target: { value } }) => {
              const before = 'hours' in range ? { from: '', to: '' } : range;
              const after = { ...before, [name]: value };
              choose(after.from === '' && after.to === '' ? { hours: 24 } : after);
            }}
          />
        ))}
        {status.data && (
          <Paragraph data-size="sm">
            {text.readAt} <OfficeTime at={status.data.at} />
          </Paragraph>
        )}
      </div>
      <Loaded query={status}>
        {(data) => (
          <Status
            status={data}
            bounds={boundsOf(range, Date.parse(data.at), timeZone)}
            failed={search.get('failed')}
            onDragged={(one, other) => {
              const dragged = rangeBetween(one, other, timeZone);
              if (dragged !== undefined) choose(dragged);
            }}
          />
        )}
      </Loaded>
    </Page>
  );
}

function Status({
  status,
  bounds,
  failed,
  onDragged,
}: {
  status: ServiceStatus;
  bounds: { from: number; to: number };
  /** The id of the failed request that is looked for. */
  failed: string | null;
  onDragged: (one: number, other: number) => void;
}) {
  const text = useMessages(messages);
  return (
    <>
      <Section title={text.problems}>
        <ProblemList status={status} />
      </Section>
      <Section title={text.figures}>
        <FigureCharts status={status} bounds={bounds} onDragged={onDragged} />
      </Section>
      <Section title={text.past}>
        <PastProblems status={status} {...bounds} />
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
