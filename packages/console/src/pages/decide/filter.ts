// The filter of the house consignments to decide on: its fields, its address, and the query that it is.
import type { ListHouseConsignmentsQuery } from '@landfall/client';
import { fromOfficeTime } from '../../time/office-date-time.js';

/** The fields, which are also the parameters of the address. */
export const FILTER_FIELDS = [
  'office',
  'state',
  'receptacleId',
  'containerId',
  'mrn',
  'masterDocumentNumber',
  'organisation',
  'from',
  'to',
] as const;

/** A field of the filter. */
export type FilterField = (typeof FILTER_FIELDS)[number];

/** What is entered; a blank field filters nothing. Times are those of the customs offices. */
export type Filter = Readonly<Record<FilterField, string>>;

/** The states that can be chosen. */
export const STATES = ['PRE_NOTIFIED', 'PRESENTED', 'DECIDED', 'SIGNALLED'] as const;

/** The filter of an address. */
export function readFilter(search: URLSearchParams): Filter {
  // The cast is true because every field is set.
  return Object.fromEntries(
    FILTER_FIELDS.map((field) => [field, search.get(field) ?? '']),
  ) as Filter;
}

/** The parameters of the address of a filter. */
export function writeFilter(filter: Filter): Record<string, string> {
  return Object.fromEntries(
    FILTER_FIELDS.map((field) => [field, normalise(field, filter[field])]).filter(
      ([, value]) => value !== '',
    ),
  );
}

/** Whether the filter has a field. Without one it is every house consignment, which nobody means. */
export function isBlank(filter: Filter): boolean {
  return FILTER_FIELDS.every((field) => filter[field].trim() === '');
}

/**
 * The query of the filter. What is not a time stays as it is, and the service names the field.
 *
 * @param timeZone the time zone of the customs offices
 */
export function toQuery(filter: Filter, timeZone: string): ListHouseConsignmentsQuery {
  const query = writeFilter(filter);
  for (const field of ['from', 'to'] as const) {
    const value = query[field];
    if (value !== undefined) query[field] = fromOfficeTime(value, timeZone) ?? value;
  }
  return query;
}

/** Codes are in upper case, and scanners and people add spaces. */
function normalise(field: FilterField, value: string): string {
  return field === 'office' ||
    field === 'receptacleId' ||
    field === 'containerId' ||
    field === 'mrn'
    ? value.replaceAll(/\s/g, '').toUpperCase()
    : value.trim();
}
