// The playground's identities: their keys, certificates and credentials, and what the authority grants them.
import { createPrivateKey } from 'node:crypto';
import { join } from 'node:path';
import {
  formatScope,
  type OrganisationClient,
  type PlaygroundCredentials,
  type PlaygroundIdentity,
  playgroundIdentities,
} from '@landfall/contract';
import type { AuditTrail, Database } from '@landfall/service/assembly';
import { getOrganisation, putOrganisation } from '@landfall/service/assembly';
import type { JsonName } from '@peculiar/x509';
import {
  type Authority,
  type Issuer,
  issueCertificate,
  type KeptCertificate,
  makeAuthority,
  makeKeys,
  readIssuer,
  readKept,
} from './certificates.js';
import { sealClientId } from './identity-provider/grantor.js';
import { publicJwk, writeKeyFiles } from './key-files.js';
import { PlaygroundOptionError } from './option-error.js';
import { readPrivateJson, writePrivateJson } from './private-file.js';
import { rsaKeyOf } from './rsa-keys.js';

/** A certificate with less time left than this is renewed at start, in milliseconds. */
const RENEWAL = 30 * 24 * 3600_000;

/** The settings of the identities. */
export type IdentitySettings = {
  database: Database;
  audit: AuditTrail;
  /** Where keys, certificates and credentials are kept; without it, they are made and not written. */
  dataFolder?: string | undefined;
  baseUrl: string;
  idpUrl: string;
  scopePrefix: string;
  /** The identities; default: the built-in ones. */
  identities?: readonly PlaygroundIdentity[];
  now?: Date;
  /** Certificates are valid for two years after this time; default: `now`. */
  latest?: Date;
};

/** The credentials, and the trusted issuers of the identity provider in PEM. */
export type PreparedIdentities = {
  credentials: PlaygroundCredentials[];
  trustedIssuers: string[];
  /** Adds the organisations again that are missing. */
  register(): Promise<void>;
};

/**
 * Creates the identities at first start, and adds the organisations. An existing organisation keeps its grants, because a
 * user may have changed them. In a data folder, renews certificates that expire soon, and writes
 * `<data>/credentials/<name>.json` and its key in other forms beside it.
 */
export async function prepareIdentities(settings: IdentitySettings): Promise<PreparedIdentities> {
  const { dataFolder, identities = playgroundIdentities, now = new Date() } = settings;
  const { latest = now } = settings;
  checkIdentities(identities);
  const authority =
    dataFolder === undefined
      ? await makeAuthority(now, latest)
      : await openAuthority(join(dataFolder, 'keys', 'playground-authority.json'), now, latest);
  const issuer = await readIssuer(authority);
  const credentials = await Promise.all(
    identities.map(async (identity) => {
      if (dataFolder === undefined) {
        const made = await makeCertificate(issuer, identity, now, latest);
        return describe(identity, made, authority, settings);
      }
      const folder = join(dataFolder, 'credentials');
      const file = join(folder, `${identity.name}.json`);
      const kept = await openCertificate(file, authority, issuer, identity, now, latest);
      const written = await describe(identity, kept, authority, settings);
      await writePrivateJson(file, written);
      await writeKeyFiles(folder, written);
      return written;
    }),
  );
  const register = async () => {
    await Promise.all(
      credentials.map(async (written, index) => {
        const identity = identities[index];
        if (identity !== undefined) await putIdentity({ ...settings, now }, identity, written);
      }),
    );
  };
  await register();
  return {
    credentials,
    trustedIssuers: [readKept(authority.root).toString('pem')],
    register,
  };
}

/** Those of the dataset and of the options are checked by themselves; together no two may be the same. */
function checkIdentities(identities: readonly PlaygroundIdentity[]): void {
  for (const member of ['name', 'organisation'] as const) {
    const values = identities.map((identity) => identity[member]);
    const twice = values.find((value, index) => values.indexOf(value) !== index);
    if (twice === undefined) continue;
    throw new PlaygroundOptionError(`identities: there are two with the ${member} ${twice}`);
  }
}

async function openAuthority(file: string, now: Date, latest: Date): Promise<Authority> {
  const kept = await readPrivateJson(file);
  if (isAuthority(kept) && lasts(kept.issuer, latest) && lasts(kept.root, latest)) return kept;
  const authority = await makeAuthority(now, latest);
  await writePrivateJson(file, authority);
  return authority;
}

