// Where an officer goes from a transport: to its goods, and to reporting its arrival.
import { Link } from 'wouter';
import { useMessages } from '../../language/language-context.js';
import { isDecider } from '../../session/scopes.js';
import { useSession } from '../../session/session-context.js';
import { messages } from './messages.js';
import styles from './transports.module.css';

/** What the links need to know of a transport. */
export type LinkedTransport = {
  mrn: string;
  state: string;
  arrivedAt?: string;
  customsOfficeOfArrival?: string;
  /** What people call it. */
  means: string;
  /** Where it is expected. */
  office?: string | undefined;
};

/** The address of the form that reports the arrival of a transport. */
export function reportAddress({ mrn, office }: { mrn: string; office?: string | undefined }) {
  const query = { view: 'report', mrn, ...(office !== undefined && { office }) };
  return `/arrivals?${new URLSearchParams(query)}`;
}

/** Whether an officer may report the arrival of a transport, or correct it. */
export function useMayReport(): (transport: { state: string }) => boolean {
  const mayReport = isDecider(useSession());
  return ({ state }) => mayReport && state === 'CURRENT';
}

export function TransportLinks({ transport }: { transport: LinkedTransport }) {
  const text = useMessages(messages);
  const mayReport = useMayReport();
  const { mrn, means, arrivedAt, customsOfficeOfArrival: arrivedAtOffice, office } = transport;
  const report = arrivedAt === undefined ? text.report : text.correct;
  return (
    <span className={styles.links}>
      <Link
        className="ds-link"
        href={`/movements/${mrn}?view=coupled`}
        aria-label={`${text.goods}: ${means}`}
      >
        {text.goods}
      </Link>
      {mayReport(transport) && (
        <Link
          className="ds-link"
          href={reportAddress({ mrn, office: arrivedAtOffice ?? office })}
          aria-label={`${report}: ${means}`}
        >
          {report}
        </Link>
      )}
    </span>
  );
}
