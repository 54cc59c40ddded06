// The playground's clock: it runs, or is stopped until it is set or advanced. Everything that is recorded, and by
// which tokens, grants and entries end, follows it; limits and timeouts are measured in real time.
import { compileCheck, type ValidationError } from '@landfall/contract';
import { Type } from 'typebox';
import { isPlainObject, PlaygroundOptionError, toOptionError } from './option-error.js';

/** The clock at one moment. */
export type ClockState = {
  /** ISO 8601, in UTC with milliseconds. */
  time: string;
  /** Whether the time advances by itself. */
  running: boolean;
};

/** The most that the clock is advanced at once, in seconds: 10 years. */
const MAX_ADVANCE = 10 * 366 * 24 * 3600;

/** Times are those of four digits for the year. */
const MAX_TIME = Date.parse('9999-12-31T00:00:00Z');

export const ClockChangeSchema = Type.Object(
  {
    time: Type.Optional(Type.String({ format: 'date-time' })),
    advance: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_ADVANCE })),
    running: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

/** A change of the clock; what is left out stays as it is. */
export type ClockChange = {
  /** ISO 8601 with an offset, such as `2026-05-01T08:00:00Z`; not together with `advance`. */
  time?: string | undefined;
  /** Seconds to add, 10 years at most. */
  advance?: number | undefined;
  running?: boolean | undefined;
};

/** What is left out stays as it is. A member that is null would do nothing, so it is refused. */
const checkChange = compileCheck<ClockChange>(ClockChangeSchema, { strict: true });

/** Where a clock stands: the time at which it is stopped, or the difference to the system's clock, in milliseconds. */
export type SavedClock = { base: number; running: boolean };

/** A clock that can be stopped, set and advanced. */
export class PlaygroundClock {
  readonly #start: ClockChange;
  #saved: SavedClock = { base: 0, running: true };

  /** @param start the time at the start, and whether it runs; default: the system's time, running */
  constructor(start: ClockChange = {}) {
    this.#start = start;
    this.set(start);
  }

  /** Whether it was set at the start. */
  get isGiven(): boolean {
    return Object.values(this.#start).some((value) => value !== undefined);
  }

  /** Another clock, at the start of this one. */
  another(): PlaygroundClock {
    return new PlaygroundClock(this.#start);
  }

  /** The time. */
  readonly now = (): Date => {
    const { base, running } = this.#saved;
    return new Date(running ? Date.now() + base : base);
  };

  state(): ClockState {
    return { time: this.now().toISOString(), running: this.#saved.running };
  }

  /** @throws PlaygroundOptionError that names the member and the rule; then nothing is changed */
  set(change: ClockChange): void {
    if (!isPlainObject(change)) {
      throw new PlaygroundOptionError('clock must be an object such as { time, running }');
    }
    const checked = checkChange(change);
    if (!checked.valid) throw toOptionError('clock', checked.errors);
    const { time, advance, running = this.#saved.running } = checked.value;
    if (time !== undefined && advance !== undefined) {
      throw refuse('advance', 'must not be given together with time');
    }
    const from = time === undefined ? this.now().getTime() : Date.parse(time);
    const now = from + (advance ?? 0) * 1000;
    if (now > MAX_TIME) {
      throw refuse(time === undefined ? 'advance' : 'time', 'must not lead beyond the year 9999');
    }
    this.#saved = { base: running ? now - Date.now() : now, running };
  }

  /** Returns to the start: to its time, if it was given one. */
  reset(): void {
    this.#saved = { base: 0, running: true };
    this.set(this.#start);
  }

  save(): SavedClock {
    return this.#saved;
  }

  restore(saved: SavedClock): void {
    this.#saved = saved;
  }

  /** Returns to a moment: to its time, also if it runs. A clock that shows the system's time goes on showing it. */
  returnTo({ time, running }: ClockState, { base }: SavedClock): void {
    if (running && base === 0) this.restore({ base, running });
    else this.set({ time, running });
  }
}

function refuse(field: string, error: string) {
  const errors: ValidationError[] = [{ field, error, code: 'FORMAT' }];
  return toOptionError('clock', errors);
}
