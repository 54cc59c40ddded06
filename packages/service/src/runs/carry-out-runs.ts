// Carries out routing runs in the background: some decisions at a time, on one server at a time. What a server leaves,
// another one continues.
import { setTimeout as delay } from 'node:timers/promises';
import type { DecidedRouting, RoutingControlLocation } from '@landfall/contract';
import type { AuditTrail } from '../audit/audit-trail.js';
import { BackgroundJob } from '../background-job.js';
import type { Database } from '../database/database.js';
import { SESSION_LOCKS } from '../database/locks.js';
import { transactOnFeeds } from '../feed/transact-on-feeds.js';
import type { Measure } from '../metrics/measure.js';
import type { BlockStep, DecisionCommits } from '../routing/commit-decisions.js';
import type { Decision, DecisionResult } from '../routing/compare-decisions.js';
import { selectRunAccess } from './access-queries.js';
import {
  type ItemResult,
  lockRun,
  type OpenItemRow,
  type RunningRow,
  selectOpenItems,
  selectRunning,
  updateRunState,
  writeResults,
} from './queries.js';
import type { FourEyes } from './runs.js';

/** How often each server looks for runs that go on, in milliseconds. The server that creates one begins at once. */
export const RUN_INTERVAL_MS = 5_000;

/** How much is done at once. */
export type Pace = {
  /** Decisions of one transaction, which holds the feeds of everybody whom they concern. */
  batch: number;
  /** The pause after each, in which others can commit, in milliseconds. */
  pauseMs: number;
};

const PACE: Pace = { batch: 500, pauseMs: 20 };

/** What the job needs. */
export type RunParts = {
  database: Database;
  audit: AuditTrail;
  commits: DecisionCommits;
  clock: () => Date;
  /** The time of what is recorded, if it may be moved. */
  movedClock: (() => Date) | undefined;
  /** Whether the authority has placed systems above its officers. */
  enginesAboveOfficers: boolean;
  /** A release needs two officers also if the run was created before that was configured. */
  fourEyes: Pick<FourEyes, 'release'>;
};

/** The run was paused or given up: nothing is decided. */
class RunStoppedError extends Error {
  override name = 'RunStoppedError';
}

/** Whoever has created the run may not decide any more: nothing is decided. */
class RunAccessEndedError extends Error {
  override name = 'RunAccessEndedError';
}

/** Carries out the runs that go on. A failure is reported, and the next attempt continues. */
export class RunJob {
  readonly #parts: RunParts;
  readonly #reportFailure: (error: unknown) => void;
  readonly #pace: Pace;
  readonly #closing = new AbortController();
  readonly #job: BackgroundJob;
  #decisions = 0;

  constructor(parts: RunParts, reportFailure: (error: unknown) => void, pace: Pace = PACE) {
    this.#parts = parts;
    this.#reportFailure = reportFailure;
    this.#pace = pace;
    this.#job = new BackgroundJob(RUN_INTERVAL_MS, () => this.#carryOut(), reportFailure);
  }

