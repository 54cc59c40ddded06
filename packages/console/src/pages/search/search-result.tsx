// One result of a search: what it is, which of its identifiers were found, and what has become of it.

import { type HouseConsignment, mrnOf } from '@landfall/client';
import { Link } from 'wouter';
import { ConsignmentTags } from '../../consignments/consignment-tags.js';
import { messages as consignmentMessages } from '../../consignments/messages.js';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { Office } from '../../names/office.js';
import styles from './search.module.css';
import { type IdentifierKind, matchedIdentifiers, matchedLength } from './search-terms.js';

/** What every result shows, whether it was searched for or not. */
const ALWAYS_SHOWN: readonly IdentifierKind[] = ['houseDocument', 'mrn'];

export function SearchResult({
  consignment,
  searched,
}: {
  consignment: HouseConsignment;
  /** The key that was searched for. */
  searched: string;
}) {
  const kinds = useMessages(consignmentMessages);
  const {
    id,
    transportDocumentHouseLevel: document,
    customsOfficeOfFirstEntry: office,
  } = consignment;
  return (
    <Link href={`/consignments/${id}`} className={styles.result}>
      <span className={styles.document}>
        <strong>
          <Marked value={document.documentNumber} searched={searched} />
        </strong>{' '}
        {document.type}
      </span>
      <span className={styles.tags}>
        <ConsignmentTags consignment={consignment} />
      </span>
      <span className={styles.matched}>
        <span>
          {kinds.mrn} <Marked value={mrnOf(consignment)} searched={searched} />
        </span>
        {matchedIdentifiers(consignment, searched).map(
          ({ kind, value }) =>
            ALWAYS_SHOWN.includes(kind) || (
              <span key={`${kind} ${value}`}>
                {kinds[kind]} <Marked value={value} searched={searched} />
              </span>
            ),
        )}
        <span>{office && <Office code={office} />}</span>
      </span>
    </Link>
  );
}

/** An identifier with the characters that were searched for. */
function Marked({ value, searched }: { value: string; searched: string }) {
  const length = matchedLength(value, searched);
  return (
    <Identifier>
      <mark>{value.slice(0, length)}</mark>
      {value.slice(length)}
    </Identifier>
  );
}
