// The last failed requests of all servers; or the one whose id somebody quotes.
import { Paragraph } from '@digdir/designsystemet-react';
import type { FailedRequest } from '@landfall/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { useMessages } from '../../language/language-context.js';
import { useLandfall } from '../../session/session-context.js';
import { Loaded } from '../../states/loaded.js';
import { Empty } from '../../states/states.js';
import { type Column, VirtualTable } from '../../table/virtual-table.js';
import { OfficeTime } from '../../time/office-time.js';
import { messages } from './messages.js';
import styles from './operations.module.css';

export function FailedRequests({
  requests,
  searched,
}: {
  /** Newest first. */
  requests: readonly FailedRequest[];
  /** The id of the address: only the request that has it is shown. */
  searched: string | null;
}) {
  const text = useMessages(messages);
  if (searched !== null) return <OneFailed id={searched} />;
  if (requests.length === 0) return <Paragraph>{text.noFailedRequests}</Paragraph>;
  return (
    <>
      <Paragraph>{text.failedRequestsText}</Paragraph>
      <FailedTable requests={requests} />
    </>
  );
}

/** Of the whole day, whatever the range of the page. */
function OneFailed({ id }: { id: string }) {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const shown = useRef<HTMLDivElement>(null);
  const read = useQuery({
    queryKey: ['failed-request', id],
    queryFn: async ({ signal }) =>
      (await landfall.getServiceStatus({ failedRequest: id }, { signal })).failedRequests,
  });
  // Whoever comes with an id is led to it.
  useEffect(() => {
    if (read.isSuccess) shown.current?.scrollIntoView({ block: 'center' });
  }, [read.isSuccess]);
  return (
    <div className={styles.section} ref={shown}>
      <Paragraph>
        {text.searchedId(id)} ·{' '}
        <Link className="ds-link" href="/operations">
          {text.allFailed}
        </Link>
      </Paragraph>
      <Loaded query={read}>
        {(found) =>
          found.length === 0 ? (
            <Empty title={text.notKept}>
              <Paragraph>{text.notKeptText}</Paragraph>
            </Empty>
          ) : (
            <FailedTable requests={found} />
          )
        }
      </Loaded>
    </div>
  );
}

function FailedTable({ requests }: { requests: readonly FailedRequest[] }) {
  const text = useMessages(messages);
  const columns: readonly Column<FailedRequest>[] = [
    { heading: text.at, width: '9rem', cell: ({ at }) => <OfficeTime at={at} /> },
    { heading: text.status, width: '4rem', cell: ({ status }) => status },
    {
      heading: text.route,
      width: 'minmax(12rem, 1.4fr)',
      cell: ({ method, route }) => `${method} ${route ?? ''}`,
    },
    {
      heading: text.organisation,
      width: '9rem',
      cell: ({ organisation }) => organisation ?? text.nobody,
    },
    { heading: text.reason, width: 'minmax(10rem, 1.4fr)', cell: ({ reason }) => reason },
    { heading: text.server, width: 'minmax(6rem, 0.6fr)', cell: ({ server }) => server },
    { heading: text.failedId, width: '9rem', cell: ({ id }) => <code>{id}</code> },
  ];
  return (
    <VirtualTable
      label={text.failedRequests}
      columns={columns}
      rows={requests}
      keyOf={({ id }) => id}
    />
  );
}
