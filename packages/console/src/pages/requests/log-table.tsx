// The rows of the log of requests. Each opens beside the list.

import { Link } from 'wouter';
import { messages as feedMessages } from '../../feeds/messages.js';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { Office } from '../../names/office.js';
import { useSessionState } from '../../session/session-context.js';
import { type Column, VirtualTable } from '../../table/virtual-table.js';
import { OfficeTime } from '../../time/office-time.js';
import { messages } from './messages.js';
import { OutcomeText } from './outcome-text.js';
import { documentOf, type LogRow } from './request-log.js';
import styles from './requests.module.css';

export function LogTable({
  rows,
  current,
  search,
}: {
  rows: readonly LogRow[];
  current: string | undefined;
  /** The address of the list, to which a request is added. */
  search: URLSearchParams;
}) {
  const text = useMessages(messages);
  const names = useMessages(feedMessages);
  const isPlayground = useSessionState().configuration.signIn === 'identity';
  const addressOf = (key: string) => {
    const next = new URLSearchParams(search);
    next.set('request', key);
    return `/requests?${next}`;
  };
  const columns: readonly Column<LogRow>[] = [
    { heading: text.at, width: '9rem', cell: ({ at }) => <OfficeTime at={at} /> },
    {
      heading: text.document,
      width: 'minmax(11rem, 1.4fr)',
      cell: (row) => (
        <>
          <Link className="ds-link" href={addressOf(row.key)}>
            <What row={row} />
          </Link>
          <span className={styles.second}>
            {row.level === undefined ? row.exchanges.at(-1)?.method : names[row.level]}
          </span>
        </>
      ),
    },
    {
      heading: text.outcome,
      width: 'minmax(11rem, 2fr)',
      cell: (row) => <OutcomeText row={row} />,
    },
    {
      heading: text.office,
      width: '7rem',
      cell: ({ office }) => (office ? <Office code={office} /> : '–'),
    },
    ...(isPlayground
      ? [
          {
            heading: text.identity,
            width: '7rem',
            cell: ({ identity }: LogRow) => identity ?? '–',
          },
        ]
      : []),
  ];
  return (
    <VirtualTable
      label={text.label}
      columns={columns}
      rows={rows}
      keyOf={({ key }) => key}
      current={current}
      emphasise={({ outcome }) => outcome === 'FAILURE' || outcome === 'FAILED'}
    />
  );
}

/** What was presented; of another request, its address. */
function What({ row }: { row: LogRow }) {
  const text = useMessages(messages);
  const document = documentOf(row);
  if (row.level === undefined) return <>{row.exchanges.at(-1)?.url}</>;
  return <Identifier>{document ?? row.requestId ?? text.noDocument}</Identifier>;
}
