// Instants as movement messages have them and as they are compared: without fractions of a second.

/** The instant in UTC to the second, such as `2026-05-04T08:00:00Z`; fractions are cut off. */
export function toTheSecond(time: Date): string {
  return `${time.toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length)}Z`;
}
