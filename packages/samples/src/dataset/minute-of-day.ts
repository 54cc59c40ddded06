// When goods arrive: a distribution over the hours of a day, and a timetable if there is one.
import type { Site } from './site.js';

/**
 * The time at which a share of the day's goods has arrived.
 *
 * @param share 0 (inclusive) to 1 (exclusive)
 * @returns minutes since midnight UTC, 0 to 1439; with a timetable, its next time, or its last
 */
export function minuteOfDay(
  { hours, timetable }: Pick<Site, 'hours' | 'timetable'>,
  share: number,
): number {
  const sum = hours.reduce((total, weight) => total + weight, 0);
  let before = 0;
  let minute = 24 * 60 - 1;
  for (const [hour, weight] of hours.entries()) {
    if (share * sum < before + weight) {
      minute = Math.floor((hour + (share * sum - before) / weight) * 60);
      break;
    }
    before += weight;
  }
  return timetable?.find((time) => time >= minute) ?? timetable?.at(-1) ?? minute;
}
