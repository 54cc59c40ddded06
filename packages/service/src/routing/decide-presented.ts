// Decides lodged goods that are presented and that nobody has decided: by the live routing profile, which may have waited
// for the office, or else by the rule of a playground. With extended results, entry is pending for those that are incomplete.
import type { Routing } from '@landfall/contract';
import { BackgroundJob } from '../background-job.js';
import type { Database } from '../database/database.js';
import { selectDatabaseTime } from '../database/queries.js';
import { HeldTooLongError } from '../feed/transact-on-feeds.js';
import { newId } from '../new-id.js';
import { confirmDecisions, decideByProfile } from './apply-routing-profile.js';
import { type Block, type DecisionCommits, MAX_DECISIONS_PER_BLOCK } from './commit-decisions.js';
import type { Decision } from './compare-decisions.js';
import {
  type PresentedRow,
  selectCompletedLodged,
  selectPresentedLodged,
  selectUndecidedLodged,
} from './presented-queries.js';
import type { LiveProfiles } from './profiles.js';

/** How often goods are looked for whose server has stopped before it decided them, in milliseconds. */
const INTERVAL_MS = 60_000;

/** How far back the first search goes, and by how much later ones overlap, in milliseconds. */
const FIRST_SEARCH_MS = 24 * 3600 * 1000;
const OVERLAP_MS = 60_000;

/** Goods that may wait to be decided; the others are found by the next search. */
const MAX_WAITING = 100_000;

/** A search reads as many goods at once. */
const MAX_FOUND = 2000;

/** How long goods whose organisation is held wait for it, in milliseconds, until the next search. */
const HELD_MS = 10_000;

/** The client that decides, in the audit trail and in histories. */
const CLIENT = 'landfall';

/** The routing of goods that no profile decides; `undefined` leaves them undecided. */
export type DecideByDefault = (house: { documentNumber: string }) => Routing | undefined;

/** What deciding needs. */
export type PresentedParts = {
  database: Database;
  profiles: LiveProfiles;
  commits: DecisionCommits;
  movedClock: (() => Date) | undefined;
  /** Whether entry is pending for what was presented incomplete, and not only undecided. */
  extendedResults: boolean;
  decideByDefault?: DecideByDefault | undefined;
};

/** Decides presented goods, soon after they are presented. */
export class PresentedGoods {
  readonly #parts: PresentedParts;
  readonly #job: BackgroundJob;
  #waiting: string[] = [];
  /** How many were taken to be decided since the start, and who waits until so many were decided or have failed. */
  #taken = 0;
  #waiters: { taken: number; resolve: () => void }[] = [];
  /** Until when presentations were searched; `undefined` before the first search. */
  #searchedUntil: Date | undefined;
  #searchIsDue = true;

  /** Blocks that wait for an organisation which others hold, beside the runs: they delay nobody else's goods. */
  readonly #held = new Set<Promise<void>>();
  /** Goods on which a decision failed; the next search decides them. */
  readonly #failed = new Set<string>();
  readonly #report: (error: unknown) => void;

  constructor(parts: PresentedParts, report: (error: unknown) => void) {
    this.#parts = parts;
    this.#report = report;
    this.#job = new BackgroundJob(INTERVAL_MS, () => this.#run(), report);
  }

  start(): void {
    this.#job.start();
    void this.#job.run();
  }

