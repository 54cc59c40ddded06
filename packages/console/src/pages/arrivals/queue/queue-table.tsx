// The table of the queue.

import { Checkbox } from '@digdir/designsystemet-react';
import { mrnOf, type UndecidedArrival } from '@landfall/client';
import type { MouseEvent } from 'react';
import { Link } from 'wouter';
import { Identifier } from '../../../identifiers/identifier.js';
import { useMessages } from '../../../language/language-context.js';
import { Office } from '../../../names/office.js';
import { Organisation } from '../../../names/organisation.js';
import { type Column, type Sorting, VirtualTable } from '../../../table/virtual-table.js';
import { OfficeTime } from '../../../time/office-time.js';
import { splitDuration } from '../summarise-arrivals.js';
import { messages } from './messages.js';
import styles from './queue.module.css';
import type { Selection } from './selection.js';

/** @param props `now`: the time of the service, in milliseconds since 1970, if it is known */
export function QueueTable({
  rows,
  total,
  current,
  selection,
  left,
  now,
  sorting,
  isNarrow,
  maySelect,
  addressOf,
  onSelect,
}: {
  rows: readonly UndecidedArrival[];
  total: number;
  current: string | undefined;
  selection: Selection;
  left: ReadonlySet<string>;
  now: number | undefined;
  sorting: Sorting;
  /** Whether it stands beside one of its goods. */
  isNarrow: boolean;
  maySelect: boolean;
  /** The address that shows one of the goods beside the table. */
  addressOf: (id: string) => string;
  onSelect: (id: string, isRange: boolean) => void;
}) {
  const text = useMessages(messages);
  const select: Column<UndecidedArrival> = {
    heading: text.select,
    width: '4.25rem',
    cell: ({ id, transportDocumentHouseLevel: { documentNumber, type } }) => (
      <Checkbox
        aria-label={text.selectOne(`${documentNumber} ${type}`)}
        data-size="sm"
        checked={selection.has(id)}
        disabled={left.has(id)}
        onClick={(event: MouseEvent) => onSelect(id, event.shiftKey)}
        onChange={() => undefined}
      />
    ),
  };
  const document: Column<UndecidedArrival> = {
    heading: text.documentColumn,
    width: 'minmax(11.25rem, 1.4fr)',
    sort: 'document',
    cell: ({ id, transportDocumentHouseLevel: { documentNumber, type }, ...arrival }) => (
      <>
        <Link href={addressOf(id)} className="ds-link">
          <Identifier>{documentNumber}</Identifier> {type}
        </Link>
        <div className={styles.second}>
          <Identifier>{mrnOf(arrival)}</Identifier>
        </div>
        {left.has(id) && <div>{text.left}</div>}
      </>
    ),
  };
  const waitedFor = (presentedAt: string) => {
    if (now === undefined) return '–';
    const { days, hours, minutes } = splitDuration(now - Date.parse(presentedAt));
    return text.duration(days, hours, minutes);
  };
  const waited: Column<UndecidedArrival> = {
    heading: text.waited,
    width: 'minmax(9rem, 1fr)',
    sort: 'waited',
    cell: ({ presentedAt }) => (
      <>
        {waitedFor(presentedAt)}
        <div className={styles.second}>
          <OfficeTime at={presentedAt} />
        </div>
      </>
    ),
  };
  const office: Column<UndecidedArrival> = {
    heading: text.officeColumn,
    width: 'minmax(5.5rem, 1fr)',
    sort: 'office',
    cell: ({ customsOfficeOfPresentation: code }) => code && <Office code={code} />,
  };
  const further: readonly Column<UndecidedArrival>[] = [
    {
      heading: text.declarant,
      width: 'minmax(7rem, 1fr)',
      sort: 'declarant',
      cell: ({ declarant }) => <Organisation id={declarant} />,
    },
    office,
  ];
  return (
    <VirtualTable
      label={text.label}
      columns={[...(maySelect ? [select] : []), document, ...(isNarrow ? [] : further), waited]}
      rows={rows}
      total={total}
      keyOf={({ id }) => id}
      sorting={sorting}
      current={current}
      isSelected={({ id }) => selection.has(id)}
      isDimmed={({ id }) => left.has(id)}
    />
  );
}
