// Commits blocks of decisions, each in one transaction with its audit record.
import { setTimeout as delay } from 'node:timers/promises';
import { identifierKey } from '@landfall/contract';
import { openRecord } from '../audit/audit-entry.js';
import { appendKeptRecord } from '../audit/audit-trail.js';
import { Batch, Postponed } from '../database/batch.js';
import type { Database, Transaction } from '../database/database.js';
import { commitApart, type Held } from '../feed/commit-apart.js';
import {
  ChangedMeanwhileError,
  type FeedTransaction,
  HeldTooLongError,
  HeldWork,
  OrganisationHeldError,
  tryOnFeeds,
} from '../feed/transact-on-feeds.js';
import type { FeedWatch } from '../feed/watch-feeds.js';
import { compareDecisions, type Decision, type DecisionResult } from './compare-decisions.js';
import type { DecisionContext } from './decision-context.js';
import {
  keepDecisionRecord,
  lockAffected,
  lockBeside,
  selectDecided,
  writeDecisions,
} from './decision-queries.js';
import { holds, isByOfficerOrEngine } from './decision-rules.js';

/** Maximum number of decisions in one transaction. */
export const MAX_DECISIONS_PER_BLOCK = 2000;

/** How long a block may wait for earlier blocks and for locked organisations, in milliseconds. */
const MAX_WAIT_MS = 60_000;

/** What the transaction of a block does besides deciding. It is rolled back if one of them throws. */
export type BlockStep = {
  /** Called before anything else is locked. */
  begin(transaction: Transaction): Promise<void>;
  /** Called when the decisions are written. */
  end(
    transaction: Transaction,
    decisions: readonly Decision[],
    results: readonly DecisionResult[],
  ): Promise<void>;
};

/** Decisions of one transaction. */
export type Block = {
  decisions: readonly Decision[];
  /**
   * What has to be confirmed once nobody else can change the goods: decisions for which it does not return `true` are not
   * made, and have no result.
   */
  confirm?: (transaction: Transaction) => Promise<(decision: Decision) => boolean>;
  context: DecisionContext;
  /** Whether house consignments that already have a decision are skipped. */
  onlyUndecided: boolean;
  step?: BlockStep;
  /** How long it may wait for what is held, in milliseconds; if not set, MAX_WAIT_MS. */
  maxWaitMs?: number;
};

/** A block that waits for what is held. */
type WaitingBlock = {
  block: Block;
  /** When it gives up, by the monotonic clock in milliseconds. */
  givesUpAt: number;
  /** What it waits for. It waits before its first attempt. */
  held: HeldWork;
  hasWaited: boolean;
};

/**
 * Commits decisions for all callers of this server, one block at a time: blocks would wait for each other's locks. Those
 * that have found something held are tried again beside the others, so that they delay nobody.
 */
export class DecisionCommits {
  readonly #database: Database;
  readonly #watch: FeedWatch;
  readonly #expectedOnly: boolean;
  readonly #blocks: Batch<Block, DecisionResult[] | { waits: HeldWork }>;
  readonly #waiting: Batch<WaitingBlock, DecisionResult[] | Held>;

  /** @param expectedOnly whether only expected parties may present, by which other records of the same goods are found */
  constructor(database: Database, watch: FeedWatch, expectedOnly = false) {
    this.#database = database;
    this.#watch = watch;
    this.#expectedOnly = expectedOnly;
    this.#blocks = new Batch(
      (blocks) =>
        Promise.all(
          blocks.map(async (block) => {
            const results = await this.#commit(block);
            return results instanceof HeldWork ? { waits: results } : results;
          }),
        ),
      {
        maxBatchSize: 1,
        maxWaitMs: MAX_WAIT_MS,
        ownerOf: ({ context }) => context.organisationId,
        measured: { by: database.batches, as: 'routing-decisions' },
      },
    );
    this.#waiting = new Batch(
      (blocks) => Promise.all(blocks.map((waiting) => this.#commitOrWait(waiting))),
      {
        maxBatchSize: 1,
        maxWaitMs: 2 * MAX_WAIT_MS,
        ownerOf: ({ block }) => block.context.organisationId,
        measured: { by: database.batches, as: 'routing-decisions-held' },
      },
    );
  }

  /**
   * Commits a block of at most MAX_DECISIONS_PER_BLOCK and returns the result of each decision, in order. Afterwards the
   * signals are readable.
   *
   * @throws DatabaseUnavailableError when the commit failed or its outcome is unknown
   * @throws OverloadedError when the block waited too long
   */
  async commit(block: Block): Promise<DecisionResult[]> {
    if (block.decisions.length === 0) return [];
    const results = await this.#submit(block);
    if ('held' in results) throw new HeldTooLongError(results.held);
    return results;
  }

  /**
   * The same, but decisions that affect an organisation which is held for too long do not fail the others: their result
   * is `undefined`.
   */
  async commitApart(block: Block): Promise<(DecisionResult | undefined)[]> {
    return commitApart(block.decisions, {
      // With and without an MRN, a decision may be about the same goods.
      keyOf: ({ transportDocumentHouseLevel: { documentNumber } }) => identifierKey(documentNumber),
      commit: (decisions, maxWaitMs) => this.#submit({ ...block, decisions, maxWaitMs }),
    });
  }

