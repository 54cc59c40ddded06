// Which transports an address lists: what the list of the service takes, as people choose it.
import { type ListTransportsQuery, type ModeName, modes } from '@landfall/client';
import { readScan } from '../../identifiers/read-scan.js';
import { fromOfficeTime, toOfficeTime } from '../../time/office-date-time.js';

/** The states that can be chosen, each with its part of the query. */
const states = {
  expected: { state: 'CURRENT', arrived: false },
  arrived: { arrived: true },
  CANCELLED: { state: 'CANCELLED' },
  EXPIRED: { state: 'EXPIRED' },
  CLOSED: { state: 'CLOSED' },
  all: {},
} as const satisfies Record<string, ListTransportsQuery>;

export type ChosenState = keyof typeof states;

// Safe casts: these are the keys of the objects.
export const STATES = Object.keys(states) as ChosenState[];
export const MODES = Object.keys(modes) as ModeName[];

/** The filters, which are also the parameters of the address. Times are those of the customs offices. */
export type TransportFilter = {
  state: ChosenState;
  mode: ModeName | '';
  office: string;
  /** A means of transport, or an MRN. */
  id: string;
  from: string;
  to: string;
};

/** How long before now the list begins unless something else is chosen, in milliseconds. */
const BEFORE_NOW_MS = 24 * 3_600_000;

const HOUR_MS = 3_600_000;

/**
 * The filters of an address. Without a time from which it lists, that is the full hour a day before now: the first ones of
 * all that are kept ended long ago. A means of transport has few transports, and all of them are listed.
 *
 * @param now milliseconds since 1970
 */
export function readFilter(
  search: URLSearchParams,
  now: number,
  timeZone: string,
): TransportFilter {
  const id = readScan(search.get('id') ?? '');
  const aDayAgo = Math.floor((now - BEFORE_NOW_MS) / HOUR_MS) * HOUR_MS;
  return {
    state: STATES.find((one) => one === search.get('state')) ?? 'expected',
    mode: MODES.find((one) => one === search.get('mode')) ?? '',
    office: search.get('office') ?? '',
    id,
    from: search.get('from') ?? (id === '' ? toOfficeTime(aDayAgo, timeZone) : ''),
    to: search.get('to') ?? '',
  };
}

/** The parameters of an address that changes some of its filters. A time that is removed stays removed. */
export function changeAddress(
  before: URLSearchParams,
  changed: Partial<TransportFilter>,
): Record<string, string> {
  const all = Object.entries({ ...Object.fromEntries(before), ...changed });
  return Object.fromEntries(
    all.filter(([name, value]) => value !== '' || (name === 'from' && value === '')),
  );
}

/** What the service is asked for. */
export function queryOf(
  { state, mode, office, id, from, to }: TransportFilter,
  timeZone: string,
): ListTransportsQuery {
  const [after, before] = [from, to].map((time) => fromOfficeTime(time, timeZone));
  return {
    ...states[state],
    ...(mode !== '' && { mode }),
    ...(office !== '' && { office }),
    ...(id !== '' && { identificationNumber: id }),
    ...(after !== undefined && { from: after }),
    ...(before !== undefined && { to: before }),
  };
}
