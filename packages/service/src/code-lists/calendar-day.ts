// The days of a time zone.

/** Gives the calendar day of a moment, as `YYYY-MM-DD`, which can be compared as a string. */
export type DayOf = (at: Date) => string;

/** @param timeZone such as `Europe/Oslo` */
export function makeDayOf(timeZone: string): DayOf {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return (at) => {
    const parts = format.formatToParts(at);
    const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
    return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
  };
}

/** First and last day on which an office is valid, as `YYYY-MM-DD`; without one, there is no limit. */
type Validity = { validFrom?: string | null | undefined; validTo?: string | null | undefined };

/** Whether an office is valid on a day. */
export function isValidOn({ validFrom, validTo }: Validity, day: string): boolean {
  return (validFrom ?? day) <= day && day <= (validTo ?? day);
}

/** The day that is so many days after another one. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}
