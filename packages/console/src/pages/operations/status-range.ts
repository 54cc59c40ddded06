// The range of time that all charts of the page have: the last hours, or from one time to another. It is in the address.
import { fromOfficeTime, toOfficeTime } from '../../time/office-date-time.js';

export const PRESET_HOURS = [1, 6, 24] as const;

/** The shortest range, in milliseconds: figures are written once a minute. */
const MIN_RANGE_MS = 5 * 60_000;

const HOUR_MS = 3_600_000;

/** As it was chosen. Times are those of the customs offices, such as `2026-03-29T01:30`. */
export type StatusRange = { hours: number } | { from: string; to: string };

export function readRange(search: URLSearchParams): StatusRange {
  const [from, to] = [search.get('from') ?? '', search.get('to') ?? ''];
  if (from !== '' || to !== '') return { from, to };
  return { hours: PRESET_HOURS.find((one) => String(one) === search.get('hours')) ?? 24 };
}

/**
 * When it begins and ends, in milliseconds since 1970. A time that is missing or cannot be read is the limit of what is
 * kept: 24 hours before now, or now.
 */
export function boundsOf(
  range: StatusRange,
  now: number,
  timeZone: string,
): { from: number; to: number } {
  if ('hours' in range) return { from: now - range.hours * HOUR_MS, to: now };
  const [from, to] = [range.from, range.to].map((text) => fromOfficeTime(text, timeZone));
  const first = Math.max(now - 24 * HOUR_MS, from === undefined ? 0 : Date.parse(from));
  const last = Math.min(now, to === undefined ? now : Date.parse(to));
  return last - first >= MIN_RANGE_MS
    ? { from: first, to: last }
    : {
        from: Math.min(first, now - MIN_RANGE_MS),
        to: Math.min(first, now - MIN_RANGE_MS) + MIN_RANGE_MS,
      };
}

/** How many hours until now have to be read for it. */
export function hoursOf(range: StatusRange, now: number, timeZone: string): number {
  if ('hours' in range) return range.hours;
  const { from } = boundsOf(range, now, timeZone);
  return Math.min(24, Math.max(1, Math.ceil((now - from) / HOUR_MS)));
}

/** The range between two instants, whichever was first; `undefined` if it is too short to be meant. */
export function rangeBetween(
  one: number,
  other: number,
  timeZone: string,
): { from: string; to: string } | undefined {
  const [from, to] = [Math.min(one, other), Math.max(one, other)];
  if (to - from < MIN_RANGE_MS) return undefined;
  return { from: toOfficeTime(from, timeZone), to: toOfficeTime(to, timeZone) };
}
