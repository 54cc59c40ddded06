// What can be done with what is selected in the queue, and what has changed since the list was shown.
import { Button } from '@digdir/designsystemet-react';
import { useMessages } from '../../../language/language-context.js';
import type { QueueChanges } from './compare-queues.js';
import { messages } from './messages.js';
import styles from './queue.module.css';

export function QueueBar({
  waiting,
  selected,
  mayDecide,
  canDecide,
  changes: { added, left },
  onSelectAll,
  onClear,
  onDecide,
  onShowNow,
}: {
  /** How many of those that are shown wait. */
  waiting: number;
  selected: number;
  mayDecide: boolean;
  /** Whether anything is selected or current. */
  canDecide: boolean;
  changes: QueueChanges;
  onSelectAll: () => void;
  onClear: () => void;
  onDecide: (routing: 'TO_CONTROL' | 'TO_ENTRY') => void;
  onShowNow: () => void;
}) {
  const text = useMessages(messages);
  const changed = text.showNow(added, left.size);
  return (
    <div className={styles.bar}>
      {mayDecide && (
        <>
          <Button
            variant="secondary"
            data-size="sm"
            disabled={waiting === 0 || selected === waiting}
            onClick={onSelectAll}
          >
            {text.selectAll(waiting)}
          </Button>
          <span role="status">{selected > 0 && text.selected(selected)}</span>
          {selected > 0 && (
            <Button variant="tertiary" data-size="sm" onClick={onClear}>
              {text.clear}
            </Button>
          )}
          <Button
            data-size="sm"
            data-color="danger"
            variant="secondary"
            disabled={!canDecide}
            aria-keyshortcuts="c"
            onClick={() => onDecide('TO_CONTROL')}
          >
            {text.toControl}
          </Button>
          <Button
            data-size="sm"
            variant="secondary"
            disabled={!canDecide}
            aria-keyshortcuts="e"
            onClick={() => onDecide('TO_ENTRY')}
          >
            {text.toEntry}
          </Button>
        </>
      )}
      <span role="status" className={styles.end}>
        {changed}
      </span>
      {changed !== '' && (
        <Button data-size="sm" onClick={onShowNow}>
          {text.showNowAction}
        </Button>
      )}
    </div>
  );
}
