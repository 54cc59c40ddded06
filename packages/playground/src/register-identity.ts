// Registers the client of an identity with its organisation, as the authority does, and withdraws it.
import type {
  OrganisationClient,
  OrganisationEntry,
  PlaygroundCredentials,
  PlaygroundIdentity,
} from '@landfall/contract';
import {
  type AuditTrail,
  type Database,
  getOrganisation,
  putOrganisation,
} from '@landfall/service/assembly';
import { publicJwk } from './key-files.js';

/** Where it is registered, and at which time. */
export type Registering = { database: Database; audit: AuditTrail; now: Date };

/**
 * Registers it. An organisation that is known keeps its name and what it is granted.
 *
 * @param extend whether a known organisation is granted what the identity adds
 */
export async function registerIdentity(
  { database, audit, now }: Registering,
  { organisation, organisationName, kind, scopes, granted }: PlaygroundIdentity,
  { client_id: clientId, private_key: privateKey, alg, kid, x5c }: PlaygroundCredentials,
  extend = false,
): Promise<void> {
  const [leaf = ''] = x5c;
  const existing = await getOrganisation(database, organisation);
  const known = existing !== undefined && existing.name !== '';
  const { grantedScopes = [] } = existing ?? {};
  const added = extend && known ? granted.filter((scope) => !grantedScopes.includes(scope)) : [];
  const isThere = kind === 'foreign' || isRegistered(existing?.clients, clientId, leaf, kid);
  if (known && isThere && added.length === 0) return;
  const client: OrganisationClient = {
    client_id: clientId,
    scopes: [...scopes],
    certificates: [leaf],
    ...(kid !== undefined && { keys: [await publicJwk(privateKey, alg)] }),
  };
  const entry = {
    name: organisationName,
    kind,
    grantedScopes: [...granted],
    ...(known ? existing : {}),
    ...(added.length > 0 && { grantedScopes: [...grantedScopes, ...added] }),
    // A foreign business is identified by its eSeal, so it has no client to register.
    clients: kind === 'foreign' ? (existing?.clients ?? []) : withClient(existing?.clients, client),
  };
  await put({ database, audit, now }, organisation, entry);
}

/** Withdraws it: what its client has is refused from then on. Its organisation stays. */
export async function withdrawIdentity(
  registering: Registering,
  { kind, organisation, client_id: clientId }: PlaygroundCredentials,
): Promise<void> {
  const existing = await getOrganisation(registering.database, organisation);
  if (existing === undefined) return;
  const others = (existing.clients ?? []).filter(({ client_id: id }) => id !== clientId);
  // An eSeal is not registered, so it is one of those that are blocked.
  const blocked = { client_id: clientId, blocked: true };
  const clients = kind === 'foreign' ? [...others, blocked] : others;
  await put(registering, organisation, { ...existing, clients });
}

async function put(
  { database, audit, now }: Registering,
  organisation: string,
  entry: OrganisationEntry,
): Promise<void> {
  const context = { at: now, actor: undefined, requestId: undefined };
  const done = await putOrganisation(database, audit, organisation, entry, context);
  if ('errors' in done) {
    throw new Error(`${organisation}: ${done.errors.map(({ error }) => error).join('; ')}`);
  }
  // The service caches what it knows of organisations.
  database.replacements.outdated();
}

/** Whether the client is registered with only this certificate, and with the key if it has one. */
function isRegistered(
  existing: readonly OrganisationClient[] = [],
  clientId: string,
  certificate: string,
  keyId: string | undefined,
): boolean {
  const client = existing.find(({ client_id: id }) => id === clientId);
  const hasKey = keyId === undefined || client?.keys?.some(({ kid }) => kid === keyId) === true;
  return hasKey && client?.certificates?.length === 1 && client.certificates[0] === certificate;
}

/** The clients, with this certificate and this key for this client; all else is unchanged. */
function withClient(
  existing: readonly OrganisationClient[] = [],
  client: OrganisationClient,
): OrganisationClient[] {
  const before = existing.find(({ client_id: id }) => id === client.client_id);
  return [
    ...existing.filter((other) => other !== before),
    {
      ...client,
      ...before,
      certificates: client.certificates ?? [],
      ...(client.keys && { keys: client.keys }),
    },
  ];
}
