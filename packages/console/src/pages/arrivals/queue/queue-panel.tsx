// Everything about one of the goods of the queue, beside it, with the way to the next one.
import { Link } from 'wouter';
import { ConsignmentView } from '../../../consignments/view/consignment-view.js';
import { useConsignment } from '../../../consignments/view/use-consignment.js';
import { Identifier } from '../../../identifiers/identifier.js';
import { useMessages } from '../../../language/language-context.js';
import { Panel } from '../../../layout/list-with-panel.js';
import { messages } from './messages.js';

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
  const document = read.data?.consignment?.transportDocumentHouseLevel;
  return (
    <Panel
      title={
        <>
          {text.panel} {document && <Identifier>{document.documentNumber}</Identifier>}
        </>
      }
      close={{ name: text.close, go: onClose }}
      previous={{ name: text.previous, go: onPrevious }}
      next={{ name: text.next, go: onNext }}
    >
      <ConsignmentView read={read} isNarrow onDecided={onDecided} />
      <Link href={`/consignments/${id}`} className="ds-link">
        {text.page}
      </Link>
    </Panel>
  );
}