/** The certificate in the identity's credentials if it lasts long enough and is of this authority; else a new one. */
async function openCertificate(
  file: string,
  authority: Authority,
  issuer: Issuer,
  identity: PlaygroundIdentity,
  now: Date,
  latest: Date,
): Promise<KeptCertificate> {
  const { algorithm = 'ES256' } = identity;
  const kept = readCredentials(await readPrivateJson(file));
  const usable =
    kept !== undefined &&
    kept.issuer === authority.issuer.certificate &&
    algorithmOf(kept.leaf) === algorithm &&
    lasts(kept.leaf, latest);
  return usable ? kept.leaf : makeCertificate(issuer, identity, now, latest);
}

async function makeCertificate(
  issuer: Issuer,
  identity: PlaygroundIdentity,
  now: Date,
  latest: Date,
): Promise<KeptCertificate> {
  const { algorithm = 'ES256', name } = identity;
  const keys = await (algorithm === 'RS256' ? rsaKeyOf(name) : makeKeys());
  return issueCertificate(issuer, subjectOf(identity), now, latest, keys);
}

function algorithmOf({ privateKey }: KeptCertificate): 'ES256' | 'RS256' {
  return createPrivateKey(privateKey).asymmetricKeyType === 'rsa' ? 'RS256' : 'ES256';
}

function lasts(kept: KeptCertificate, now: Date): boolean {
  return readKept(kept).notAfter.getTime() - now.getTime() > RENEWAL;
}

/** Domestic certificates have the form of foreign ones: `NTRNO-<organisation number>` as organizationIdentifier. */
function subjectOf({ kind, organisation, organisationName }: PlaygroundIdentity): JsonName {
  const identifier = kind === 'foreign' ? organisation : organisation.replace(/^0192:/, 'NTRNO-');
  return [
    { C: [identifier.slice(3, 5)] },
    { O: [organisationName] },
    { '2.5.4.97': [identifier] },
    { CN: [organisationName] },
  ];
}

async function describe(
  { name, kind, organisation, scopes, algorithm = 'ES256', hasRegisteredKey }: PlaygroundIdentity,
  { privateKey, certificate }: KeptCertificate,
  { root, issuer }: Authority,
  { baseUrl, idpUrl, scopePrefix }: IdentitySettings,
): Promise<PlaygroundCredentials> {
  const foreign = kind === 'foreign';
  return {
    name,
    kind,
    organisation,
    client_id: foreign ? sealClientId(readKept({ certificate })) : `playground-${name}`,
    scopes: scopes.map((scope) => formatScope(scope, { prefix: scopePrefix, foreign })),
    private_key: privateKey,
    alg: algorithm,
    ...(hasRegisteredKey && { kid: (await publicJwk(privateKey, algorithm)).kid }),
    x5c: [certificate, issuer.certificate, root.certificate],
    base_url: baseUrl,
    idp_url: idpUrl,
  };
}

async function putIdentity(
  { database, audit, now }: Pick<IdentitySettings, 'database' | 'audit'> & { now: Date },
  { organisation, organisationName, kind, scopes, granted }: PlaygroundIdentity,
  { client_id: clientId, private_key: privateKey, alg, kid, x5c }: PlaygroundCredentials,
): Promise<void> {
  const [leaf = ''] = x5c;
  const existing = await getOrganisation(database, organisation);
  const known = existing !== undefined && existing.name !== '';
  if (known && (kind === 'foreign' || isRegistered(existing.clients, clientId, leaf, kid))) return;
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
    // A foreign business is identified by its eSeal, so it has no client to register.
    clients: kind === 'foreign' ? (existing?.clients ?? []) : withClient(existing?.clients, client),
  };
  const context = { at: now, actor: undefined, requestId: undefined };
  const put = await putOrganisation(database, audit, organisation, entry, context);
  if ('errors' in put) {
    throw new Error(`${organisation}: ${put.errors.map(({ error }) => error).join('; ')}`);
  }
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

function isAuthority(value: unknown): value is Authority {
  if (typeof value !== 'object' || value === null) return false;
  // The cast is true because an object may have any members of unknown kind.
  const { root, issuer } = value as { root?: unknown; issuer?: unknown };
  return isKept(root) && isKept(issuer);
}

function isKept(value: unknown): value is KeptCertificate {
  if (typeof value !== 'object' || value === null) return false;
  // The cast is true because an object may have any members of unknown kind.
  const { privateKey, certificate } = value as Record<keyof KeptCertificate, unknown>;
  return typeof privateKey === 'string' && typeof certificate === 'string';
}

function readCredentials(value: unknown): { leaf: KeptCertificate; issuer: string } | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  // The cast is true because an object may have any members of unknown kind.
  const { private_key: privateKey, x5c } = value as Record<keyof PlaygroundCredentials, unknown>;
  const [certificate, issuer] = Array.isArray(x5c) ? x5c : [];
  const leaf = { privateKey, certificate };
  return isKept(leaf) && typeof issuer === 'string' ? { leaf, issuer } : undefined;
}
