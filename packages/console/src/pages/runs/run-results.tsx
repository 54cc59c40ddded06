// Every house consignment of a run, with the decision before and after.
import { Field, Label, Paragraph, Select, Tag } from '@digdir/designsystemet-react';
import {
  type ListRoutingRunResultsQuery,
  mrnOf,
  type RoutingRun,
  type RoutingRunResult,
  type RoutingRunStatus,
} from '@landfall/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { Link, useSearchParams } from 'wouter';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { Part } from '../../layout/part.js';
import { RUNS_KEY } from '../../run-queries/use-runs.js';
import { useRoutingText } from '../../runs/run-decision.js';
import { usePollInterval } from '../../session/presence.js';
import { useLandfall } from '../../session/session-context.js';
import { Empty, Failed, Loading } from '../../states/states.js';
import { useRuleText } from '../../states/validation-texts.js';
import { type Column, VirtualTable } from '../../table/virtual-table.js';
import { DownloadResults } from './download-results.js';
import { messages } from './messages.js';
import styles from './runs.module.css';

/** How often the first results of a run that is deciding are read again, in milliseconds. */
const INTERVAL_MS = 3_000;

const STATUSES: readonly RoutingRunStatus[] = [
  'PENDING',
  'DECIDED',
  'UNCHANGED',
  'CONFLICT',
  'REFUSED',
];

/** How many results a run has of a status. */
function countOf(run: RoutingRun, status: RoutingRunStatus | undefined): number {
  switch (status) {
    case 'PENDING':
      return run.pending;
    case 'DECIDED':
      return run.decided;
    case 'UNCHANGED':
      return run.unchanged;
    case 'CONFLICT':
      return run.conflicts;
    case 'REFUSED':
      return run.refused;
    case undefined:
      return run.houseConsignments;
  }
}

/** The name of a status; `DECIDED` is the name of a state of goods too. */
function useStatusName(): (status: RoutingRunStatus) => string {
  const text = useMessages(messages);
  return (status) => text[status === 'DECIDED' ? 'DECIDED_RESULT' : status];
}

export function RunResults({ run }: { run: RoutingRun }) {
  const text = useMessages(messages);
  const nameOf = useStatusName();
  const landfall = useLandfall();
  const [search, setSearch] = useSearchParams();
  const status = STATUSES.find((one) => one === search.get('status'));
  const interval = usePollInterval(INTERVAL_MS);
  const first: ListRoutingRunResultsQuery = status === undefined ? {} : { status };
  const list = useInfiniteQuery({
    // After a change of the state they are read again.
    queryKey: [RUNS_KEY, 'results', run.id, status, run.etag],
    queryFn: ({ pageParam, signal }) =>
      landfall.listRoutingRunResults(run.id, pageParam, { signal }),
    initialPageParam: first,
    getNextPageParam: ({ next }) => next,
    // The same results, as they were before the state of the run changed.
    placeholderData: (previous, query) => (query?.queryKey[3] === status ? previous : undefined),
    refetchInterval: ({ state: { data } }) =>
      run.state === 'RUNNING' && (data?.pages.length ?? 0) <= 1 ? interval : false,
  });
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = list;
  const readMore = useCallback(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  const results = data?.pages.flatMap(({ entries }) => entries);
  const total = Math.max(countOf(run, status), results?.length ?? 0);
  return (
    <Part title={text.results} className={styles.section}>
      <div className={styles.bar}>
        <Field className={styles.filter}>
          <Label>{text.status}</Label>
          <Select
            value={status ?? ''}
            onChange={({ target: { value } }) =>
              setSearch(value === '' ? { id: run.id } : { id: run.id, status: value })
            }
          >
            <Select.Option value="">
              {text.anyStatus} ({text.count(run.houseConsignments)})
            </Select.Option>
            {STATUSES.map((one) => (
              <Select.Option key={one} value={one}>
                {nameOf(one)} ({text.count(countOf(run, one))})
              </Select.Option>
            ))}
          </Select>
        </Field>
        <DownloadResults run={run} status={status} />
      </div>
      {isError && <Failed error={list.error} onRetry={() => void list.refetch()} />}
      {results === undefined ? (
        !isError && <Loading />
      ) : results.length === 0 ? (
        <Empty title={text.noResults} />
      ) : (
        <>
          <Results results={results} total={total} onEnd={readMore} />
          {hasNextPage && <Paragraph>{text.shown(results.length, total)}</Paragraph>}
        </>
      )}
    </Part>
  );
}

function Results({
  results,
  total,
  onEnd,
}: {
  results: readonly RoutingRunResult[];
  total: number;
  onEnd: () => void;
}) {
  const text = useMessages(messages);
  const nameOf = useStatusName();
  const textOf = useRuleText();
  const routingText = useRoutingText();
  const columns: readonly Column<RoutingRunResult>[] = [
    {
      heading: text.document,
      width: 'minmax(11rem, 1.2fr)',
      cell: ({ houseConsignmentId, transportDocumentHouseLevel: document }) =>
        document === undefined ? (
          text.removed
        ) : (
          <Link className="ds-link" href={`/consignments/${houseConsignmentId}`}>
            <Identifier>{document.documentNumber}</Identifier> {document.type}
          </Link>
        ),
    },
    {
      heading: text.mrn,
      width: 'minmax(12.5rem, 1fr)',
      cell: (result) => <Identifier>{mrnOf(result)}</Identifier>,
    },
    {
      heading: text.before,
      width: 'minmax(8rem, 1fr)',
      cell: ({ before }) => routingText(before),
    },
    {
      heading: text.after,
      width: 'minmax(8rem, 1fr)',
      cell: ({ after, current }) => {
        if (current !== undefined) return text.stays(routingText(current));
        return after === undefined ? '–' : routingText(after);
      },
    },
    {
      heading: text.status,
      width: 'minmax(9rem, 1fr)',
      cell: ({ status, code }) => (
        <>
          <Tag data-size="sm" data-color={COLOURS[status]}>
            {nameOf(status)}
          </Tag>
          {code !== undefined && ` ${textOf({ code, error: code })}`}
        </>
      ),
    },
  ];
  return (
    <VirtualTable
      label={text.resultsLabel}
      columns={columns}
      rows={results}
      total={total}
      keyOf={({ houseConsignmentId }) => houseConsignmentId}
      onEnd={onEnd}
    />
  );
}

const COLOURS = {
  PENDING: 'neutral',
  DECIDED: 'success',
  UNCHANGED: 'neutral',
  CONFLICT: 'warning',
  REFUSED: 'danger',
} as const;
