// The recorded requests of a playground: a list, and one of them with its headers and bodies.
import { Button, Input, Paragraph, Tag } from '@digdir/designsystemet-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { CodeBlock } from '../../code/code-block.js';
import { ConfirmDialog } from '../../forms/confirm-dialog.js';
import { useMessages } from '../../language/language-context.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { clearRequests, listRequests, playground } from '../../playground/control.js';
import {
  addressOfExchange,
  type Exchange,
  exchangeId,
  hasText,
} from '../../playground/exchange.js';
import { usePollInterval } from '../../session/presence.js';
import { Loaded } from '../../states/loaded.js';
import { Empty, Failed } from '../../states/states.js';
import { type Column, VirtualTable } from '../../table/virtual-table.js';
import { OfficeTime } from '../../time/office-time.js';
import { ExchangeView } from './exchange-view.js';
import { messages } from './messages.js';
import styles from './requests.module.css';

const POLL_INTERVAL_MS = 2_000;

const QUERY_KEY = ['requests'];

export function RequestsPage() {
  const text = useMessages(messages);
  const { requests: title } = useMessages(pageNames);
  const [search] = useSearchParams();
  const shown = search.get('request');
  const requests = useQuery({
    queryKey: QUERY_KEY,
    queryFn: async () => (await playground.call(listRequests, {})).requests,
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  });
  return (
    <Page title={title} lead={text.lead} wide>
      <Loaded query={requests}>
        {(exchanges) =>
          shown === null ? (
            <RequestList exchanges={exchanges} />
          ) : (
            <ExchangeView exchange={exchanges.find((one) => exchangeId(one) === shown)} />
          )
        }
      </Loaded>
    </Page>
  );
}

function RequestList({ exchanges }: { exchanges: readonly Exchange[] }) {
  const text = useMessages(messages);
  const [search, setSearch] = useSearchParams();
  const filter = search.get('filter') ?? '';
  const [isAsking, setAsking] = useState(false);
  const queries = useQueryClient();
  const clear = useMutation({
    networkMode: 'always',
    mutationFn: () => playground.call(clearRequests, {}),
    onSettled: () => queries.invalidateQueries({ queryKey: QUERY_KEY }),
  });
  const rows = exchanges.filter((one) => hasText(one, filter)).toReversed();
  if (exchanges.length === 0) {
    return (
      <Empty title={text.empty}>
        <Paragraph>{text.emptyText}</Paragraph>
        <CodeBlock label={text.emptyText} text="npx landfall routing list --as carrier" />
      </Empty>
    );
  }
  return (
    <>
      <div className={styles.bar}>
        <Input
          type="search"
          className={styles.filter}
          aria-label={text.filter}
          placeholder={text.filter}
          value={filter}
          onChange={({ target: { value } }) =>
            setSearch(value === '' ? {} : { filter: value }, { replace: true })
          }
        />
        <Button variant="secondary" data-size="sm" onClick={() => setAsking(true)}>
          {text.clear}
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={text.clearQuestion(exchanges.length)}
          action={text.clear}
          isDanger
          onConfirm={() => {
            setAsking(false);
            clear.mutate();
          }}
          onCancel={() => setAsking(false)}
        >
          <Paragraph>{text.clearText}</Paragraph>
        </ConfirmDialog>
      )}
      {clear.isError && <Failed error={clear.error} />}
      {rows.length === 0 ? <Empty title={text.noMatch} /> : <RequestTable rows={rows} />}
    </>
  );
}

function RequestTable({ rows }: { rows: readonly Exchange[] }) {
  const text = useMessages(messages);
  const columns: readonly Column<Exchange>[] = [
    {
      heading: text.status,
      width: '8rem',
      cell: (exchange) => <StatusTag exchange={exchange} />,
    },
    { heading: text.method, width: '5rem', cell: ({ method }) => method },
    {
      heading: text.address,
      width: 'minmax(14rem, 1fr)',
      cell: (exchange) => (
        <Link href={addressOfExchange(exchange)} className="ds-link">
          {exchange.url}
        </Link>
      ),
    },
    {
      heading: text.duration,
      width: '6rem',
      cell: ({ durationMs }) => (durationMs === undefined ? text.inProgress : `${durationMs} ms`),
    },
    {
      heading: text.at,
      width: '12rem',
      cell: ({ startedAt }) => <OfficeTime at={startedAt} />,
    },
  ];
  return <VirtualTable label={text.label} columns={columns} rows={rows} keyOf={exchangeId} />;
}

/** The status in colour: refused by the service, or by its own fault. */
export function StatusTag({ exchange: { response, durationMs } }: { exchange: Exchange }) {
  const text = useMessages(messages);
  if (response === undefined) {
    return <Tag data-color="neutral">{durationMs === undefined ? text.inProgress : text.none}</Tag>;
  }
  const { status } = response;
  const colour = status < 400 ? 'success' : status < 500 ? 'warning' : 'danger';
  return <Tag data-color={colour}>{status}</Tag>;
}