  /**
   * Goods that were presented.
   *
   * @returns resolves when those that can be decided now are, or have failed
   */
  add(houses: readonly string[]): Promise<void> {
    const room = MAX_WAITING - this.#waiting.length;
    if (this.#waiting.length === 0) queueMicrotask(() => void this.#job.run());
    for (const house of houses.slice(0, room)) this.#waiting.push(house);
    const taken = this.#taken + this.#waiting.length;
    return new Promise((resolve) => {
      this.#waiters.push({ taken, resolve });
    });
  }

  /** Decides everything that waits now. */
  async catchUp(): Promise<void> {
    this.#searchIsDue = true;
    await this.#job.run();
    await Promise.all(this.#held);
  }

  async close(): Promise<void> {
    await this.#job.close();
    await Promise.all(this.#held);
  }

  async #run(): Promise<void> {
    const isFromTimer = this.#waiting.length === 0;
    while (this.#waiting.length > 0) {
      const houses = this.#waiting.splice(0, MAX_DECISIONS_PER_BLOCK);
      this.#taken += houses.length;
      await this.#decide(houses);
      this.#tellWaiters();
    }
    this.#tellWaiters();
    if (isFromTimer || this.#searchIsDue) await this.#search();
  }

  /** They wait in the order of what they wait for. */
  #tellWaiters(): void {
    const isLater = this.#waiters.findIndex(({ taken }) => taken > this.#taken);
    const told = isLater === -1 ? this.#waiters.length : isLater;
    for (const { resolve } of this.#waiters.splice(0, told)) resolve();
  }

  /** Finds what was presented or completed since the last search: a server may have stopped before it decided it. */
  async #search(): Promise<void> {
    const { database } = this.#parts;
    const [time] = await database.query(selectDatabaseTime);
    if (time === undefined) return;
    const failed = [...this.#failed];
    this.#failed.clear();
    while (failed.length > 0) await this.#decide(failed.splice(0, MAX_FOUND));
    const since = new Date(
      this.#searchedUntil === undefined
        ? time.now.getTime() - FIRST_SEARCH_MS
        : this.#searchedUntil.getTime() - OVERLAP_MS,
    );
    let presented = { at: since, id: '00000000-0000-0000-0000-000000000000' };
    for (;;) {
      const page = await database.query(selectUndecidedLodged(presented, MAX_FOUND));
      await this.#decide(page.flatMap(({ id, isLodged }) => (isLodged ? id : [])));
      presented = page.at(-1) ?? presented;
      if (page.length < MAX_FOUND) break;
    }
    let completed = { at: since, id: 0 };
    for (;;) {
      const page = await database.query(selectCompletedLodged(completed, MAX_FOUND));
      await this.#decide(page.flatMap(({ house }) => house ?? []));
      completed = page.at(-1) ?? completed;
      if (page.length < MAX_FOUND) break;
    }
    this.#searchedUntil = time.now;
    this.#searchIsDue = false;
  }

  /** Decides goods, those of each organisation that has lodged them in a block of their own: one that fails fails no other. */
  async #decide(houses: readonly string[]): Promise<void> {
    if (houses.length === 0) return;
    try {
      const rows = await this.#parts.database.query(selectPresentedLodged(houses));
      const bySubmitter = new Map<number, PresentedRow[]>();
      for (const row of rows) {
        const group = bySubmitter.get(row.submitterId);
        if (group === undefined) bySubmitter.set(row.submitterId, [row]);
        else group.push(row);
      }
      for (const group of bySubmitter.values()) await this.#decideOrNote(group);
    } catch (error) {
      this.#fail(houses, error);
    }
  }

  async #decideOrNote(rows: readonly PresentedRow[]): Promise<void> {
    try {
      await this.#decideGroup(rows);
    } catch (error) {
      this.#fail(
        rows.map(({ id }) => id),
        error,
      );
    }
  }

