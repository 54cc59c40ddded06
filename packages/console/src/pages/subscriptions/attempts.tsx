// The last attempts to reach the receiver, the newest first.
import {
  Button,
  Field,
  Heading,
  Label,
  Paragraph,
  Select,
  Tag,
} from '@digdir/designsystemet-react';
import type {
  AttemptOutcome,
  ListSubscriptionAttemptsQuery,
  SubscriptionAttempt,
} from '@landfall/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { useMessages, useNumbers } from '../../language/language-context.js';
import { usePollInterval } from '../../session/presence.js';
import { useLandfall } from '../../session/session-context.js';
import { Empty, Failed, Loading } from '../../states/states.js';
import { type Column, VirtualTable } from '../../table/virtual-table.js';
import { OfficeTime } from '../../time/office-time.js';
import { messages } from './messages.js';
import styles from './subscriptions.module.css';
import { attemptsKey } from './use-subscriptions.js';

const OUTCOMES = [
  'CONFIRMED',
  'REFUSED',
  'WRONG_CHALLENGE',
  'TIMEOUT',
  'UNREACHABLE',
  'TLS_FAILED',
  'CERTIFICATE_EXPIRED',
  'CERTIFICATE_NAME',
  'CERTIFICATE_UNTRUSTED',
  'ADDRESS_REFUSED',
] as const satisfies readonly AttemptOutcome[];

/** How many are read at once. */
const PAGE = 50;

const POLL_INTERVAL_MS = 3_000;

export function Attempts({ id }: { id: string }) {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const [search, setSearch] = useSearchParams();
  const outcome = OUTCOMES.find((one) => one === search.get('outcome'));
  const read = useInfiniteQuery({
    queryKey: [...attemptsKey(id), outcome],
    queryFn: ({ pageParam, signal }) =>
      landfall.listSubscriptionAttempts(
        id,
        { limit: PAGE, ...(outcome && { outcome }), ...pageParam },
        { signal },
      ),
    // Safe cast: the first page begins with the newest.
    initialPageParam: {} as ListSubscriptionAttemptsQuery,
    getNextPageParam: ({ next }) => next,
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  });
  const rows = read.data?.pages.flatMap(({ entries }) => entries) ?? [];
  return (
    <section className={styles.section} aria-labelledby="attempts">
      <Heading level={3} data-size="xs" id="attempts">
        {text.attempts}
      </Heading>
      <Field className={styles.field}>
        <Label>{text.outcome}</Label>
        <Select
          value={outcome ?? ''}
          onChange={({ target }) =>
            setSearch(target.value === '' ? { id } : { id, outcome: target.value }, {
              replace: true,
            })
          }
        >
          <Select.Option value="">{text.anyOutcome}</Select.Option>
          {OUTCOMES.map((one) => (
            <Select.Option key={one} value={one}>
              {text[one]}
            </Select.Option>
          ))}
        </Select>
      </Field>
      {read.isError && <Failed error={read.error} onRetry={() => void read.refetch()} />}
      {read.isPending && <Loading />}
      {read.data !== undefined && rows.length === 0 && (
        <Empty title={text.noAttempts}>
          <Paragraph>{text.noAttemptsText}</Paragraph>
        </Empty>
      )}
      {rows.length > 0 && <Rows rows={rows} />}
      {read.hasNextPage && (
        <Button
          variant="secondary"
          className={styles.start}
          loading={read.isFetchingNextPage}
          onClick={() => void read.fetchNextPage()}
        >
          {text.more}
        </Button>
      )}
    </section>
  );
}

function Rows({ rows }: { rows: readonly SubscriptionAttempt[] }) {
  const text = useMessages(messages);
  const { duration } = useNumbers();
  const columns: readonly Column<SubscriptionAttempt>[] = [
    { heading: text.at, width: 'minmax(10rem, 1fr)', cell: ({ at }) => <OfficeTime at={at} /> },
    {
      heading: text.what,
      width: 'minmax(8rem, 1fr)',
      cell: ({ kind, entries }) => (kind === 'ENTRIES' ? text.entries(entries) : text[kind]),
    },
    {
      heading: text.outcome,
      width: 'minmax(14rem, 2fr)',
      cell: ({ outcome, status }) => (
        <>
          <Tag data-color={outcome === 'CONFIRMED' ? 'success' : 'danger'} data-size="sm">
            {status === undefined ? text.noStatus : text.status(status)}
          </Tag>{' '}
          {text[outcome]}
        </>
      ),
    },
    {
      heading: text.duration,
      width: '6rem',
      cell: ({ durationMs }) => duration(durationMs / 1000),
    },
  ];
  return (
    <VirtualTable
      label={text.attemptsLabel}
      columns={columns}
      rows={rows}
      keyOf={({ number }) => String(number)}
      emphasise={({ outcome }) => outcome !== 'CONFIRMED'}
    />
  );
}
