// A table of any number of rows, of which only the visible ones are in the page.
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { ScrollRegion } from '../layout/scroll-region.js';
import styles from './virtual-table.module.css';

/** A column: its heading and its cell. On a phone, a row is a list of its cells with their headings. */
export type Column<Row> = {
  heading: string;
  cell: (row: Row) => ReactNode;
  /** A CSS width, such as `10rem` or `1fr`. */
  width: string;
  /** The name by which the table is sorted, if it can be sorted by this column. */
  sort?: string;
};

/** By which column a table is sorted, and what sorts it by another one. */
export type Sorting = { by: string; isDescending: boolean; onSort: (by: string) => void };

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
 * @param total how many rows there are, if more follow than `rows`
 * @param onEnd is called while the last of `rows` is shown, so that more are read
 * @param current the key of the row that keys act on: it is scrolled to and, unless something beside the table has it,
 *   gets the focus
 * @param isSelected whether a row is selected, if rows can be
 * @param isDimmed whether a row is there only so that the others keep their places
 */
export function VirtualTable<Row>({
  label,
  columns,
  rows,
  keyOf,
  emphasise = () => false,
  total = rows.length,
  onEnd,
  sorting,
  current,
  isSelected,
  isDimmed = () => false,
}: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  emphasise?: (row: Row) => boolean;
  total?: number;
  onEnd?: () => void;
  sorting?: Sorting;
  current?: string | undefined;
  isSelected?: (row: Row) => boolean;
  isDimmed?: (row: Row) => boolean;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const isStacked = useIsStacked(scroller, columns);
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
  const items = virtualizer.getVirtualItems();
  const isEnd = items.at(-1)?.index === rows.length - 1;
  useEffect(() => {
    if (isEnd) onEnd?.();
  }, [isEnd, onEnd]);
  useCurrentRow(scroller, virtualizer, current, () =>
    rows.findIndex((row) => keyOf(row) === current),
  );
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
    <ScrollRegion
      ref={scroller}
      className={isStacked ? `${styles.scroller} ${styles.stacked}` : styles.scroller}
      label={label}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a table element cannot position its rows */}
      <div role="table" aria-label={label} aria-rowcount={total + 1}>
        {/* biome-ignore lint/a11y/useSemanticElements: as above */}
        <div
          role="row"
          className={styles.headings}
          style={template}
          aria-rowindex={1}
          tabIndex={-1}
        >
          {columns.map(({ heading, sort }) => (
            // biome-ignore lint/a11y/useSemanticElements: as above
            <span
              key={heading}
              role="columnheader"
              tabIndex={-1}
              aria-sort={
                sorting === undefined || sort !== sorting.by
                  ? undefined
                  : sorting.isDescending
                    ? 'descending'
                    : 'ascending'
              }
            >
              {/* Headings of a stacked table are not seen, so nothing in them may be focused. */}
              {sort === undefined || sorting === undefined || isStacked ? (
                heading
              ) : (
                <button type="button" className={styles.sort} onClick={() => sorting.onSort(sort)}>
                  {heading}
                  {sort === sorting.by && (
                    <span aria-hidden>{sorting.isDescending ? ' ▼' : ' ▲'}</span>
                  )}
                </button>
              )}
            </span>
          ))}
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: as above */}
        <div role="rowgroup" className={styles.rows} style={{ height: virtualizer.getTotalSize() }}>
          {items.map(({ index, key, start }) => {
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
                data-dimmed={isDimmed(row)}
                data-selected={isSelected?.(row)}
                aria-current={key === current ? 'true' : undefined}
                aria-rowindex={index + 2}
                className={styles.row}
                style={{ ...template, transform: `translateY(${start}px)` }}
              >
                {columns.map(({ heading, cell }) => (
                  // biome-ignore lint/a11y/useSemanticElements: as above
                  <span key={heading} role="cell" className={styles.cell} data-heading={heading}>
                    <span>{cell(row)}</span>
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

/** The least width of a column, in rem. */
function leastWidthOf({ width }: Column<never>): number {
  if (!width.includes('rem')) return 0;
  return Number.parseFloat(width.replace('minmax(', ''));
}

/** The gap between columns, and the space around them, in rem. */
const [GAP, AROUND] = [1, 2.25];

/** Whether the columns have no room beside each other. */
function useIsStacked(
  scroller: RefObject<HTMLElement | null>,
  columns: readonly Column<never>[],
): boolean {
  const needed =
    columns.reduce((sum, column) => sum + leastWidthOf(column), 0) +
    GAP * (columns.length - 1) +
    AROUND;
  const [isStacked, setStacked] = useState(false);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const measure = () => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      setStacked(element.clientWidth < needed * rem);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, needed]);
  return isStacked;
}

/** Scrolls to the current row when it becomes another one, and lets it have the focus. */
function useCurrentRow(
  scroller: RefObject<HTMLElement | null>,
  virtualizer: Virtualizer<HTMLDivElement, Element>,
  current: string | undefined,
  findIndex: () => number,
): void {
  useEffect(() => {
    const index = current === undefined ? -1 : findIndex();
    if (index === -1) return undefined;
    virtualizer.scrollToIndex(index, { align: 'auto' });
    // After the row was rendered where it is now.
    const frame = requestAnimationFrame(() => {
      const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);
      const focused = document.activeElement;
      const isFree = focused === document.body || scroller.current?.contains(focused) === true;
      if (isFree && row?.contains(focused) === false) row.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
    // The rest is of the same rendering: only another current row is scrolled to.
  }, [current]);
}