  readonly measures: Measure[] = [
    {
      name: 'landfall_routing_run_results_total',
      help: 'House consignments for which this server has stored a result of a routing run',
      read: async () => this.#decisions,
    },
    {
      name: 'landfall_routing_runs_running',
      help: 'Routing runs that go on, whichever server carries them out',
      read: async () => (await this.#parts.database.query(selectRunning)).length,
    },
  ];

  start(): void {
    this.#job.start();
  }

  /** Carries out what there is now, after the attempt that is in progress. */
  run(): Promise<void> {
    return this.#job.run();
  }

  /** Resolves when no decision is in progress, and none follows. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#job.close();
  }

  async #carryOut(): Promise<void> {
    const { database } = this.#parts;
    if (this.#closing.signal.aborted) return;
    if ((await database.query(selectRunning)).length === 0) return;
    const lost = new AbortController();
    const release = await database.tryLock(SESSION_LOCKS.routingRuns, () => lost.abort());
    if (release === undefined) return;
    const signal = AbortSignal.any([this.#closing.signal, lost.signal]);
    try {
      await this.#takeTurns(signal);
    } finally {
      await release();
    }
  }

  /** Runs take turns, so that a large one does not delay a small one. */
  async #takeTurns(signal: AbortSignal): Promise<void> {
    /** The last house consignment of each run that was tried. What is held for too long is left to the next attempt. */
    const tried = new Map<string, string>();
    const failed = new Set<string>();
    for (;;) {
      const running = await this.#parts.database.query(selectRunning);
      let isIdle = true;
      for (const run of running) {
        if (failed.has(run.id)) continue;
        try {
          const last = await this.#decideSome(run, tried.get(run.id));
          if (last === undefined) continue;
          tried.set(run.id, last);
          isIdle = false;
        } catch (error) {
          failed.add(run.id);
          this.#reportFailure(error);
        }
        // It ends early when the signal aborts.
        await delay(this.#pace.pauseMs, undefined, { signal }).catch(() => undefined);
        if (signal.aborted) return;
      }
      if (isIdle) return;
    }
  }

  /**
   * Decides on the next house consignments of a run.
   *
   * @returns the last of them; `undefined` if there are none, or the run does not go on
   */
  async #decideSome(run: RunningRow, after: string | undefined): Promise<string | undefined> {
    const { database, commits, movedClock, enginesAboveOfficers, fourEyes } = this.#parts;
    if (!run.isAllowed) {
      await this.#pause(run);
      return undefined;
    }
    const items = await database.query(selectOpenItems(run.id, after, this.#pace.batch));
    if (items.length === 0) return undefined;
    const { origin, organisationId, organisation, clientId, requestId } = run;
    const at = movedClock?.();
    try {
      const results = await commits.commitApart({
        decisions: items.map((item) => toDecision(run, item)),
        context: {
          at,
          origin,
          isAboveOfficers: enginesAboveOfficers,
          needsSecondOfficer: fourEyes.release && !run.isConfirmed,
          organisationId,
          organisation,
          clientId,
          requestId,
          run: run.id,
        },
        onlyUndecided: false,
        step: stepOf(run.id, at),
      });
      this.#decisions += results.filter((result) => result !== undefined).length;
    } catch (error) {
      if (error instanceof RunStoppedError) return undefined;
      if (!(error instanceof RunAccessEndedError)) throw error;
      await this.#pause(run);
      return undefined;
    }
    return items.at(-1)?.id;
  }

  /** Whoever has created it may not decide any more. */
  async #pause({ id }: RunningRow): Promise<void> {
    const { database, audit, clock, movedClock } = this.#parts;
    await transactOnFeeds(
      database,
      async (transaction) => {
        const [run] = await transaction.query(lockRun(id));
        if (run?.state !== 'RUNNING') return;
        await transaction.query(updateRunState(id, 'PAUSED', 'ACCESS_ENDED', movedClock?.()));
        await audit.record(transaction, {
          at: clock(),
          actor: undefined,
          requestId: undefined,
          action: 'routing-run.pause',
          details: { run: id, problem: 'ACCESS_ENDED' },
        });
      },
      'writes',
    );
  }
}

function toDecision(run: RunningRow, item: OpenItemRow): Decision {
  const isReversal = run.reverses !== null;
  const { routing, routingControlLocation: location } = isReversal ? item : run;
  const { mrn, documentNumber, documentType } = item;
  // No document has an empty number. The goods, or what was decided before, are not kept any more.
  const isKnown = routing !== null && documentNumber !== null;
  return {
    ...(mrn !== null && { mrn }),
    transportDocumentHouseLevel: {
      documentNumber: isKnown ? documentNumber : '',
      // The casts are true because these are the values of the columns.
      type: documentType as Decision['transportDocumentHouseLevel']['type'],
    },
    house: item.id,
    routing: (routing ?? 'UNDECIDED') as DecidedRouting,
    ...(location !== null && { routingControlLocation: location as RoutingControlLocation }),
    reason: run.reason,
    // Whoever reverses a run knows its decisions; whoever selects goods has not seen what was decided on each.
    ...(isReversal ? { expected: item.expected } : { selected: item.expected }),
  };
}

/** Decides only while the run goes on, and stores the results with the decisions. */
function stepOf(run: string, at: Date | undefined): BlockStep {
  return {
    begin: async (transaction) => {
      const [row] = await transaction.query(lockRun(run));
      if (row?.state !== 'RUNNING') throw new RunStoppedError('the run does not go on');
      // In the transaction that decides: many runs may have had their turns since they were selected.
      const [access] = await transaction.query(selectRunAccess(run));
      if (access?.isAllowed !== true) throw new RunAccessEndedError('its creator may not decide');
    },
    end: async (transaction, decisions, results) => {
      const stored = results.map((result, index) => toItemResult(decisions[index], result));
      const [row] = await transaction.query(writeResults(run, stored, at));
      // Another server has lost its lock and does not know yet.
      if (row?.written !== stored.length) {
        throw new Error(`another server has decided for the routing run ${run}`);
      }
    },
  };
}

function toItemResult(decision: Decision | undefined, result: DecisionResult): ItemResult {
  if (decision?.house === undefined) throw new Error('a result is of no house consignment');
  const item = { id: decision.house, status: result.status, code: undefined, signals: 0 };
  switch (result.status) {
    case 'REFUSED':
      return { ...item, code: result.problem, decision: undefined };
    case 'CONFLICT':
      return { ...item, decision: result.current?.number };
    default: {
      const { number, signals } = result;
      // If nothing was stored, the number is that of the current decision.
      const isOwn = number !== (decision.selected ?? decision.expected);
      return { ...item, decision: isOwn ? number : undefined, signals };
    }
  }
}
