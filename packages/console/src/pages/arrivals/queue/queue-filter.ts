// What an officer's queue shows, and in which order: the filters and the sorting of the address.
import { mrnOf, type UndecidedArrival } from '@landfall/client';
import { identifierKey } from '@landfall/contract/identifier-key';
import { fromOfficeTime } from '../../../time/office-date-time.js';

/** The filters, which are also parameters of the address. */
export const FILTER_FIELDS = [
  'document',
  'declarant',
  'office',
  'firstEntry',
  'receptacle',
  'container',
  'from',
  'to',
] as const;
export type FilterField = (typeof FILTER_FIELDS)[number];

/** By what the queue can be sorted. */
export const SORTS = ['waited', 'document', 'mrn', 'declarant', 'office'] as const;
export type Sort = (typeof SORTS)[number];

/** What was entered; a blank filter filters nothing. Times are those of the customs offices. */
export type QueueView = Readonly<Record<FilterField, string>> & {
  sort: Sort;
  isDescending: boolean;
};

/** What the queue of an address shows. Without anything, all of it, those first that have waited longest. */
export function readView(search: URLSearchParams): QueueView {
  // The cast is true because every field is set.
  const filters = Object.fromEntries(
    FILTER_FIELDS.map((field) => [field, search.get(field) ?? '']),
  ) as Record<FilterField, string>;
  return {
    ...filters,
    sort: SORTS.find((sort) => sort === search.get('sort')) ?? 'waited',
    isDescending: search.get('order') === 'descending',
  };
}

/** The parameters of the address. */
export function writeView({ sort, isDescending, ...filters }: QueueView): Record<string, string> {
  return {
    ...Object.fromEntries(Object.entries(filters).filter(([, value]) => value.trim() !== '')),
    ...(sort !== 'waited' && { sort }),
    ...(isDescending && { order: 'descending' }),
  };
}

/** Whether any filter is set. */
export function isFiltered(view: QueueView): boolean {
  return FILTER_FIELDS.some((field) => view[field].trim() !== '');
}

/**
 * The goods that match all filters, in the order of the view. Identifiers match from their beginning, however they are
 * spelled, and a declarant in any part.
 *
 * @param timeZone the time zone of the customs offices
 */
export function arrange(
  arrivals: readonly UndecidedArrival[],
  view: QueueView,
  timeZone: string,
): readonly UndecidedArrival[] {
  const matches = makeMatcher(view, timeZone);
  const found = arrivals.filter(matches);
  const { sort, isDescending } = view;
  // They come in the order in which they wait.
  if (sort === 'waited') return isDescending ? found.toReversed() : found;
  const keyOf = sortKeys[sort];
  const sign = isDescending ? -1 : 1;
  return found.sort((one, other) => sign * compare(keyOf(one), keyOf(other)));
}

const sortKeys: Record<Exclude<Sort, 'waited'>, (arrival: UndecidedArrival) => string> = {
  document: (arrival) => arrival.transportDocumentHouseLevel.documentNumber,
  mrn: mrnOf,
  declarant: (arrival) => arrival.declarant,
  office: (arrival) => arrival.customsOfficeOfPresentation,
};

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function makeMatcher(view: QueueView, timeZone: string): (arrival: UndecidedArrival) => boolean {
  const [document, office, firstEntry, receptacle, container] = (
    ['document', 'office', 'firstEntry', 'receptacle', 'container'] as const
  ).map((field) => identifierKey(view[field]));
  const declarant = view.declarant.trim().toLowerCase();
  const [from, to] = [view.from, view.to].map((time) => fromOfficeTime(time, timeZone));
  const begins = (value: string, key: string | undefined) =>
    key === undefined || key === '' || identifierKey(value).startsWith(key);
  return (arrival) =>
    begins(arrival.customsOfficeOfPresentation, office) &&
    begins(arrival.customsOfficeOfFirstEntry ?? '', firstEntry) &&
    arrival.declarant.toLowerCase().includes(declarant) &&
    begins(arrival.receptacleId ?? '', receptacle) &&
    (arrival.containerId ?? ['']).some((id) => begins(id, container)) &&
    (from === undefined || arrival.presentedAt >= from) &&
    (to === undefined || arrival.presentedAt < to) &&
    (begins(arrival.transportDocumentHouseLevel.documentNumber, document) ||
      begins(mrnOf(arrival), document));
}
