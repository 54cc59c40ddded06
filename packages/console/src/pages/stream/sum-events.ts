// Sums and downloads of the events that are shown.
import type { StreamEvent } from './stream-event.js';

/** What the events that add a goods item have in total. */
export type Sums = {
  /** Events that add an item. */
  added: number;
  /** In kilograms. */
  grossMass: number;
  netMass: number;
  /** In NOK. */
  value: number;
};

/** Adds up what was added. Whole grams and øre are added, so that the sum has no error of binary fractions. */
export function sumAdded(events: readonly StreamEvent[]): Sums {
  let [added, grossMass, netMass, value] = [0, 0, 0, 0];
  for (const { type, item } of events) {
    if (type === 'ITEM_REMOVED' || item === undefined) continue;
    added++;
    grossMass += Math.round((item.grossMass ?? 0) * 1000);
    netMass += Math.round((item.netMass ?? 0) * 1000);
    value += Math.round((item.value ?? 0) * 100);
  }
  return { added, grossMass: grossMass / 1000, netMass: netMass / 1000, value: value / 100 };
}

const COLUMNS = [
  'eventId',
  'eventType',
  'created',
  'declaration',
  'item',
  'direction',
  'commodityCode',
  'grossMassKg',
  'netMassKg',
  'statisticalValueNok',
];

/** The events as CSV, a row each. Numbers have a point; what an event does not have is empty. */
export function eventsAsCsv(events: readonly StreamEvent[]): string {
  const rows = events.map(({ id, type, created, item }) => [
    ...[id, type, created, item?.declaration, item?.number, item?.direction, item?.commodity],
    ...[item?.grossMass, item?.netMass, item?.value],
  ]);
  return [COLUMNS, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** A cell. A text that a spreadsheet would run as a formula is marked as text. */
function cell(value: string | number | undefined): string {
  if (typeof value === 'number') return String(value);
  const text = value ?? '';
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
