// Who takes a turn for an organisation that another transaction holds: one piece of work of a server at a time, because a
// turn keeps a session.
import type { Database } from '../database/database.js';

/** For how long nobody takes a turn after one was in vain, in milliseconds: the holder is slow. */
const PAUSE_MS = 2000;

/** For how long transactions only try locks after an organisation was held, in milliseconds. */
const TRY_ONLY_MS = 1000;

/** A turn, which must end. */
export type Turn = { end(isInVain: boolean): void };

/** Why there is no turn now: until another one ends, or for some time. */
export type NoTurn = { ended?: Promise<void> };

type State = { ended: Promise<void> } | { pausesUntil: number };

/** The turns of a server. */
export class OrganisationTurns {
  readonly #states = new Map<number, State>();
  #tryOnlyUntil = 0;

  /** Whether an organisation was held a moment ago: waiting for locks would delay those who need none of them. */
  get triesOnly(): boolean {
    return performance.now() < this.#tryOnlyUntil;
  }

  /** Notes that an organisation is held. */
  noteHeld(): void {
    this.#tryOnlyUntil = performance.now() + TRY_ONLY_MS;
  }

  take(organisation: number): Turn | NoTurn {
    const now = performance.now();
    const state = this.#states.get(organisation);
    if (state !== undefined && 'ended' in state) return { ended: state.ended };
    if (state !== undefined && now < state.pausesUntil) return {};
    let resolve: () => void = () => undefined;
    const ended = new Promise<void>((onEnd) => {
      resolve = onEnd;
    });
    this.#states.set(organisation, { ended });
    return {
      end: (isInVain) => {
        this.#forgetPauses();
        if (isInVain) this.#states.set(organisation, { pausesUntil: performance.now() + PAUSE_MS });
        else this.#states.delete(organisation);
        resolve();
      },
    };
  }

  #forgetPauses(): void {
    const now = performance.now();
    for (const [organisation, state] of this.#states) {
      if ('pausesUntil' in state && state.pausesUntil <= now) this.#states.delete(organisation);
    }
  }
}

const turns = new WeakMap<Database, OrganisationTurns>();

/** All work on a database shares its turns. */
export function turnsOf(database: Database): OrganisationTurns {
  let known = turns.get(database);
  if (known === undefined) {
    known = new OrganisationTurns();
    turns.set(database, known);
  }
  return known;
}
