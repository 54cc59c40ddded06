// Dates with times that people enter, in the time zone of the customs offices.

/**
 * The instant of a date with a time as `<input type="datetime-local">` has it, such as `2026-03-29T01:30`. A time that a
 * change of clocks skips is the one an hour later; of one that happens twice, it is the first.
 *
 * @returns ISO 8601 in UTC; `undefined` if it is not a date with a time
 */
export function fromOfficeTime(text: string, timeZone: string): string | undefined {
  const asUtc = Date.parse(`${text}Z`);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) || Number.isNaN(asUtc)) return undefined;
  // The offset before a change of clocks gives the first of two times, and the later time after a gap.
  const before = offsetAt(asUtc - HALF_DAY_MS, timeZone);
  const first = asUtc - before;
  const isRight = offsetAt(first, timeZone) === before;
  const second = asUtc - offsetAt(asUtc + HALF_DAY_MS, timeZone);
  const isSecondRight = second + offsetAt(second, timeZone) === asUtc;
  return new Date(isRight || !isSecondRight ? first : second).toISOString();
}

/**
 * An instant as `<input type="datetime-local">` has it, in a time zone.
 *
 * @param instant milliseconds since 1970
 */
export function toOfficeTime(instant: number, timeZone: string): string {
  return new Date(instant + offsetAt(instant, timeZone)).toISOString().slice(0, 16);
}

const HALF_DAY_MS = 12 * 3600_000;

/** By how much the clocks of a time zone are ahead of UTC at an instant, in milliseconds. */
function offsetAt(instant: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instant);
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
  const local = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return local - Math.floor(instant / 1000) * 1000;
}
