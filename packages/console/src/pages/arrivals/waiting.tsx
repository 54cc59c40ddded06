// What waits for a decision, those first that have waited longest. The waiting times grow while they are shown.
import { Paragraph, Table } from '@digdir/designsystemet-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { useLandfall } from '../../session/session-context.js';
import { Loaded } from '../../states/loaded.js';
import { Empty, Notice } from '../../states/states.js';
import styles from './arrivals.module.css';
import { messages } from './messages.js';
import { splitDuration } from './summarise-arrivals.js';

/** How many are shown. */
const SHOWN = 100;

/** How often they are read again, and how often the waiting times are shown anew, in milliseconds. */
const POLL_INTERVAL_MS = 15_000;

/** @param aheadMs how far the service's clock is ahead of the browser's, in milliseconds */
export function Waiting({ filter, aheadMs }: { filter: { office?: string }; aheadMs: number }) {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const now = useNow();
  const waiting = useQuery({
    queryKey: ['undecided-arrivals', filter],
    queryFn: ({ signal }) =>
      landfall.listUndecidedArrivals({ ...filter, limit: SHOWN }, { signal }),
    refetchInterval: POLL_INTERVAL_MS,
  });
  return (
    <Loaded query={waiting}>
      {({ entries, next }) =>
        entries.length === 0 ? (
          <Empty title={text.noWaiting} />
        ) : (
          <>
            <Paragraph className={styles.subtle}>{text.waitingText}</Paragraph>
            <Table data-size="sm">
              <Table.Head>
                <Table.Row>
                  <Table.HeaderCell>{text.document}</Table.HeaderCell>
                  <Table.HeaderCell>{text.officeColumn}</Table.HeaderCell>
                  <Table.HeaderCell>{text.waitedFor}</Table.HeaderCell>
                </Table.Row>
              </Table.Head>
              <Table.Body>
                {entries.map(({ id, transportDocumentHouseLevel: document, ...entry }) => {
                  const waited = now + aheadMs - Date.parse(entry.presentedAt);
                  const { days, hours, minutes } = splitDuration(waited);
                  return (
                    <Table.Row key={id}>
                      <Table.Cell>
                        <Link href={`/consignments/${id}`} className="ds-link">
                          <Identifier>{document.documentNumber}</Identifier> {document.type}
                        </Link>
                      </Table.Cell>
                      <Table.Cell>{entry.customsOfficeOfPresentation}</Table.Cell>
                      <Table.Cell>{text.duration(days, hours, minutes)}</Table.Cell>
                    </Table.Row>
                  );
                })}
              </Table.Body>
            </Table>
            {next !== undefined && <Notice color="info" title={text.moreTitle} text={text.more} />}
          </>
        )
      }
    </Loaded>
  );
}

/** The time of the browser's clock, anew in every interval, in milliseconds since 1970. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), POLL_INTERVAL_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