  #fail(houses: readonly string[], error: unknown): void {
    const room = MAX_WAITING - this.#failed.size;
    for (const house of houses.slice(0, room)) this.#failed.add(house);
    this.#report(error);
  }

  async #decideGroup(rows: readonly PresentedRow[]): Promise<void> {
    const { database, profiles, movedClock, decideByDefault, extendedResults } = this.#parts;
    const [first] = rows;
    if (first === undefined) return;
    const context = {
      at: movedClock?.(),
      organisationId: first.submitterId,
      organisation: first.submitter,
      clientId: CLIENT,
      requestId: newId(),
    };
    const complete = rows.filter(({ isIncomplete }) => !isIncomplete);
    const profile = await profiles.read(database);
    const byProfile = new Map(
      complete.map((row) => [row, profile && decideByProfile(profile, row)] as const),
    );
    const decisions = [...byProfile.values()].filter((decision) => decision !== undefined);
    if (profile !== undefined && decisions.length > 0) {
      const { name, version } = profile;
      await this.#commit({
        decisions,
        confirm: (transaction) => confirmDecisions(transaction, profiles, profile, decisions),
        context: { ...context, origin: 'PROFILE', profile: { name, version } },
        onlyUndecided: true,
      });
    }
    const left = complete.filter((row) => byProfile.get(row) === undefined);
    const others = left.flatMap((row) => {
      const routing = decideByDefault?.(row);
      return routing === undefined ? [] : decisionOn(row, routing);
    });
    // What was pending and is complete now waits for an officer, who finds it among the undecided.
    const open = left.flatMap((row) =>
      row.routing !== null && decideByDefault?.(row) === undefined
        ? decisionOn(row, 'UNDECIDED')
        : [],
    );
    await this.#commitWhile('complete', open, { ...context, origin: 'PROFILE' });
    await this.#commitWhile('complete', others, { ...context, origin: 'ENGINE' });
    // What is complete later is decided then.
    const pending = extendedResults
      ? rows.flatMap((row) =>
          row.isIncomplete && row.routing === null ? decisionOn(row, 'ENTRY_PENDING') : [],
        )
      : [];
    await this.#commitWhile('incomplete', pending, { ...context, origin: 'PROFILE' });
  }

  /** Commits decisions on goods that are still complete, or incomplete: what was replaced meanwhile may not be. */
  async #commitWhile(
    state: 'complete' | 'incomplete',
    decisions: readonly Decision[],
    context: Block['context'],
  ): Promise<void> {
    if (decisions.length === 0) return;
    await this.#commit({
      decisions,
      confirm: async (transaction) => {
        const ids = decisions.flatMap(({ house }) => house ?? []);
        const now = await transaction.query(selectPresentedLodged(ids));
        const still = new Set(
          now.flatMap(({ id, isIncomplete }) =>
            isIncomplete === (state === 'incomplete') ? id : [],
          ),
        );
        return ({ house = '' }) => still.has(house);
      },
      context,
      onlyUndecided: true,
    });
  }

  /** Commits what affects nobody who is held; the rest is committed when they are free. */
  async #commit(block: Block): Promise<void> {
    const { commits } = this.#parts;
    let { decisions } = block;
    while (decisions.length > 0) {
      try {
        await commits.commit({ ...block, decisions, maxWaitMs: 0 });
        return;
      } catch (error) {
        if (!(error instanceof HeldTooLongError)) throw error;
        const { held } = error;
        const isHeld = (index: number) => held === undefined || held.size === 0 || held.has(index);
        const waiting = decisions.filter((_, index) => isHeld(index));
        this.#commitLater({ ...block, decisions: waiting });
        decisions = decisions.filter((_, index) => !isHeld(index));
      }
    }
  }

  #commitLater(block: Block): void {
    const done = this.#parts.commits
      .commit({ ...block, maxWaitMs: HELD_MS })
      .then(
        () => undefined,
        (error: unknown) =>
          this.#fail(
            block.decisions.flatMap(({ house }) => house ?? []),
            error,
          ),
      )
      .finally(() => this.#held.delete(done));
    this.#held.add(done);
  }
}

function decisionOn(
  { id, mrn, documentNumber, documentType }: PresentedRow,
  routing: Decision['routing'],
): Decision {
  return {
    house: id,
    mrn,
    // Safe cast: the type is in CL754, by the rules of the message.
    transportDocumentHouseLevel: { documentNumber, type: documentType } as TransportDocument,
    routing,
  };
}

type TransportDocument = Decision['transportDocumentHouseLevel'];
