// Everything about one of the goods of the queue, beside it, with the way to the next one.
import { Button, Heading } from '@digdir/designsystemet-react';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { ConsignmentView } from '../../../consignments/view/consignment-view.js';
import { useConsignment } from '../../../consignments/view/use-consignment.js';
import { Identifier } from '../../../identifiers/identifier.js';
import { useMessages } from '../../../language/language-context.js';
import { messages } from './messages.js';
import styles from './queue.module.css';

/** @param props without `onPrevious` or `onNext`, it is the first or the last one */
export function QueuePanel({
  id,
  onPrevious,
  onNext,
  onClose,
  onDecided,
}: {
  id: string;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onClose: () => void;
  onDecided: () => Promise<void>;
}) {
  const text = useMessages(messages);
  const read = useConsignment(id);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const document = read.data?.consignment?.transportDocumentHouseLevel;
  return (
    <section className={styles.panel} aria-labelledby="queue-panel">
      <div className={styles.bar}>
        <Button variant="tertiary" data-size="sm" onClick={onClose}>
          {text.close}
        </Button>
        <Button
          variant="secondary"
          data-size="sm"
          disabled={onPrevious === undefined}
          onClick={onPrevious}
        >
          {text.previous}
        </Button>
        <Button variant="secondary" data-size="sm" disabled={onNext === undefined} onClick={onNext}>
          {text.next}
        </Button>
      </div>
      <Heading level={2} data-size="sm" id="queue-panel" ref={heading} tabIndex={-1}>
        {text.panel} {document && <Identifier>{document.documentNumber}</Identifier>}
      </Heading>
      <ConsignmentView read={read} isNarrow onDecided={onDecided} />
      <Link href={`/consignments/${id}`} className="ds-link">
        {text.page}
      </Link>
    </section>
  );
}
