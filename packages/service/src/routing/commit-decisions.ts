// Commits blocks of decisions, each in one transaction with its audit record.
import type { AuditTrail } from '../audit/audit-trail.js';
import { Batch, Postponed } from '../database/batch.js';
import type { Database, Transaction } from '../database/database.js';
import { isRetryable } from '../database/errors.js';
import {
  lockOrganisations,
  OrganisationHeldError,
  OrganisationReleases,
  requireLocked,
} from '../feed/organisation-locks.js';
import type { FeedWatch } from '../feed/watch-feeds.js';
import type { DecisionContext } from './decision-context.js';
import {
  commitDecisions,
  type Decision,
  type DecisionRow,
  lockAffected,
} from './decision-queries.js';
import { routingSignals } from './signal-feed.js';

/** Maximum number of decisions in one transaction. */
export const MAX_DECISIONS_PER_BLOCK = 2000;

/** How often a block is tried when organisations are connected meanwhile, before its error is reported. */
const MAX_ATTEMPTS = 20;

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
  readonly #audit: AuditTrail;
  readonly #releases: OrganisationReleases;
  readonly #blocks: Batch<Block, DecisionRow[]>;
  /** The organisation for which a block has waited. */
  readonly #held = new WeakMap<Block, number>();

  constructor(database: Database, watch: FeedWatch, audit: AuditTrail) {
    this.#database = database;
    this.#watch = watch;
    this.#audit = audit;
    this.#releases = new OrganisationReleases(database.lookUps);
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
   * Commits a block of at most MAX_DECISIONS_PER_BLOCK and returns a row for each decision, in order. Afterwards the
   * signals are readable.
   *
   * @throws DatabaseUnavailableError when the commit failed or its outcome is unknown
   * @throws OverloadedError when the block waited too long
   */
  async commit(block: Block): Promise<DecisionRow[]> {
    if (block.decisions.length === 0) return [];
    const rows = await this.#blocks.submit(block);
    this.#watch.wake(routingSignals, rows[0]?.signalled ?? []);
    return rows;
  }

  /** Postpones a block that affects an organisation which another transaction holds; other blocks are not delayed. */
  async #commitOrPostpone(block: Block): Promise<DecisionRow[] | Postponed> {
    try {
      return await this.#commitWithRetries(block);
    } catch (error) {
      if (!(error instanceof OrganisationHeldError)) throw error;
      this.#held.set(block, error.organisation);
      return new Postponed(this.#releases.wait(error.organisation));
    }
  }

  /** One transaction. It is run again if an organisation was connected before the locks were taken. */
  async #commitWithRetries(block: Block): Promise<DecisionRow[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#database.transact((transaction) =>
          recordBlock(transaction, this.#audit, block, this.#held.get(block)),
        );
      } catch (error) {
        const retryable = error instanceof UnlockedOrganisationError || isRetryable(error);
        if (!retryable || attempt >= MAX_ATTEMPTS) throw error;
      }
    }
  }
}

/** Rolls back a block that affects an organisation which is not locked. */
class UnlockedOrganisationError extends Error {
  override name = 'UnlockedOrganisationError';
}

async function recordBlock(
  transaction: Transaction,
  audit: AuditTrail,
  { decisions, context, onlyUndecided }: Block,
  held: number | undefined,
): Promise<DecisionRow[]> {
  if (held !== undefined) await lockOrganisations(transaction, [held], held);
  const [{ organisations, locked } = { organisations: [], locked: [] }] = await transaction.query<{
    organisations: number[];
    locked: number[];
  }>(lockAffected(decisions, onlyUndecided));
  requireLocked(organisations, locked);
  const rows = await transaction.query<DecisionRow>(
    commitDecisions(decisions, locked, context, onlyUndecided),
  );
  if (rows.length === 0)
    throw new UnlockedOrganisationError('another organisation was connected meanwhile');
  const changed = rows.filter((row) => row.changed).length;
  if (changed > 0) {
    const { at, organisation, clientId, requestId, profile } = context;
    await audit.record(transaction, {
      at,
      actor: { organisation, client: clientId },
      requestId,
      action: 'routing.decide',
      details: {
        decisions: changed,
        signals: rows.reduce((sum, { signals }) => sum + signals, 0),
        ...(profile && { profile }),
        appended: rows[0]?.appended ?? {},
      },
    });
  }
  return rows;
}
