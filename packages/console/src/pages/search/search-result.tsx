// One result of a search: what it is, which of its identifiers were found, and what has become of it.
import type { HouseConsignment } from '@landfall/client';
import { Link } from 'wouter';
import { ConsignmentTags } from '../../consignments/consignment-tags.js';
import { messages as consignmentMessages } from '../../consignments/messages.js';
import { useMessages } from '../../language/language-context.js';
import styles from './search.module.css';
import { type IdentifierKind, matchedIdentifiers } from './search-terms.js';

/** What every result shows, whether it was searched for or not. */
const ALWAYS_SHOWN: readonly IdentifierKind[] = ['houseDocument', 'mrn'];

export function SearchResult({
  consignment,
  spellings,
}: {
  consignment: HouseConsignment;
  spellings: readonly string[];
}) {
  const kinds = useMessages(consignmentMessages);
  const { id, transportDocumentHouseLevel: document } = consignment;
  return (
    <Link href={`/consignments/${id}`} className={styles.result}>
      <span className={styles.document}>
        <strong>
          <Marked value={document.documentNumber} spellings={spellings} />
        </strong>{' '}
        {document.type}
      </span>
      <span className={styles.tags}>
        <ConsignmentTags consignment={consignment} />
      </span>
      <span className={styles.matched}>
        <span>
          {kinds.mrn}{' '}
          <Marked value={consignment.entrySummaryDeclarationMRN} spellings={spellings} />
        </span>
        {matchedIdentifiers(consignment, spellings).map(
          ({ kind, value }) =>
            ALWAYS_SHOWN.includes(kind) || (
              <span key={`${kind} ${value}`}>
                {kinds[kind]} <Marked value={value} spellings={spellings} />
              </span>
            ),
        )}
        <span>{consignment.customsOfficeOfFirstEntry}</span>
      </span>
    </Link>
  );
}

/** An identifier with the characters that were searched for. */
function Marked({ value, spellings }: { value: string; spellings: readonly string[] }) {
  const length = spellings.find((spelling) => value.startsWith(spelling))?.length ?? 0;
  return (
    <>
      <mark>{value.slice(0, length)}</mark>
      {value.slice(length)}
    </>
  );
}
