// The time by which data is removed, closed or exported. What is removed is gone, so no single clock decides.
import type { Measure } from '../metrics/measure.js';
import type { Database } from './database.js';
import { advanceRemovalTime } from './removal-queries.js';

/** Nothing is removed now. */
export class RemovalPausedError extends Error {
  readonly code = 'REMOVAL_PAUSED';
  override name = 'RemovalPausedError';
}

/** What every job that removes, closes or exports data takes its times from. */
export type RemovalClock = {
  /** @throws RemovalPausedError while nothing may be removed; called before each step */
  check(): void;

  /**
   * The time of the database, by which partitions are created and closed.
   *
   * @throws RemovalPausedError while nothing may be removed
   */
  now(): Promise<Date>;

  /**
   * The time before which everything is older than this, by each clock.
   *
   * @param ageMs the age, in milliseconds
   * @throws RemovalPausedError while nothing may be removed
   */
  cutoff(ageMs: number): Promise<Date>;
};

/** Why nothing may be removed now, as a sentence; `undefined` if it may. */
export type FindPause = () => string | undefined;

/**
 * The clock of a service. A cutoff is the earliest one by the clock of this server, by that of the database, and by the
 * time that the database has kept, which does not follow a clock that jumps (decision 0143).
 *
 * @param settings `clock`: the time of this server, in milliseconds; `findPause`: whether this server is ready
 */
export function makeRemovalClock(
  database: Database,
  {
    clock = Date.now,
    findPause = () => undefined,
  }: { clock?: () => number; findPause?: FindPause } = {},
): RemovalClock & { measure: Measure } {
  let behind: number | undefined;
  const check = () => checkPause(findPause);
  const read = async () => {
    check();
    const local = clock();
    const [row] = await database.query(advanceRemovalTime);
    if (row === undefined) throw new Error('the database has not returned its time');
    const { now, time } = row;
    behind = now - time;
    check();
    return { now, certain: Math.min(local, now, time) };
  };
  return {
    check,
    now: async () => new Date((await read()).now),
    cutoff: async (ageMs) => new Date((await read()).certain - ageMs),
    measure: {
      name: 'landfall_removal_time_behind_seconds',
      help: 'How far the time by which data is removed is behind the clock of the database, because that clock has jumped',
      read: async () => (behind === undefined ? undefined : behind / 1000),
    },
  };
}

/** A clock that is followed wherever it is moved, as that of a playground. */
export function followClock(
  clock: () => Date,
  findPause: FindPause = () => undefined,
): RemovalClock {
  const check = () => checkPause(findPause);
  const now = async () => {
    check();
    return clock();
  };
  return { check, now, cutoff: async (ageMs) => new Date((await now()).getTime() - ageMs) };
}

function checkPause(findPause: FindPause): void {
  const pause = findPause();
  if (pause !== undefined) throw new RemovalPausedError(`nothing is removed now: ${pause}`);
}
