// Commits blocks of decisions, each in one transaction with its audit record.
import { openRecord } from '../audit/audit-entry.js';
import { Batch, type Postponed } from '../database/batch.js';
import type { Database } from '../database/database.js';
import {
  ChangedMeanwhileError,
  type FeedTransaction,
  tryOnFeeds,
} from '../feed/transact-on-feeds.js';
import type { FeedWatch } from '../feed/watch-feeds.js';
import { compareDecisions, type Decision, type DecisionResult } from './compare-decisions.js';
import type { DecisionContext } from './decision-context.js';
import { lockAffected, selectDecided, writeDecisions } from './decision-queries.js';

/** Maximum number of decisions in one transaction. */
export const MAX_DECISIONS_PER_BLOCK = 2000;

/** How long a block may wait for earlier blocks and for locked organisations, in milliseconds. */
const MAX_WAIT_MS = 60_000;

type Block = {
  decisions: readonly Decision[];
  context: DecisionContext;
  /** Whether house consignments that already have a decision are skipped. */
  onlyUndecided: boolean;
};

/** Commits decisions for all callers of this server, one block at a time: blocks would wait for each other's locks. */
export class DecisionCommits {
  readonly #database: Database;
  readonly #watch: FeedWatch;
  readonly #blocks: Batch<Block, DecisionResult[]>;

  constructor(database: Database, watch: FeedWatch) {
    this.#database = database;
    this.#watch = watch;
    this.#blocks = new Batch(
      (blocks) => Promise.all(blocks.map((block) => this.#commitOrPostpone(block))),
      {
        maxBatchSize: 1,
        maxWaitMs: MAX_WAIT_MS,
        ownerOf: ({ context }) => context.organisationId,
        measured: { by: database.batches, as: 'routing-decisions' },
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
    return block.decisions.length === 0 ? [] : this.#blocks.submit(block);
  }

  /** Postpones a block that affects an organisation which another transaction holds; other blocks are not delayed. */
  async #commitOrPostpone(block: Block): Promise<DecisionResult[] | Postponed> {
    let appended: string | null | undefined;
    const work = async (transaction: FeedTransaction) => {
      const written = await decide(transaction, block);
      appended = written.appended;
      return written.results;
    };
    const results = await tryOnFeeds(this.#database, work, { attempts: block });
    this.#watch.wakeAppended(appended);
    return results;
  }
}

/** Locks whom a block affects, reads what it is about, and writes what it changes. */
async function decide(
  transaction: FeedTransaction,
  { decisions, context, onlyUndecided }: Block,
): Promise<{ results: DecisionResult[]; appended: string | null }> {
  const locked = new Set(await transaction.lock(lockAffected(decisions, onlyUndecided)));
  const rows = await transaction.query(selectDecided(decisions));
  const { results, changes, affected } = compareDecisions(decisions, rows, onlyUndecided);
  // Before the locks were taken, goods were presented, or their declaration was changed.
  if ([...affected].some((organisation) => !locked.has(organisation))) {
    throw new ChangedMeanwhileError('another organisation was connected meanwhile');
  }
  if (changes.length === 0) return { results, appended: null };
  const { at, organisation, clientId, requestId, profile } = context;
  const record = openRecord({
    at,
    actor: { organisation, client: clientId },
    requestId,
    action: 'routing.decide',
    details: {
      decisions: changes.length,
      signals: results.reduce((sum, { signals }) => sum + signals, 0),
      ...(profile && { profile }),
    },
  });
  const [written] = await transaction.query(writeDecisions(changes, context, record));
  return { results, appended: written?.appended ?? null };
}
