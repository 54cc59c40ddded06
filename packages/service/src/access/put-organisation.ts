// Replaces an organisation and its grants. Repeating it changes nothing.
import { isDeepStrictEqual } from 'node:util';
import type { OrganisationClient, OrganisationEntry, ValidationError } from '@landfall/contract';
import type { AuditContext } from '../audit/audit-entry.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Database, Transaction } from '../database/database.js';
import { publicMembers } from './check-key.js';
import { checkBlocksKept, checkOrganisation } from './check-organisation.js';
import { getOrganisation } from './get-organisation.js';
import type { OrganisationState } from './organisation-queries.js';
import {
  addOrganisation,
  addScopes,
  keepClients,
  lockOrganisation,
  putClient,
  removeOtherClients,
  removeOtherScopes,
  updateOrganisation,
} from './organisation-queries.js';

/** The organisation after the change, or every broken rule. */
export type OrganisationPut =
  | { organisation: OrganisationState }
  | { errors: readonly ValidationError[] };

/** In which state the organisation must be: any, missing, or existing and such that the function returns `true`. */
export type Precondition = 'any' | 'missing' | ((current: OrganisationState) => boolean);

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

/**
 * Puts an organisation that was checked against its schema, and records the change.
 *
 * @param precondition is not checked if the same data are stored already: the response to the request that stored them
 *   may have been lost.
 * @throws OrganisationChangedError, OrganisationExistsError
 */
export async function putOrganisation(
  database: Database,
  audit: AuditTrail,
  id: string,
  entry: OrganisationEntry,
  context: AuditContext,
  precondition: Precondition = 'any',
): Promise<OrganisationPut> {
  const errors = checkOrganisation(id, entry);
  if (errors.length > 0) return { errors };
  try {
    const organisation = await database.transact(async (transaction) => {
      // Of two creations at the same time, the second one waits here, and then reads what the first one has stored.
      const added = await transaction.query(addOrganisation(id));
      await transaction.query(lockOrganisation(id));
      const before = added.length > 0 ? undefined : await getOrganisation(transaction, id);
      const undone = before === undefined ? [] : checkBlocksKept(before, entry);
      if (undone.length > 0) {
        checkPrecondition(id, before, precondition);
        throw new ClientsRefusedError(undone);
      }
      const after = await replace(transaction, id, entry);
      if (!isDeepStrictEqual(before, after)) {
        checkPrecondition(id, before, precondition);
        await audit.record(transaction, {
          ...context,
          action: 'organisation.put',
          details: { before, after },
        });
      }
      return after;
    }, 'writes');
    return { organisation };
  } catch (error) {
    if (error instanceof ClientsRefusedError) return { errors: error.errors };
    throw error;
  }
}

function checkPrecondition(
  id: string,
  before: OrganisationState | undefined,
  precondition: Precondition,
): void {
  if (precondition === 'any') return;
  if (precondition === 'missing') {
    if (before !== undefined) throw new OrganisationExistsError(id);
  } else if (before === undefined || !precondition(before)) {
    throw new OrganisationChangedError(id);
  }
}

/** Rolls the replacement back. */
class ClientsRefusedError extends Error {
  override name = 'ClientsRefusedError';
  readonly errors: ValidationError[];

  constructor(errors: ValidationError[]) {
    super('the clients cannot be replaced by these');
    this.errors = errors;
  }
}

async function replace(
  transaction: Transaction,
  id: string,
  { name, kind, grantedScopes = [], clients = [], blocked = false }: OrganisationEntry,
): Promise<OrganisationState> {
  const [row] = await transaction.query(updateOrganisation(id, name, kind, blocked));
  if (row === undefined) throw new Error(`${id} is missing after it was added`);
  await transaction.query(removeOtherScopes(row.id, grantedScopes));
  await transaction.query(addScopes(row.id, [...new Set(grantedScopes)]));
  const clientIds = clients.map(({ client_id: clientId }) => clientId);
  await transaction.query(removeOtherClients(row.id, clientIds));
  await transaction.query(keepClients(row.id, clientIds));
  await putClients(transaction, row.id, clients);
  const organisation = await getOrganisation(transaction, id);
  if (organisation === undefined) throw new Error(`${id} is missing after it was put`);
  return organisation;
}

async function putClients(
  transaction: Transaction,
  organisationId: number,
  clients: readonly OrganisationClient[],
): Promise<void> {
  const taken: ValidationError[] = [];
  for (const [index, client] of clients.entries()) {
    const rows = await transaction.query(putClient(organisationId, withPublicKeys(client)));
    if (rows.length === 0) {
      taken.push({
        field: `clients.${index}.client_id`,
        error: 'belongs to another organisation',
        code: 'TAKEN',
      });
    }
  }
  if (taken.length > 0) throw new ClientsRefusedError(taken);
}

function withPublicKeys(client: OrganisationClient): OrganisationClient {
  return { ...client, keys: (client.keys ?? []).map(publicMembers) };
}
