// A table of any number of rows, of which only the visible ones are in the page.
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type ReactNode, useCallback, useEffect, useRef } from 'react';
import { ScrollRegion } from '../layout/scroll-region.js';
import styles from './virtual-table.module.css';

/** A column: its heading and its cell. On a phone, a row is a list of its cells with their headings. */
export type Column<Row> = {
  heading: string;
  cell: (row: Row) => ReactNode;
  /** A CSS width, such as `10rem` or `1fr`. */
  width: string;
};

/** The height of a row before it was measured, in pixels. */
const ROW_HEIGHT = 56;

/** How many rows are measured until the heights of those that are no longer in the page are forgotten. */
const MAX_MEASURED = 10_000;

/**
 * A table.
 *
 * @param label what it contains, for screen readers
 * @param keyOf a text that identifies a row
 * @param emphasise whether a row is to be noticed
 */
export function VirtualTable<Row>({
  label,
  columns,
  rows,
  keyOf,
  emphasise = () => false,
}: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  emphasise?: (row: Row) => boolean;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : keyOf(row);
    },
  });
  const measured = useRef(0);
  const measure = useCallback(
    (row: HTMLDivElement | null) => {
      if (row !== null) measured.current++;
      virtualizer.measureElement(row);
    },
    [virtualizer],
  );
  useEffect(() => {
    if (measured.current < MAX_MEASURED) return;
    measured.current = 0;
    // It keeps the height of every row that was ever in the page. The rows of a feed never end.
    virtualizer.measure();
    for (const row of scroller.current?.querySelectorAll<HTMLDivElement>('[data-index]') ?? []) {
      virtualizer.measureElement(row);
    }
  }, [rows, virtualizer]);
  // The cast is true because React takes custom properties, which its type lacks.
  const template = { '--columns': columns.map(({ width }) => width).join(' ') } as CSSProperties;
  return (
    <ScrollRegion ref={scroller} className={styles.scroller} label={label}>
      {/* biome-ignore lint/a11y/useSemanticElements: a table element cannot position its rows */}
      <div role="table" aria-label={label} aria-rowcount={rows.length + 1}>
        {/* biome-ignore lint/a11y/useSemanticElements: as above */}
        <div
          role="row"
          className={styles.headings}
          style={template}
          aria-rowindex={1}
          tabIndex={-1}
        >
          {columns.map(({ heading }) => (
            // biome-ignore lint/a11y/useSemanticElements: as above
            <span key={heading} role="columnheader" tabIndex={-1}>
              {heading}
            </span>
          ))}
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: as above */}
        <div role="rowgroup" className={styles.rows} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              // biome-ignore lint/a11y/useSemanticElements: as above
              <div
                key={key}
                role="row"
                tabIndex={-1}
                ref={measure}
                data-index={index}
                data-emphasised={emphasise(row)}
                aria-rowindex={index + 2}
                className={styles.row}
                style={{ ...template, transform: `translateY(${start}px)` }}
              >
                {columns.map(({ heading, cell }) => (
                  // biome-ignore lint/a11y/useSemanticElements: as above
                  <span key={heading} role="cell" className={styles.cell} data-heading={heading}>
                    {cell(row)}
                  </span>
                ))}
              </div>
            );
          })}
        </div>
      </div>
    </ScrollRegion>
  );
}
