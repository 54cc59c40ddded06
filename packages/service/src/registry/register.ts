// Registers what is pre-notified: the rule of what is added, changed and removed, and what is refused.
import type {
  HouseConsignmentCounts,
  PreNotifiedHouseConsignment,
  ValidationError,
} from '@landfall/contract';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Database, Lane, Transaction } from '../database/database.js';
import { lockOrganisations } from '../feed/organisation-locks.js';
import type { DecideNew } from '../routing/decide-new.js';
import { insertDeclarations, insertOrganisations } from './change-queries.js';
import {
  type Comparison,
  compareRegistrables,
  contradictions,
  findStanding,
  isContested,
} from './compare-registrables.js';
import {
  type DeclarationMembers,
  namedOrganisations,
  type Registrable,
} from './entry-summary-declaration.js';
import { lockDeclarations, selectOrganisationIds } from './queries.js';
import type { Registered, Registration, RegistrationOutcome } from './registration.js';
import { DeclarationTakenError, transactAgain } from './run-again.js';
import { type WriteContext, writeChanges } from './write-changes.js';

/**
 * Registers, in one transaction: each by itself is registered whole or refused whole. None of them may say of a
 * house consignment, or of the members of an ENS, what another one says too. Wire contract, section 7.
 *
 * @throws DatabaseUnavailableError when it cannot be known whether they were registered
 */
export type Register = (
  registrables: readonly Registrable[],
  registration: Registration,
  lane?: Lane,
) => Promise<RegistrationOutcome[]>;

/**
 * Makes the operation.
 *
 * @param mintId gives the ids of the house consignments; ids minted later sort later
 * @param decideNew decides on what is new and came without a decision; left out, it stays undecided
 */
export function makeRegister(
  database: Database,
  audit: AuditTrail,
  mintId: () => string,
  decideNew?: DecideNew,
): Register {
  return (registrables, registration, lane) =>
    transactAgain(
      database,
      (transaction) =>
        registerOnce(transaction, registrables, { registration, audit, mintId, decideNew }),
      lane,
    );
}

/**
 * Locks are taken in this order by all who register: declarations by MRN, then organisations by number. So what is
 * read under the first does not change but by a presentation, and under the second not even by that.
 */
async function registerOnce(
  transaction: Transaction,
  registrables: readonly Registrable[],
  context: WriteContext,
): Promise<RegistrationOutcome[]> {
  const mrns = [...new Set(registrables.map(({ mrn }) => mrn))];
  await transaction.query(lockDeclarations(mrns));
  const standing = await findStanding(transaction, mrns);
  let comparisons = await compareRegistrables(transaction, registrables, standing);
  const contested = comparisons.filter(isContested);
  if (contested.length > 0) {
    await lockOrganisations(transaction, await findAffected(transaction, contested));
    comparisons = await compareRegistrables(transaction, registrables, standing);
  }

  const declared = new Set(
    registrables.flatMap(({ mrn, declaration }) => (declaration === undefined ? [] : [mrn])),
  );
  const judged = comparisons.map((comparison) => ({
    comparison,
    errors: judge(comparison, declared),
  }));
  const accepted = judged.flatMap(({ comparison, errors }) =>
    errors.length === 0 ? [comparison] : [],
  );
  const added = await addDeclarations(transaction, accepted);
  await writeChanges(transaction, accepted, added, context);
  return judged.map(({ comparison, errors }) =>
    errors.length > 0 ? { errors } : outcomeOf(comparison),
  );
}

/** The organisations that a presenter of these goods would hold, and those that would come in their place. */
async function findAffected(
  transaction: Transaction,
  contested: readonly Comparison[],
): Promise<number[]> {
  const named = contested.flatMap(({ registrable: { declaration }, changed }) =>
    declaration !== undefined && changed.length > 0 ? organisationsOf(declaration) : [],
  );
  const rows =
    named.length === 0
      ? []
      : await transaction.query<{ id: number }>(selectOrganisationIds([...new Set(named)]));
  return [
    ...contested.flatMap(({ standing }) => standing?.organisations ?? []),
    ...rows.map(({ id }) => id),
  ];
}

function organisationsOf({ declarant, representative }: DeclarationMembers): string[] {
  return representative === undefined ? [declarant] : [declarant, representative];
}

/** @param declared the MRNs that are declared beside */
function judge(comparison: Comparison, declared: ReadonlySet<string>): ValidationError[] {
  const { registrable, standing } = comparison;
  if (standing === undefined && !declared.has(registrable.mrn)) {
    return [
      {
        field: 'mrn',
        error: 'no such entry summary declaration is pre-notified',
        code: 'REFERENCE_NOT_FOUND',
      },
    ];
  }
  return contradictions(comparison);
}

/**
 * Adds the declarations that are new, and makes known the organisations that they or changed ones name.
 *
 * @returns the ids of the new ones by MRN
 */
async function addDeclarations(
  transaction: Transaction,
  accepted: readonly Comparison[],
): Promise<Map<string, number>> {
  const told = accepted.flatMap(({ registrable: { declaration }, standing, changed }) =>
    declaration !== undefined && (standing === undefined || changed.length > 0)
      ? [{ declaration, isNew: standing === undefined }]
      : [],
  );
  if (told.length === 0) return new Map();
  const named = told.flatMap(({ declaration }) => namedOrganisations(declaration));
  await transaction.query(insertOrganisations([...new Set(named)]));
  const fresh = told.flatMap(({ declaration, isNew }) => (isNew ? [declaration] : []));
  if (fresh.length === 0) return new Map();
  const rows = await transaction.query<{ id: number; mrn: string }>(insertDeclarations(fresh));
  if (rows.length < fresh.length) throw new DeclarationTakenError('registered by somebody else');
  return new Map(rows.map(({ id, mrn }) => [mrn, id]));
}

function outcomeOf({ registrable, standing, changed, houses, others }: Comparison): Registered {
  const counts = countHouses(registrable.houses, houses, others.length);
  const isNew = registrable.declaration === undefined ? counts.added > 0 : standing === undefined;
  const isChanged =
    changed.length > 0 || counts.added > 0 || counts.changed > 0 || counts.removed > 0;
  return {
    status: isNew ? 'REGISTERED' : isChanged ? 'CHANGED' : 'UNCHANGED',
    changed,
    houses: counts,
  };
}

function countHouses(
  told: readonly PreNotifiedHouseConsignment[],
  standing: Comparison['houses'],
  removed: number,
): HouseConsignmentCounts {
  let changed = 0;
  let unchanged = 0;
  for (const house of standing) {
    if (house === undefined) continue;
    if (house.changed.length > 0) changed++;
    else unchanged++;
  }
  return { added: told.length - changed - unchanged, changed, removed, unchanged };
}
