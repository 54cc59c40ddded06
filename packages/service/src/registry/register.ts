// Registers pre-notified declarations and house consignments in three steps: read what exists, compare, write.
import type { HouseConsignmentCounts, ValidationError } from '@landfall/contract';
import type { Database, Lane, Transaction } from '../database/database.js';
import { type FeedTransaction, transactOnFeeds } from '../feed/transact-on-feeds.js';
import type { RegistrationContext } from '../routing/decision-context.js';
import {
  type Change,
  changesExisting,
  compareWithExisting,
  isUnchanged,
} from './compare-with-existing.js';
import { lockDeclarations, selectOrganisationIds } from './existing-queries.js';
import { findConflicts } from './find-conflicts.js';
import { readExisting } from './read-existing.js';
import type { Incoming } from './read-incoming.js';
import { type WriteContext, writeChanges } from './write-changes.js';

/** What registering needs. */
export type Registry = WriteContext & { database: Database };

/** What was registered. */
export type Registered = {
  status: 'REGISTERED' | 'CHANGED' | 'UNCHANGED';
  /** Members of the declaration that changed; left out if none did. */
  changed?: string[];
  houseConsignments: HouseConsignmentCounts;
};

/** What was registered, or every conflict, in which case nothing of the entry was. */
export type RegistrationOutcome = Registered | { errors: readonly ValidationError[] };

/**
 * Registers entries in one transaction and gives the outcome of each: an entry is registered as a whole or refused as a
 * whole. No two entries may be about the same house consignment or the members of the same ENS.
 *
 * @throws DatabaseUnavailableError if it is unknown whether they were registered
 */
export async function register(
  registry: Registry,
  incoming: readonly Incoming[],
  context: RegistrationContext,
  lane?: Lane,
): Promise<RegistrationOutcome[]> {
  return transactOnFeeds(
    registry.database,
    async (transaction) => {
      const changes = await lockAndCompare(transaction, incoming);
      const conflicts = await findConflicts(transaction, changes);
      const accepted = changes.filter((change) => !conflicts.has(change));
      await writeChanges(transaction, accepted, registry, context);
      return changes.map((change) => {
        const errors = conflicts.get(change);
        return errors === undefined ? toRegistered(change) : { errors };
      });
    },
    lane,
  );
}

/**
 * Every registration takes its locks in this order: declarations by MRN, then organisations by number. With the first
 * locks, nobody else can change these declarations, but their goods can be presented; with the second, they cannot.
 */
async function lockAndCompare(
  transaction: FeedTransaction,
  incoming: readonly Incoming[],
): Promise<Change[]> {
  const mrns = [...new Set(incoming.map(({ mrn }) => mrn))];
  await transaction.query(lockDeclarations(mrns));
  const changes = compareWithExisting(incoming, await readExisting(transaction, incoming));
  // What is refused changes nothing. Conflicts stay: presented goods can be decided, and no longer changed.
  const conflicts = await findConflicts(transaction, changes);
  const changing = changes.filter((change) => changesExisting(change) && !conflicts.has(change));
  if (changing.length === 0) return changes;
  await transaction.lock(await findAffectedOrganisations(transaction, changing));
  return compareWithExisting(incoming, await readExisting(transaction, incoming));
}

/** The organisations that every presenter of these goods locks: the parties before and after the change. */
async function findAffectedOrganisations(
  transaction: Transaction,
  changes: readonly Change[],
): Promise<number[]> {
  const parties = changes.flatMap(({ incoming: { declaration }, members }) =>
    declaration === undefined || members.length === 0
      ? []
      : [declaration.declarant, declaration.representative ?? []].flat(),
  );
  const rows =
    parties.length === 0
      ? []
      : await transaction.query(selectOrganisationIds([...new Set(parties)]));
  return [
    ...changes.flatMap(({ existing }) => existing?.organisations ?? []),
    ...rows.map(({ id }) => id),
  ];
}

function toRegistered(change: Change): Registered {
  const { incoming, existing, members, added, changed, removed, unchanged } = change;
  const isNew = incoming.declaration === undefined ? added.length > 0 : existing === undefined;
  return {
    status: isNew ? 'REGISTERED' : isUnchanged(change) ? 'UNCHANGED' : 'CHANGED',
    ...(members.length > 0 && { changed: [...members] }),
    houseConsignments: {
      added: added.length,
      changed: changed.length,
      removed: removed.length,
      unchanged,
    },
  };
}
