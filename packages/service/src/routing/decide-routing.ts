// Decides where house consignments go: the rule of what is recorded and who is told.
import {
  type RoutingDecision,
  type RoutingDecisionResult,
  referenceError,
  type ValidationError,
} from '@landfall/contract';
import type { AuditTrail } from '../audit/audit-trail.js';
import { Batch, Postponed } from '../database/batch.js';
import type { Database, Transaction } from '../database/database.js';
import { isRetryable } from '../database/errors.js';
import {
  OrganisationHeldError,
  OrganisationReleases,
  requireLocked,
} from '../feed/organisation-locks.js';
import type { FeedWatch } from '../feed/watch-feeds.js';
import type { DecidedBy } from './decided-by.js';
import {
  commitDecisions,
  type Decided,
  type DecisionRow,
  lockAffected,
  type Reached,
  reachById,
  reachByReference,
} from './decision-queries.js';
import type { ReadDecision } from './read-decision.js';
import { routingSignals } from './signal-feed.js';

/** Most decisions in one transaction. */
export const DECISIONS_A_BLOCK = 2000;

/** How often a block starts over because somebody presented meanwhile, before its error is reported. */
const MAX_STARTS = 20;

/** How long a block may wait for those before it and for organisations that others hold, in milliseconds. */
const MAX_WAIT_MS = 60_000;

/** What became of a decision, without its line. */
export type DecisionOutcome = Omit<RoutingDecisionResult, 'line'>;

/** One decision with who made it. */
type Block = { reached: Reached; decided: Decided; by: DecidedBy; onlyUndecided: boolean };

/** Decides for all who call this server. */
export type DecideRouting = {
  /**
   * Records a block of decisions in one transaction and gives what became of each, in order. A decision that changes
   * what stands issues a signal to every organisation connected to the consignment; the same again writes nothing.
   * It answers after the commit: the signals are readable. Wire contract, section 7.
   *
   * @param read at most DECISIONS_A_BLOCK, each with what it says or what is wrong with it, which then is its outcome
   * @throws DatabaseUnavailableError when it cannot be known whether it was committed, or could not be begun
   */
  decide(read: readonly ReadDecision[], by: DecidedBy): Promise<DecisionOutcome[]>;
  /** The same for house consignments by their ids; leaves alone what has been decided meanwhile. */
  decideUndecided(ids: readonly string[], decided: Decided, by: DecidedBy): Promise<DecisionRow[]>;
};

/** Makes the operation. Blocks of this server go one after the other: they would only wait for each other's locks. */
export function makeDecideRouting(
  database: Database,
  watch: FeedWatch,
  audit: AuditTrail,
): DecideRouting {
  const releases = new OrganisationReleases(database.lookUps);
  // A block that has to wait for an organisation goes again when it is free, and holds up no other meanwhile.
  const commit = async (block: Block) => {
    try {
      return await commitBlock(database, audit, block);
    } catch (error) {
      if (!(error instanceof OrganisationHeldError)) throw error;
      return new Postponed(releases.wait(error.organisation));
    }
  };
  const blocks = new Batch<Block, DecisionRow[]>(
    (submitted) => Promise.all(submitted.map((block) => commit(block))),
    { maxBatchSize: 1, maxWaitMs: MAX_WAIT_MS, ownerOf: ({ by }) => by.organisationId },
  );
  const submit = async (block: Block) => {
    const rows = await blocks.submit(block);
    watch.wake(routingSignals, rows[0]?.signalled ?? []);
    return rows;
  };
  return {
    decide: async (read, by) => {
      const decisions = read.flatMap((one) => ('decision' in one ? one.decision : []));
      const rows =
        decisions.length === 0
          ? []
          : await submit({
              reached: reachByReference(decisions),
              decided: toDecided(decisions),
              by,
              onlyUndecided: false,
            });
      const outcomes = rows.values();
      return read.map((one) =>
        'decision' in one ? tellOutcome(outcomes.next().value) : refused(one.errors),
      );
    },
    decideUndecided: async (ids, decided, by) =>
      ids.length === 0 ? [] : submit({ reached: reachById(ids), decided, by, onlyUndecided: true }),
  };
}

/** One transaction; begun anew when somebody has presented between finding whom it affects and the locks. */
async function commitBlock(
  database: Database,
  audit: AuditTrail,
  block: Block,
): Promise<DecisionRow[]> {
  for (let start = 1; ; start++) {
    try {
      return await database.transact((transaction) => recordBlock(transaction, audit, block));
    } catch (error) {
      if (!(error instanceof AffectsOthersError || isRetryable(error)) || start >= MAX_STARTS) {
        throw error;
      }
    }
  }
}

/** Rolls the block back: it affects an organisation whose lock it does not hold. */
class AffectsOthersError extends Error {
  override name = 'AffectsOthersError';
}

async function recordBlock(
  transaction: Transaction,
  audit: AuditTrail,
  { reached, decided, by, onlyUndecided }: Block,
): Promise<DecisionRow[]> {
  const [{ organisations, locked } = { organisations: [], locked: [] }] = await transaction.query<{
    organisations: number[];
    locked: number[];
  }>(lockAffected(reached));
  requireLocked(organisations, locked);
  const rows = await transaction.query<DecisionRow>(
    commitDecisions(reached, decided, locked, by, onlyUndecided),
  );
  if (rows.length === 0) throw new AffectsOthersError('somebody has presented meanwhile');
  const decisions = rows.filter(({ changed }) => changed).length;
  if (decisions > 0) {
    const { at, organisation, clientId, requestId, profile } = by;
    const signals = rows.reduce((sum, row) => sum + row.signals, 0);
    await audit.record(transaction, {
      at,
      actor: { organisation, client: clientId },
      requestId,
      action: 'routing.decide',
      details: {
        decisions,
        signals,
        ...(profile && { profile }),
        appended: JSON.parse(rows[0]?.appended ?? '{}') as unknown,
      },
    });
  }
  return rows;
}

function toDecided(decisions: readonly RoutingDecision[]): Decided {
  return {
    routing: decisions.map(({ routing }) => routing),
    routingControlLocation: decisions.map(
      ({ routingControlLocation }) => routingControlLocation ?? null,
    ),
    reason: decisions.map(({ reason }) => reason ?? null),
    rule: decisions.map(() => null),
  };
}

function tellOutcome(row: DecisionRow | undefined): DecisionOutcome {
  if (row === undefined) throw new Error('a block gave fewer outcomes than decisions');
  const { houses, house, changed, signals } = row;
  if (house === null) {
    const problem = houses === 0 ? 'REFERENCE_NOT_FOUND' : 'REFERENCE_AMBIGUOUS';
    return refused([referenceError('house-consignment', problem)]);
  }
  return { status: changed ? 'DECIDED' : 'UNCHANGED', houseConsignmentId: house, signals };
}

function refused(errors: readonly ValidationError[]): DecisionOutcome {
  return { status: 'REFUSED', validationErrors: [...errors] };
}
