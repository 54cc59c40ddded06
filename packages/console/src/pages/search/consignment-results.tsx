// The house consignments that a search has found, and whether these are all.
import { Paragraph } from '@digdir/designsystemet-react';
import { Link } from 'wouter';
import { messages as consignmentMessages } from '../../consignments/messages.js';
import { useMessages } from '../../language/language-context.js';
import { Part } from '../../layout/part.js';
import { Empty, Notice } from '../../states/states.js';
import { VirtualList } from '../../table/virtual-list.js';
import { messages } from './messages.js';
import styles from './search.module.css';
import { SearchResult } from './search-result.js';
import type { Found } from './use-search.js';

export function ConsignmentResults({
  found: { consignments, extent },
  isCurrent,
  searched,
}: {
  found: Found;
  isCurrent: boolean;
  /** The key that was searched for. */
  searched: string;
}) {
  const text = useMessages(messages);
  const kinds = useMessages(consignmentMessages);
  const count = consignments.length;
  const counted =
    extent === 'all'
      ? text.found(count)
      : extent === 'more'
        ? text.first(count)
        : text.exactly(count, kinds[extent.kind]);
  return (
    <Part className={styles.results} title={text.consignments}>
      <Paragraph role="status" data-size="sm" className={styles.count} aria-busy={!isCurrent}>
        {isCurrent ? counted : text.searching}
      </Paragraph>
      {count === 0 && extent === 'all' ? (
        <Empty title={text.none}>
          <Paragraph>{text.noneText}</Paragraph>
        </Empty>
      ) : (
        <div className={styles.list}>
          <VirtualList label={text.results} entries={consignments}>
            {(consignment) => <SearchResult consignment={consignment} searched={searched} />}
          </VirtualList>
        </div>
      )}
      {extent === 'more' && <Notice color="info" title={text.moreTitle} text={text.more} />}
      {extent !== 'all' && extent !== 'more' && extent.kind === 'houseDocument' && (
        <Notice color="info" title={text.longerTitle} text={text.longer} />
      )}
      {extent !== 'all' && extent !== 'more' && extent.kind === 'mrn' && (
        <Link className="ds-link" href={`/declarations/${searched}`}>
          {text.toDeclaration}
        </Link>
      )}
    </Part>
  );
}
