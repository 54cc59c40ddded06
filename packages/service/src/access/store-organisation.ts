// Stores an organisation as it is after a change, in one transaction, if it has the state that was to be changed.
import { isDeepStrictEqual } from 'node:util';
import {
  identifierKey,
  type OrganisationClient,
  type OrganisationEntry,
  type ValidationError,
} from '@landfall/contract';
import type { AuditContext } from '../audit/audit-entry.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Database, Transaction } from '../database/database.js';
import { publicMembers } from './check-key.js';
import { checkBlocksKept } from './check-organisation.js';
import { getOrganisation } from './get-organisation.js';
import type { OrganisationState } from './organisation-queries.js';
import {
  addNumbers,
  addScopes,
  keepClients,
  putClient,
  removeOtherClients,
  removeOtherNumbers,
  removeOtherScopes,
  selectTakenNumbers,
  updateOrganisation,
} from './organisation-queries.js';

/** The organisation after the change, or every broken rule. */
export type OrganisationPut =
  | { organisation: OrganisationState }
  | { errors: readonly ValidationError[] };

/**
 * In which state the organisation must be: any, not registered yet, missing, or existing and such that the function returns
 * `true`.
 */
export type Precondition =
  | 'any'
  | 'not registered'
  | 'missing'
  | ((current: OrganisationState) => boolean);

/** The organisation has another state than the one that was to be replaced. Nothing was changed. */
export class OrganisationChangedError extends Error {
  readonly code = 'ORGANISATION_CHANGED';
  override name = 'OrganisationChangedError';

  constructor(id: string) {
    super(`The organisation ${id} has changed since it was read, or does not exist: read it again`);
  }
}

/** The organisation that was to be created exists. Nothing was changed. */
export class OrganisationExistsError extends Error {
  readonly code = 'ORGANISATION_EXISTS';
  override name = 'OrganisationExistsError';

  constructor(id: string) {
    super(`There is an organisation ${id} already: read it, and replace it with If-Match`);
  }
}

/** A registered organisation was to be replaced, whatever its state is. Nothing was changed. */
export class OrganisationStateRequiredError extends Error {
  readonly code = 'ORGANISATION_STATE_REQUIRED';
  override name = 'OrganisationStateRequiredError';

  constructor(id: string) {
    super(
      `The organisation ${id} is registered already, and all of it would be replaced: send the etag of what was read, as If-Match or in the body, or change some members with PATCH`,
    );
  }
}

/** A transaction that changes an organisation, and who changes it. */
export type Change = {
  transaction: Transaction;
  audit: AuditTrail;
  context: AuditContext;
  /** Is not checked if the same data are stored already: the response to the request that stored them may have been lost. */
  precondition: Precondition;
};

/** Runs the work in a transaction, which is rolled back with what breaks a rule. */
export async function inTransaction<Result>(
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result | { errors: readonly ValidationError[] }> {
  try {
    return await database.transact(work, 'writes');
  } catch (error) {
    if (error instanceof OrganisationRefusedError) return { errors: error.errors };
    throw error;
  }
}

/**
 * Stores an organisation whose row is locked, and records the change.
 *
 * @param before what is stored; `undefined` for one that was added
 * @throws OrganisationChangedError, OrganisationExistsError, OrganisationStateRequiredError
 */
export async function storeOrganisation(
  id: string,
  before: OrganisationState | undefined,
  entry: OrganisationEntry,
  { transaction, audit, context, precondition }: Change,
): Promise<OrganisationState> {
  const undone = before === undefined ? [] : checkBlocksKept(before, entry);
  if (undone.length > 0) {
    checkPrecondition(id, before, precondition);
    throw new OrganisationRefusedError(undone);
  }
  const after = await replace(transaction, id, entry);
  if (!isDeepStrictEqual(before, after)) {
    checkPrecondition(id, before, precondition);
    const action = 'organisation.put';
    await audit.record(transaction, { ...context, action, details: { before, after } });
  }
  return after;
}

function checkPrecondition(
  id: string,
  before: OrganisationState | undefined,
  precondition: Precondition,
): void {
  switch (precondition) {
    case 'any':
      return;
    case 'not registered':
      if (before !== undefined && isRegistered(before)) {
        throw new OrganisationStateRequiredError(id);
      }
      return;
    case 'missing':
      if (before !== undefined) throw new OrganisationExistsError(id);
      return;
    default:
      if (before === undefined || !precondition(before)) throw new OrganisationChangedError(id);
  }
}

/** Whether it has what a replacement would remove; one that declarations alone have named has its id as its name. */
function isRegistered(organisation: OrganisationState): boolean {
  const { id, name, grantedScopes, identificationNumbers, clients, blocked } = organisation;
  const lists = [grantedScopes, identificationNumbers, clients];
  return name !== id || blocked || lists.some((list) => list.length > 0);
}

/** Rules are broken that only the transaction finds. */
export class OrganisationRefusedError extends Error {
  override name = 'OrganisationRefusedError';
  readonly errors: readonly ValidationError[];

  constructor(errors: readonly ValidationError[]) {
    super('the organisation breaks rules');
    this.errors = errors;
  }
}

async function replace(
  transaction: Transaction,
  id: string,
  entry: OrganisationEntry,
): Promise<OrganisationState> {
  const { name, kind, grantedScopes = [], clients = [], blocked = false } = entry;
  const [row] = await transaction.query(updateOrganisation(id, name, kind, blocked));
  if (row === undefined) throw new Error(`${id} is missing after it was added`);
  await transaction.query(removeOtherScopes(row.id, grantedScopes));
  await transaction.query(addScopes(row.id, [...new Set(grantedScopes)]));
  await putNumbers(transaction, row.id, entry.identificationNumbers ?? []);
  const clientIds = clients.map(({ client_id: clientId }) => clientId);
  await transaction.query(removeOtherClients(row.id, clientIds));
  await transaction.query(keepClients(row.id, clientIds));
  await putClients(transaction, row.id, clients);
  const organisation = await getOrganisation(transaction, id);
  if (organisation === undefined) throw new Error(`${id} is missing after it was put`);
  return organisation;
}

async function putNumbers(
  transaction: Transaction,
  organisationId: number,
  sent: readonly string[],
): Promise<void> {
  const numbers = sent.map(identifierKey);
  await transaction.query(removeOtherNumbers(organisationId, numbers));
  if (numbers.length === 0) return;
  await transaction.query(addNumbers(organisationId, numbers));
  const rows = await transaction.query(selectTakenNumbers(organisationId, numbers));
  const taken = new Set(rows.map(({ number }) => number));
  const errors = numbers.flatMap((number, index) =>
    taken.has(number) ? [belongsToAnother(`identificationNumbers.${index}`)] : [],
  );
  if (errors.length > 0) throw new OrganisationRefusedError(errors);
}

function belongsToAnother(field: string): ValidationError {
  return { field, error: 'belongs to another organisation', code: 'TAKEN' };
}

async function putClients(
  transaction: Transaction,
  organisationId: number,
  clients: readonly OrganisationClient[],
): Promise<void> {
  const taken: ValidationError[] = [];
  for (const [index, client] of clients.entries()) {
    const rows = await transaction.query(putClient(organisationId, withPublicKeys(client)));
    if (rows.length === 0) taken.push(belongsToAnother(`clients.${index}.client_id`));
  }
  if (taken.length > 0) throw new OrganisationRefusedError(taken);
}

function withPublicKeys(client: OrganisationClient): OrganisationClient {
  return { ...client, keys: (client.keys ?? []).map(publicMembers) };
}
