// The events that are listed, each with a link to its message.
import { Link, useSearchParams } from 'wouter';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { type Column, VirtualTable } from '../../table/virtual-table.js';
import { OfficeTime } from '../../time/office-time.js';
import { messages } from './messages.js';
import type { StreamEvent } from './stream-event.js';

export function EventTable({
  rows,
  label,
  current,
}: {
  rows: readonly StreamEvent[];
  /** What they are; default: the events of the stream. */
  label?: string;
  /** The event that is shown beside them. */
  current?: string;
}) {
  const text = useMessages(messages);
  const [search] = useSearchParams();
  const addressOf = (event: string) => {
    const address = new URLSearchParams(search);
    address.set('event', event);
    return `/stream?${address}`;
  };
  const columns: readonly Column<StreamEvent>[] = [
    {
      heading: text.eventType,
      width: 'minmax(7rem, 1fr)',
      cell: ({ id, type }) =>
        id === current ? (
          `${text[type]} (${text.thisEvent})`
        ) : (
          <Link href={addressOf(id)} className="ds-link">
            {text[type]}
          </Link>
        ),
    },
    {
      heading: text.declaration,
      width: 'minmax(14rem, 1.4fr)',
      cell: ({ item }) => <Identifier>{item?.declaration ?? '–'}</Identifier>,
    },
    { heading: text.item, width: '5rem', cell: ({ item }) => item?.number ?? '–' },
    {
      heading: text.direction,
      width: '5rem',
      cell: ({ item }) => (item?.direction === undefined ? '–' : text[item.direction]),
    },
    { heading: text.commodity, width: '8.5rem', cell: ({ item }) => item?.commodity ?? '–' },
    {
      heading: text.created,
      width: '11.5rem',
      cell: ({ created }) => <OfficeTime at={created} />,
    },
  ];
  return (
    <VirtualTable
      label={label ?? text.label}
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
    />
  );
}