  async #submit(block: Block): Promise<DecisionResult[] | Held> {
    const { maxWaitMs = MAX_WAIT_MS } = block;
    const results = await this.#blocks.submit(block);
    if (!('waits' in results)) return results;
    const givesUpAt = performance.now() + maxWaitMs;
    return this.#waiting.submit({ block, givesUpAt, held: results.waits, hasWaited: false });
  }

  async #commitOrWait(waiting: WaitingBlock): Promise<DecisionResult[] | Held | Postponed> {
    if (waiting.hasWaited) {
      const results = await this.#commit(waiting.block);
      if (!(results instanceof HeldWork)) return results;
      waiting.held = results;
    }
    waiting.hasWaited = true;
    const leftMs = waiting.givesUpAt - performance.now();
    if (leftMs <= 0) return { held: waiting.held.held };
    return new Postponed(
      Promise.race([waiting.held.until, delay(leftMs, undefined, { ref: false })]),
    );
  }

  /** Commits a block, or nothing if it affects an organisation that another transaction holds. */
  async #commit(block: Block): Promise<DecisionResult[] | HeldWork> {
    let appended: string | null | undefined;
    const work = async (transaction: FeedTransaction) => {
      const written = await decide(transaction, block, this.#expectedOnly);
      appended = written.appended;
      return written.results;
    };
    const results = await tryOnFeeds(this.#database, work, { lane: 'writes', attempts: block });
    if (results instanceof HeldWork) return results;
    this.#watch.wakeAppended(appended);
    return results;
  }
}

/** Locks whom a block affects, reads what it is about, and writes what it changes. */
async function decide(
  transaction: FeedTransaction,
  block: Block,
  expectedOnly: boolean,
): Promise<{ results: DecisionResult[]; appended: string | null }> {
  const { onlyUndecided, confirm, step } = block;
  await step?.begin(transaction);
  const locked = new Set(await lockOrNameHeld(transaction, block, expectedOnly));
  const decisions =
    confirm === undefined ? block.decisions : block.decisions.filter(await confirm(transaction));
  const guarded = await lockWhatIsBeside(transaction, block, expectedOnly);
  const rows = await transaction.query(selectDecided(decisions, block.context, expectedOnly));
  if (rows.some(({ beside }) => beside?.some(({ house }) => guarded?.has(house) === false))) {
    throw new ChangedMeanwhileError('other goods were lodged beside meanwhile');
  }
  const [first] = rows;
  if (first === undefined) return { results: [], appended: null };
  const context = { ...block.context, at: first.now };
  const compared = compareDecisions(decisions, rows, context, onlyUndecided);
  const { results, changes, affected, otherSignals } = compared;
  // Before the locks were taken, goods were presented or told a second time, or their declaration was changed.
  if ([...affected].some((organisation) => !locked.has(organisation))) {
    throw new ChangedMeanwhileError('another organisation was connected meanwhile');
  }
  if (changes.length === 0 && step === undefined) return { results, appended: null };
  const { at, organisation, clientId, requestId, profile, run } = context;
  const record = openRecord({
    at,
    actor: { organisation, client: clientId },
    requestId,
    action: 'routing.decide',
    details: {
      decisions: changes.length,
      signals: countSignals(results) + otherSignals,
      ...(profile && { profile }),
      ...(run && { run }),
    },
  });
  let appended: string | null = null;
  if (changes.length === 0) {
    await transaction.query(keepDecisionRecord(record));
  } else {
    const [written] = await transaction.query(writeDecisions(changes, context, record));
    appended = written?.appended ?? null;
  }
  await step?.end(transaction, decisions, results);
  await transaction.query(appendKeptRecord);
  return { results, appended };
}

/** Waits for whoever lodges goods beside those that an officer or a system sends to control; gives what was guarded so. */
async function lockWhatIsBeside(
  transaction: FeedTransaction,
  { decisions, context }: Block,
  expectedOnly: boolean,
): Promise<ReadonlySet<string> | undefined> {
  const controls = decisions.filter(({ routing }) => holds(routing));
  if (controls.length === 0 || !isByOfficerOrEngine(context)) return undefined;
  const [row] = await transaction.query(lockBeside(controls, expectedOnly));
  return new Set(row?.houses);
}

/** How many signals the decisions of a block issue. */
export function countSignals(results: readonly DecisionResult[]): number {
  return results.reduce(
    (sum, result) => sum + (result.status === 'DECIDED' ? result.signals : 0),
    0,
  );
}

/** Locks the affected organisations; if one is held, the error names the decisions that affect it. */
async function lockOrNameHeld(
  transaction: FeedTransaction,
  { decisions, context, onlyUndecided }: Block,
  expectedOnly: boolean,
): Promise<readonly number[]> {
  try {
    return await transaction.lock((waitMs) =>
      lockAffected(decisions, context, onlyUndecided, expectedOnly, waitMs),
    );
  } catch (error) {
    if (error instanceof OrganisationHeldError) {
      const { organisation } = error;
      const rows = await transaction.query(selectDecided(decisions, context, expectedOnly));
      error.held = new Set(
        rows.flatMap(({ others, beside, ...row }, index) =>
          [row, ...(others ?? []), ...(beside ?? [])].some(
            ({ parties, recipients }) =>
              parties.includes(organisation) || recipients.includes(organisation),
          )
            ? index
            : [],
        ),
      );
    }
    throw error;
  }
}
