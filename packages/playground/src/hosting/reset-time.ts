// When the spaces of a hosted playground are reset: once a day, at an hour of a time zone.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Names the time between two resets: the date on which it began. A day that lacks the hour, or has it twice, has one reset. */
export function resetPeriod(now: Date, { resetHour, timeZone }: ResetTime): string {
  const parts = partsOf(now, timeZone);
  if (Number(parts.hour) >= resetHour) return dateOf(parts);
  // Noon of the day before, whatever the length of a day.
  const noon = new Date(now.getTime() - (Number(parts.hour) + 12) * HOUR_MS);
  return dateOf(partsOf(noon, timeZone));
}

/** The next reset, to the minute. */
export function nextReset(now: Date, reset: ResetTime): Date {
  const period = resetPeriod(now, reset);
  const first = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;
  // Time zones differ from UTC by whole quarters of an hour.
  const quarter = 15 * MINUTE_MS;
  let time = Math.ceil((first + 1) / quarter) * quarter;
  while (resetPeriod(new Date(time), reset) === period) time += quarter;
  return new Date(time);
}

/** The hour, 0 to 23, and its time zone, such as `Europe/Oslo`. */
export type ResetTime = { resetHour: number; timeZone: string };

function partsOf(time: Date, timeZone: string): Record<string, string> {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    hourCycle: 'h23',
  });
  return Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]));
}

function dateOf({ year, month, day }: Record<string, string>): string {
  return `${year}-${month}-${day}`;
}
