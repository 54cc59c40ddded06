// Compares the clock of this server with that of the database.
import type { Database } from '../database/database.js';
import { type ReadinessCondition, UnmetConditionError } from '../http/readiness-conditions.js';
import type { Measure } from '../metrics/measure.js';
import { selectTime } from './queries.js';

/** How far the clocks may differ, in milliseconds. Tokens and entries of several servers are compared by their times. */
const MAX_OFFSET_MS = 2000;

/** A difference that the error of a measurement could explain is accepted up to this round trip, in milliseconds. */
const MAX_ROUND_TRIP_MS = 1000;

/**
 * The condition that the clocks differ by at most 2 s, and the gauge of the difference. The database's time is taken to
 * be that of the middle of the round trip, so the error is half of the round trip at most. What is certain in spite of
 * this error counts, however long the round trip was: a slow database must not hide a clock that is off.
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
      // Expired tokens would be accepted, and entries would be recorded with a time at which they are removed too early.
      refusesRequests: true,
      message: 'the clock of this server is off, or could not be compared: requests get 503',
      runbook: 'CLOCK',
      check: async () => {
        // In this order, so that a pause between the two is part of the round trip.
        const sent = performance.now();
        const sentAt = clock();
        const [row] = await database.lookUps.query(selectTime);
        const roundTrip = performance.now() - sent;
        if (row === undefined) throw new Error('the database did not respond with its time');
        const error = roundTrip / 2;
        const measured = sentAt + error - row.now;
        const difference = Math.abs(measured);
        const isWrong = difference - error > MAX_OFFSET_MS;
        const isRight = difference + error <= MAX_OFFSET_MS;
        if (roundTrip > MAX_ROUND_TRIP_MS && !isWrong && !isRight) {
          throw new Error('the database took too long to respond with its time');
        }
        offset = measured;
        if (!isWrong) return;
        const seconds = (difference / 1000).toFixed(1);
        throw new UnmetConditionError(
          `The clock of this server is ${seconds} s ${measured > 0 ? 'ahead of' : 'behind'} that of the database; 2 s are allowed`,
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
