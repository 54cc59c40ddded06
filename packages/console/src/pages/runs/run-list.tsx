// All runs, the newest first, and above them those that are not finished.
import { Button, Field, Heading, Label, Paragraph, Select } from '@digdir/designsystemet-react';
import type { ListRoutingRunsQuery, RoutingRun, RoutingRunState } from '@landfall/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'wouter';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import {
  POLL_INTERVAL_MS,
  progressOf,
  RUNS_KEY,
  useUnfinishedRuns,
} from '../../run-queries/use-runs.js';
import { messages as runMessages } from '../../runs/messages.js';
import { useRunDecisionText } from '../../runs/run-decision.js';
import { RunStateTag } from '../../runs/run-state-tag.js';
import { UnfinishedRuns } from '../../runs/unfinished-runs.js';
import { usePollInterval } from '../../session/presence.js';
import { useLandfall } from '../../session/session-context.js';
import { Empty, Failed, Loading } from '../../states/states.js';
import { type Column, VirtualTable } from '../../table/virtual-table.js';
import { OfficeTime } from '../../time/office-time.js';
import { messages } from './messages.js';
import styles from './runs.module.css';

/** How many runs are read at once. */
const PAGE = 50;

const STATES: readonly RoutingRunState[] = [
  'PROPOSED',
  'RUNNING',
  'PAUSED',
  'COMPLETED',
  'GIVEN_UP',
];

export function RunList() {
  const text = useMessages(messages);
  const names = useMessages(runMessages);
  const landfall = useLandfall();
  const [search, setSearch] = useSearchParams();
  const state = STATES.find((one) => one === search.get('state'));
  const unfinished = useUnfinishedRuns();
  const interval = usePollInterval(POLL_INTERVAL_MS);
  const first: ListRoutingRunsQuery = { newestFirst: true, limit: PAGE, ...(state && { state }) };
  const list = useInfiniteQuery({
    queryKey: [RUNS_KEY, 'list', state],
    queryFn: ({ pageParam, signal }) => landfall.listRoutingRuns(pageParam, { signal }),
    initialPageParam: first,
    getNextPageParam: ({ next }) => next,
    refetchInterval: ({ state: { data } }) =>
      // Whoever reads older ones does not read all of them again and again.
      data === undefined || data.pages.length === 1 ? interval : false,
  });
  const runs = list.data?.pages.flatMap(({ entries }) => entries);
  return (
    <>
      {unfinished !== undefined && unfinished.runs.length > 0 && (
        <UnfinishedRuns title={text.unfinished} runs={unfinished} />
      )}
      <section className={styles.section} aria-labelledby="runs">
        <div className={styles.bar}>
          <Heading level={2} data-size="sm" id="runs">
            {text.all}
          </Heading>
          <Field className={styles.filter}>
            <Label>{text.state}</Label>
            <Select
              value={state ?? ''}
              onChange={({ target: { value } }) => setSearch(value === '' ? {} : { state: value })}
            >
              <Select.Option value="">{text.anyState}</Select.Option>
              {STATES.map((one) => (
                <Select.Option key={one} value={one}>
                  {names[one]}
                </Select.Option>
              ))}
            </Select>
          </Field>
          <Button asChild variant="secondary" data-size="sm">
            <Link href="/decide">{text.newRun}</Link>
          </Button>
        </div>
        {list.isError && <Failed error={list.error} onRetry={() => void list.refetch()} />}
        {runs === undefined ? (
          !list.isError && <Loading />
        ) : runs.length === 0 ? (
          <Empty title={text.empty}>
            <Paragraph>{state === undefined ? text.emptyText : text.emptyState}</Paragraph>
          </Empty>
        ) : (
          <Runs runs={runs} />
        )}
        {list.hasNextPage && (
          <Button
            variant="secondary"
            data-size="sm"
            className={styles.start}
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            {text.older}
          </Button>
        )}
      </section>
    </>
  );
}

function Runs({ runs }: { runs: readonly RoutingRun[] }) {
  const text = useMessages(messages);
  const names = useMessages(runMessages);
  const decisionOf = useRunDecisionText();
  const columns: readonly Column<RoutingRun>[] = [
    {
      heading: text.created,
      width: 'minmax(11rem, 1fr)',
      cell: ({ id, createdAt, client }) => (
        <>
          <Link className="ds-link" href={`/runs?id=${id}`}>
            <OfficeTime at={createdAt} />
          </Link>
          <br />
          <Identifier>{client}</Identifier>
        </>
      ),
    },
    {
      heading: text.state,
      width: 'minmax(10rem, 1fr)',
      cell: ({ state }) => <RunStateTag state={state} />,
    },
    { heading: text.decides, width: 'minmax(9rem, 1.2fr)', cell: decisionOf },
    {
      heading: text.progress,
      width: '7.5rem',
      cell: (run) => names.progress(...progressOf(run)),
    },
    { heading: text.reason, width: 'minmax(11rem, 1.6fr)', cell: ({ reason }) => reason },
  ];
  return <VirtualTable label={text.label} columns={columns} rows={runs} keyOf={({ id }) => id} />;
}
