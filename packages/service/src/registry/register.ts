// Registers pre-notified declarations and house consignments in three steps: read what exists, compare, write.
import type { HouseConsignmentCounts, ValidationError } from '@landfall/contract';
import type { Database, Lane, Transaction } from '../database/database.js';
import {
  type FeedTransaction,
  HeldWork,
  OrganisationHeldError,
  transactOnFeeds,
  tryOnFeeds,
} from '../feed/transact-on-feeds.js';
import type { RegistrationContext } from '../routing/decision-context.js';
import { namedOtherwise } from './change-declaration.js';
import {
  type Change,
  changesExisting,
  compareWithExisting,
  isUnchanged,
} from './compare-with-existing.js';
import { checkEtag, type DeclarationPrecondition } from './declaration-etag.js';
import { DeclarationHeldError, lockExisting } from './declaration-locks.js';
import { selectOrganisationIds } from './declaration-queries.js';
import { declarationNotFound, findConflicts } from './find-conflicts.js';
import { kindOf, readExisting } from './read-existing.js';
import type { Incoming } from './read-incoming.js';
import { type AfterCommit, type WriteContext, writeChanges } from './write-changes.js';

/** What registering needs. */
export type Registry = WriteContext & { database: Database };

/** What was registered. */
export type Registered = {
  status: 'REGISTERED' | 'CHANGED' | 'UNCHANGED' | 'OUTDATED';
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
 * @param maxWaitMs for how long they wait for what others hold
 * @throws DatabaseUnavailableError if it is unknown whether they were registered
 * @throws HeldTooLongError, with the indexes of the entries that need what is held
 */
export async function register(
  registry: Registry,
  incoming: readonly Incoming[],
  context: RegistrationContext,
  lane: Lane = 'writes',
  maxWaitMs?: number,
): Promise<RegistrationOutcome[]> {
  const { outcomes, afterCommit } = await transactOnFeeds(
    registry.database,
    (transaction) => writeIn(transaction, registry, incoming, context),
    lane,
    maxWaitMs,
  );
  await afterCommit?.();
  return outcomes;
}

/**
 * The same, but does not wait for what is held: nothing was done then.
 *
 * @throws DeclarationChangedError if a declaration that would change is not in the state of the precondition
 */
export async function tryRegister(
  registry: Registry,
  incoming: readonly Incoming[],
  context: RegistrationContext,
  { precondition, attempts }: { precondition: DeclarationPrecondition; attempts: object },
): Promise<RegistrationOutcome[] | HeldWork> {
  const written = await tryOnFeeds(
    registry.database,
    (transaction) => writeIn(transaction, registry, incoming, context, precondition),
    { lane: 'writes', attempts },
  );
  if (written instanceof HeldWork) return written;
  await written.afterCommit?.();
  return written.outcomes;
}

/**
 * Registers entries in a transaction, as `register` does. They are all ENS, or one that was lodged. What has arrived is
 * presented by whoever calls it, after the commit.
 */
export async function registerIn(
  transaction: FeedTransaction,
  registry: Omit<Registry, 'arrived'>,
  incoming: readonly Incoming[],
  context: RegistrationContext,
): Promise<RegistrationOutcome[]> {
  const { outcomes } = await writeIn(transaction, registry, incoming, context);
  return outcomes;
}

async function writeIn(
  transaction: FeedTransaction,
  registry: Registry,
  incoming: readonly Incoming[],
  context: RegistrationContext,
  precondition: DeclarationPrecondition = 'any',
): Promise<{ outcomes: RegistrationOutcome[]; afterCommit: AfterCommit | undefined }> {
  const changes = await lockAndCompare(transaction, incoming);
  // A request of which everything is stored already is not refused: it may have been sent again.
  for (const change of changes) {
    if (!isUnchanged(change)) checkEtag(change.incoming.mrn, change.existing, precondition);
  }
  const current = changes.filter(isCurrent);
  const conflicts = await findErrors(transaction, current);
  const accepted = current.filter((change) => !conflicts.has(change));
  const afterCommit = await writeChanges(transaction, accepted, registry, context);
  const outcomes = changes.map((change) => {
    const errors = conflicts.get(change);
    return errors === undefined ? toRegistered(change) : { errors };
  });
  return { outcomes, afterCommit };
}

/**
 * Every registration takes its locks in this order: declarations by MRN, then organisations by number. With the first
 * locks, nobody else can change these declarations, but their goods can be presented; with the second, they cannot.
 */
async function lockAndCompare(
  transaction: FeedTransaction,
  incoming: readonly Incoming[],
): Promise<Change[]> {
  const requireLocked = await lockMrns(transaction, incoming);
  const compare = async () => {
    const existing = await readExisting(transaction, incoming);
    requireLocked(existing.declarations.keys());
    return compareWithExisting(incoming, existing);
  };
  const changes = await compare();
  // What is refused changes nothing. Conflicts stay: presented goods can be decided, and no longer changed.
  const current = changes.filter(isCurrent);
  const conflicts = await findErrors(transaction, current);
  const changing = current.filter((change) => changesExisting(change) && !conflicts.has(change));
  if (changing.length === 0 && transaction.foundBefore === undefined) return changes;
  await lockAffected(transaction, changing, incoming);
  return compare();
}

/** What is older than what is kept breaks no rule, and no other entry sees anything of it. */
function isCurrent({ outdated }: Change): boolean {
  return !outdated;
}

/** Whether it registers an ENS that does not exist, or was withdrawn. */
function isNew({ incoming: { declaration }, existing }: Change): boolean {
  return declaration !== undefined && (existing === undefined || existing.withdrawn);
}

/** Every error of each change that has one: conflicts, and a new office that is not in the list. */
async function findErrors(
  transaction: Transaction,
  changes: readonly Change[],
): Promise<Map<Change, readonly ValidationError[]>> {
  const errors = await findConflicts(transaction, changes);
  for (const change of changes) {
    const { officeErrors = [], declaration } = change.incoming;
    const office = change.existing?.members.customsOfficeOfFirstEntry;
    if (officeErrors.length === 0 || office === declaration?.customsOfficeOfFirstEntry) continue;
    errors.set(change, [...officeErrors, ...(errors.get(change) ?? [])]);
  }
  // An ENS that is refused does not come into being, so goods on lines of their own have none.
  const refused = new Set(
    changes.flatMap((change) => (isNew(change) && errors.has(change) ? change.incoming.mrn : [])),
  );
  for (const change of changes) {
    const { declaration, mrn } = change.incoming;
    if (declaration === undefined && refused.has(mrn)) errors.set(change, [declarationNotFound]);
  }
  return errors;
}

async function lockMrns(
  transaction: FeedTransaction,
  incoming: readonly Incoming[],
): Promise<(read: Iterable<string>) => void> {
  try {
    const mrns = [...new Set(incoming.map(({ mrn }) => mrn))];
    return await lockExisting(transaction, mrns, kindOf(incoming));
  } catch (error) {
    if (error instanceof DeclarationHeldError) {
      error.held = indexesWhere(incoming, ({ mrn }) => mrn === error.mrn);
    }
    throw error;
  }
}

/** Locks the organisations that every presenter of these goods locks, and those who become or cease to be one. */
async function lockAffected(
  transaction: FeedTransaction,
  changing: readonly Change[],
  incoming: readonly Incoming[],
): Promise<void> {
  const named = new Set(changing.flatMap(partiesAfter));
  const rows = named.size === 0 ? [] : await transaction.query(selectOrganisationIds([...named]));
  const ids = new Map(rows.map(({ id, identifier }) => [identifier, id]));
  const affectedBy = (change: Change) => [
    ...(change.existing?.organisations ?? []),
    ...partiesAfter(change).flatMap((party) => ids.get(party) ?? []),
  ];
  try {
    await transaction.lock(changing.flatMap(affectedBy));
  } catch (error) {
    if (error instanceof OrganisationHeldError) {
      const { organisation } = error;
      const held = changing.filter((change) => affectedBy(change).includes(organisation));
      const entries = new Set(held.map((change) => change.incoming));
      const isForOthers = (house: object) =>
        transaction.foundBefore?.get(house)?.organisations.includes(organisation) === true;
      error.held = indexesWhere(
        incoming,
        (entry) => entries.has(entry) || entry.houses.some(isForOthers),
      );
    }
    throw error;
  }
}

/**
 * The declarant and the representative that a change of the declaration itself names, and who may present its goods only
 * since then or not any more: each locks its own feed when it presents.
 */
function partiesAfter({ incoming: { declaration }, existing, members }: Change): string[] {
  return declaration === undefined || members.length === 0
    ? []
    : [
        declaration.declarant,
        declaration.representative ?? [],
        existing === undefined ? [] : namedOtherwise(existing.members, declaration),
      ].flat();
}

function indexesWhere<Entry>(
  entries: readonly Entry[],
  isMeant: (entry: Entry) => boolean,
): Set<number> {
  return new Set(entries.flatMap((entry, index) => (isMeant(entry) ? index : [])));
}

function toRegistered(change: Change): Registered {
  const { members, added, returned, changed, removed, unchanged } = change;
  return {
    status: statusOf(change),
    ...(members.length > 0 && { changed: [...members] }),
    houseConsignments: {
      added: added.length + returned.length,
      changed: changed.length,
      removed: removed?.houses ?? 0,
      unchanged,
    },
  };
}

function statusOf(change: Change): Registered['status'] {
  const { incoming, added, returned, outdated } = change;
  if (outdated) return 'OUTDATED';
  const registers =
    incoming.declaration === undefined ? added.length + returned.length > 0 : isNew(change);
  if (registers) return 'REGISTERED';
  return isUnchanged(change) ? 'UNCHANGED' : 'CHANGED';
}
