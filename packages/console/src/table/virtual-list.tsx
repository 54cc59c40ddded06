// A list of any number of entries of any height, of which only the visible ones are in the page.
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef } from 'react';
import { ScrollRegion } from '../layout/scroll-region.js';
import styles from './virtual-list.module.css';

/** The height of an entry before it was measured, in pixels. */
const ENTRY_HEIGHT = 80;

/**
 * An ordered list that scrolls on its own when it is long.
 *
 * @param label what it contains, for screen readers
 */
export function VirtualList<Entry>({
  label,
  entries,
  children,
}: {
  label: string;
  entries: readonly Entry[];
  children: (entry: Entry) => ReactNode;
}) {
  const scroller = useRef<HTMLElement>(null);
  const virtualizer = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ENTRY_HEIGHT,
    overscan: 10,
  });
  return (
    <ScrollRegion ref={scroller} className={styles.scroller} label={label}>
      <ol className={styles.list} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const entry = entries[index];
          if (entry === undefined) return null;
          return (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              aria-setsize={entries.length}
              aria-posinset={index + 1}
              className={styles.entry}
              style={{ transform: `translateY(${start}px)` }}
            >
              {children(entry)}
            </li>
          );
        })}
      </ol>
    </ScrollRegion>
  );
}
