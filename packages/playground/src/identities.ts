// The playground's identities: their keys, certificates and credentials, and what the authority grants them.
import { createPrivateKey } from 'node:crypto';
import { join } from 'node:path';
import {
  type PlaygroundCredentials,
  type PlaygroundIdentity,
  playgroundIdentities,
} from '@landfall/contract';
import type { AuditTrail, Database } from '@landfall/service/assembly';
import {
  type Authority,
  type Issuer,
  type KeptCertificate,
  makeAuthority,
  readIssuer,
  readKept,
} from './certificates.js';
import { IdentityChanges } from './identity-changes.js';
import { describeCredentials, makeCertificate, writeCredentials } from './make-credentials.js';
import { PlaygroundOptionError } from './option-error.js';
import { isSameKey, withOwnKey } from './own-key.js';
import { readPrivateJson, writePrivateJson } from './private-file.js';
import { registerIdentity } from './register-identity.js';

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
  /** Adds the organisations again that are missing, and the changes of identities. */
  register(): Promise<void>;
  /** Makes the changes of identities again, after the data was replaced by that of another time. */
  registerChanges(): Promise<void>;
  /**
   * Adds an identity, or replaces the one of its name: with a new key, unless it has one of its own. Its organisation keeps
   * what it was granted, and is granted what the identity adds.
   *
   * @param dataFolder where its credentials are written; default: nowhere
   * @throws PlaygroundOptionError when there are too many
   */
  put(
    identity: PlaygroundIdentity,
    baseUrl: string,
    dataFolder?: string,
  ): Promise<PlaygroundCredentials>;
  /** Removes an identity: its tokens and its key are refused. Returns whether there was one. */
  remove(name: string, dataFolder?: string): Promise<boolean>;
};

/**
 * Creates the identities at first start, and adds the organisations. An existing organisation keeps its grants, because a
 * user may have changed them. In a data folder, renews certificates that expire soon, and writes
 * `<data>/credentials/<name>.json` and its key in other forms beside it.
 */
export async function prepareIdentities(settings: IdentitySettings): Promise<PreparedIdentities> {
  const { dataFolder, now = new Date() } = settings;
  const { latest = now } = settings;
  const identities = (settings.identities ?? playgroundIdentities).map(withOwnKey);
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
        return describeCredentials(identity, made, authority, settings);
      }
      const folder = join(dataFolder, 'credentials');
      const file = join(folder, `${identity.name}.json`);
      const kept = await openCertificate(file, authority, issuer, identity, now, latest);
      const written = await describeCredentials(identity, kept, authority, settings);
      await writeCredentials(folder, written);
      return written;
    }),
  );
  const { database, audit, scopePrefix } = settings;
  const registering = { database, audit, now };
  const parts = { ...registering, credentials, authority, issuer, scopePrefix, latest };
  const changes = new IdentityChanges(parts);
  const register = async () => {
    // One after the other: several may add a client to the same organisation.
    for (const written of credentials) {
      const identity = identities.find(({ name }) => name === written.name);
      if (identity === undefined || changes.has(written.name)) continue;
      const granted = grantedTo(identity.organisation, identities);
      await registerIdentity(registering, { ...identity, granted }, written);
    }
    await changes.register();
  };
  await register();
  return {
    credentials,
    trustedIssuers: [readKept(authority.root).toString('pem')],
    register,
    registerChanges: () => changes.register(),
    put: (identity, baseUrl, folder) => changes.put(identity, baseUrl, folder),
    remove: (name, folder) => changes.remove(name, folder),
  };
}

/**
 * Gives identities the addresses of another service, whose database has them.
 *
 * @param dataFolder where their credentials are written; default: nowhere
 */
export async function moveIdentities(
  credentials: PlaygroundCredentials[],
  baseUrl: string,
  dataFolder?: string,
): Promise<void> {
  const idpUrl = `${baseUrl}/idp`;
  for (const each of credentials) Object.assign(each, { base_url: baseUrl, idp_url: idpUrl });
  if (dataFolder === undefined) return;
  const folder = join(dataFolder, 'credentials');
  await Promise.all(credentials.map((each) => writeCredentials(folder, each)));
}

/** Those of the dataset and of the options are checked by themselves; together no two may have the same name. */
function checkIdentities(identities: readonly PlaygroundIdentity[]): void {
  const names = identities.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  throw new PlaygroundOptionError(`identities: there are two with the name ${twice}`);
}

/** The scopes that are granted to an organisation: those of all of its identities. */
function grantedTo(
  organisation: string,
  identities: readonly PlaygroundIdentity[],
): PlaygroundIdentity['granted'] {
  const own = identities.filter((identity) => identity.organisation === organisation);
  return [...new Set(own.flatMap(({ granted }) => granted))];
}

/** The authority that issues certificates, kept in a file; a new one if the kept one ends soon. */
export async function openAuthority(file: string, now: Date, latest: Date): Promise<Authority> {
  const kept = await readPrivateJson(file);
  if (isAuthority(kept) && lasts(kept.issuer, latest) && lasts(kept.root, latest)) return kept;
  const authority = await makeAuthority(now, latest);
  await writePrivateJson(file, authority);
  return authority;
}

/** The certificate in the identity's credentials if it lasts long enough and is of this authority; else a new one. */
export async function openCertificate(
  file: string,
  authority: Authority,
  issuer: Issuer,
  identity: PlaygroundIdentity,
  now: Date,
  latest: Date,
): Promise<KeptCertificate> {
  const { algorithm = 'ES256', privateKey } = identity;
  const kept = readCredentials(await readPrivateJson(file));
  const usable =
    kept !== undefined &&
    kept.issuer === authority.issuer.certificate &&
    algorithmOf(kept.leaf) === algorithm &&
    (privateKey === undefined || isSameKey(privateKey, kept.leaf.privateKey)) &&
    lasts(kept.leaf, latest);
  return usable ? kept.leaf : makeCertificate(issuer, identity, now, latest);
}

function algorithmOf({ privateKey }: KeptCertificate): 'ES256' | 'RS256' {
  return createPrivateKey(privateKey).asymmetricKeyType === 'rsa' ? 'RS256' : 'ES256';
}

function lasts(kept: KeptCertificate, now: Date): boolean {
  return readKept(kept).notAfter.getTime() - now.getTime() > RENEWAL;
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
