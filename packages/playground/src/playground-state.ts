// The state of a playground, which resets and snapshots return to: its data, clock, decisions, later events and scenarios.
import type { ClockState, PlaygroundClock, SavedClock } from './clock.js';
import type { LateDecisions, SavedDecisions } from './decisions/late-decisions.js';
import type { LaterEvents, SavedEvents } from './movements/later-events.js';
import type { ExchangeLog } from './recording/exchange-log.js';
import type { Deliveries } from './scenarios/delivery-effects.js';
import type { SavedScenarios, ScenarioList } from './scenarios/scenario-list.js';
import type { Snapshot } from './snapshots.js';

/** What the state consists of. */
export type StateParts = {
  data: KeptData;
  clock: PlaygroundClock;
  /** Is called when the clock was changed. */
  clockChanged: () => Promise<void>;
  decisions: LateDecisions;
  later: LaterEvents;
  scenarios: ScenarioList;
  deliveries: Pick<Deliveries, 'forget'>;
  exchanges: ExchangeLog;
  /** Registers the identities. */
  register: () => Promise<void>;
  /** Makes the changes of identities again. */
  registerChanges: () => Promise<void>;
};

/** The data of the start, and snapshots with what was in memory. */
export type KeptData = {
  list(): Snapshot[];
  /** What was in memory; an error if there is no such snapshot. */
  find(name: string): Saved;
  take(name: string, takenAt: Date, saved: Saved): Promise<Snapshot>;
  /** Deletes a snapshot; returns whether there was one. */
  delete(name: string): boolean;
  /** Replaces all data by that of the start. */
  restoreStart(): Promise<void>;
  /** Fails if a reset cannot return to a snapshot. */
  check(name: string): Promise<void>;
  /** Replaces all data by that of a snapshot. */
  restore(name: string): Promise<void>;
};

/** What is in memory at a moment. */
export type Saved = {
  clock: { state: ClockState; saved: SavedClock };
  decisions: SavedDecisions;
  later: SavedEvents;
  scenarios: SavedScenarios;
};

/** The state, with that of the start and of snapshots. */
export class PlaygroundState {
  readonly #parts: StateParts;

  constructor(parts: StateParts) {
    this.#parts = parts;
  }

  /** Takes a snapshot. */
  take(name: string): Promise<Snapshot> {
    const { data, clock, decisions, later, scenarios } = this.#parts;
    return data.take(name, clock.now(), {
      clock: { state: clock.state(), saved: clock.save() },
      decisions: decisions.save(),
      later: later.save(),
      scenarios: scenarios.save(),
    });
  }

  /**
   * Returns to a snapshot, or to the start without a name. The recorded exchanges are forgotten.
   *
   * @param replaceData does the work that replaces the data
   */
  async restore(
    name: string | undefined,
    replaceData: (work: () => Promise<void>) => Promise<void>,
  ): Promise<void> {
    const {
      data,
      clock,
      clockChanged,
      decisions,
      later,
      scenarios,
      deliveries,
      exchanges,
      register,
      registerChanges,
    } = this.#parts;
    // Another reset may have deleted it meanwhile.
    const saved = name === undefined ? undefined : data.find(name);
    if (name !== undefined) await data.check(name);
    const replace = (work: () => Promise<void>) =>
      replaceData(async () => {
        await work();
        deliveries.forget();
      });
    const waited = { decisions: decisions.save(), later: later.save() };
    // What is being done ends before.
    await decisions.clear();
    await later.clear();
    if (name === undefined || saved === undefined) {
      clock.reset();
      await decisions.reset();
      await replace(() => data.restoreStart());
      await register();
      scenarios.reset();
    } else {
      await replace(async () => {
        await data.restore(name).catch(async (error: unknown) => {
          await decisions.restore(waited.decisions);
          await later.restore(waited.later);
          throw error;
        });
      });
      await registerChanges();
      clock.returnTo(saved.clock.state, saved.clock.saved);
      scenarios.restore(saved.scenarios);
      await decisions.restore(saved.decisions);
      await later.restore(saved.later);
    }
    await clockChanged();
    exchanges.clear();
  }
}
