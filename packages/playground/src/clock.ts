// The playground's clock: it runs, or is stopped until it is set or advanced. Everything that is recorded, and by
// which tokens, grants and entries end, follows it; limits and timeouts are measured in real time.
import { compileCheck, type ValidationError } from '@landfall/contract';
import { Type } from 'typebox';
import { toOptionError } from './option-error.js';

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

const checkChange = compileCheck<ClockChange>(ClockChangeSchema);

/** A clock that can be stopped, set and advanced. */
export class PlaygroundClock {
  /** The time at which it is stopped, or the difference to the system's clock while it runs, in milliseconds. */
  #base = 0;
  #running = true;

  constructor(change: ClockChange = {}) {
    this.set(change);
  }

  /** The time. */
  readonly now = (): Date => new Date(this.#running ? Date.now() + this.#base : this.#base);

  state(): ClockState {
    return { time: this.now().toISOString(), running: this.#running };
  }

  /** @throws PlaygroundOptionError that names the member and the rule; then nothing is changed */
  set(change: ClockChange): void {
    const checked = checkChange(change);
    if (!checked.valid) throw toOptionError('clock', checked.errors);
    const { time, advance, running = this.#running } = checked.value;
    if (time !== undefined && advance !== undefined) {
      throw refuse('advance', 'must not be given together with time');
    }
    const from = time === undefined ? this.now().getTime() : Date.parse(time);
    const now = from + (advance ?? 0) * 1000;
    if (now > MAX_TIME) {
      throw refuse(time === undefined ? 'advance' : 'time', 'must not lead beyond the year 9999');
    }
    this.#running = running;
    this.#base = running ? now - Date.now() : now;
  }

  /** Returns a function that sets the clock back: to the time at which it stands now, or as far from the system's time. */
  save(): () => void {
    const [base, running] = [this.#base, this.#running];
    return () => {
      this.#base = base;
      this.#running = running;
    };
  }
}

function refuse(field: string, error: string) {
  const errors: ValidationError[] = [{ field, error, code: 'FORMAT' }];
  return toOptionError('clock', errors);
}
