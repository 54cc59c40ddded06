// Compares the clock of this server with that of the database.
import type { Database } from '../database/database.js';
import { type ReadinessCondition, UnmetConditionError } from '../http/readiness-conditions.js';
import type { Measure } from '../metrics/measure.js';
import { selectTime } from './queries.js';

/** How far the clocks may differ, in milliseconds. Tokens and entries of several servers are compared by their times. */
const MAX_OFFSET_MS = 2000;

/** A measurement whose response took longer says too little, in milliseconds. */
const MAX_ROUND_TRIP_MS = 1000;

/**
 * The condition that the clocks differ by at most 2 s, and the gauge of the difference. The database's time is taken to
 * be that of the middle of the round trip, so the error is half of the round trip at most; a difference that this error
 * could explain is accepted.
 *
 * @param clock the time of this server, in milliseconds
 */
export function makeClockCheck(
  database: Database,
  clock: () => number = Date.now,
): { condition: ReadinessCondition; measure: Measure } {
  let offset: number | undefined;
  return {
    condition: {
      task: 'clock',
      message:
        'the clock of this server could not be compared with that of the database, or is off',
      check: async () => {
        const sentAt = clock();
        const sent = performance.now();
        const [row] = await database.lookUps.query(selectTime);
        const roundTrip = performance.now() - sent;
        if (row === undefined || roundTrip > MAX_ROUND_TRIP_MS) {
          throw new Error('the database took more than 1 s to respond with its time');
        }
        offset = sentAt + roundTrip / 2 - row.now;
        if (Math.abs(offset) - roundTrip / 2 <= MAX_OFFSET_MS) return;
        const seconds = (Math.abs(offset) / 1000).toFixed(1);
        throw new UnmetConditionError(
          `The clock of this server is ${seconds} s ${offset > 0 ? 'ahead of' : 'behind'} that of the database; 2 s are allowed`,
        );
      },
    },
    measure: {
      name: 'landfall_clock_offset_seconds',
      help: 'How far the clock of this server is ahead of that of the database',
      read: async () => (offset === undefined ? undefined : offset / 1000),
    },
  };
}
