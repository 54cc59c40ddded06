// What production refuses to start with: a configuration or a database on which a promise would not hold.
import { findExposedKeys } from '../access/signing-keys/find-exposed-keys.js';
import type { Config, Durability } from '../config.js';
import {
  type AddressSetting,
  DatabaseAddressError,
  findUnprotected,
  readAddress,
} from '../database/connection-address.js';
import type { Database } from '../database/database.js';
import { findPendingMigrations, MigrationMismatchError } from '../database/migrate.js';
import { UnmetConditionError } from '../http/readiness-conditions.js';
import { readNatsServers } from '../relay/nats-address.js';
import { isThisMachine } from '../this-machine.js';
import { makeDurabilityCheck } from './check-durability.js';
import { selectLockTableSize, selectServerSettings } from './queries.js';
import { checkPassword } from './read-database-password.js';

/** The service would not be safe; every reason, each with what to do. */
export class UnsafeError extends Error {
  readonly code = 'UNSAFE';
  override name = 'UnsafeError';
  readonly reasons: readonly string[];

  constructor(reasons: readonly string[]) {
    super(reasons.join('\n'));
    this.reasons = reasons;
  }
}

/** Oldest PostgreSQL that the service runs on, as the server numbers its versions. */
const OLDEST_POSTGRESQL = 150_000;

/** What is not safe in the configuration of production, and in the files that it names. */
export async function checkConfig(config: Config): Promise<string[]> {
  const reasons: string[] = [];
  const needed = (value: string, variable: string, what: string) => {
    if (value === '') reasons.push(`${variable} is not set: ${what}`);
  };
  needed(config.databaseUrl, 'DATABASE_URL', 'production keeps its data in PostgreSQL');
  needed(config.baseUrl, 'LANDFALL_BASE_URL', 'tokens name the address that clients reach');
  needed(config.identityProviderIssuer, 'LANDFALL_IDP_ISSUER', 'only its tokens are exchanged');
  needed(config.identityProviderKeys, 'LANDFALL_IDP_JWKS_URL', 'its tokens are verified with them');
  const addresses = [
    ['LANDFALL_BASE_URL', config.baseUrl],
    ['LANDFALL_IDP_JWKS_URL', config.identityProviderKeys],
  ] as const;
  for (const [variable, address] of addresses) {
    if (address !== '' && !isProtected(address)) {
      reasons.push(
        `${variable} is ${address}: it must begin with https:// (or be on this machine)`,
      );
    }
  }
  for (const [variable, address] of [
    ['DATABASE_URL', config.databaseUrl],
    ['LANDFALL_READ_DATABASE_URL', config.readDatabaseUrl],
  ] as const) {
    const reason = address !== '' && checkAddress(address, config, variable);
    if (reason) reasons.push(reason);
  }
  reasons.push(...(await checkPassword(config)));
  if (process.env.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    reasons.push('NODE_TLS_REJECT_UNAUTHORIZED is 0: no certificate would be verified; unset it');
  }
  if (config.natsUrl !== '') reasons.push(...checkNats(config));
  if (config.baseUrl.endsWith('/')) reasons.push('LANDFALL_BASE_URL must not end with a slash');
  if (config.referenceDocuments === 'static') {
    reasons.push(
      'LANDFALL_REFERENCE_DOCUMENTS is static: anybody could cite the documents of playgrounds; set it to loaded or unchecked',
    );
  }
  if (config.scopePrefix === '') reasons.push('LANDFALL_SCOPE_PREFIX must not be empty');
  return [...reasons, ...(await findExposedKeys(config.keysFolder))];
}

/** Tokens and keys go over the network encrypted, or not over the network at all. */
export function isProtected(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  if (protocol === 'https:') return true;
  return protocol === 'http:' && isThisMachine(hostname);
}

/** Why PostgreSQL cannot be used by this address. The address is not shown: it may hold a password. */
export function checkAddress(
  address: string,
  { allowUnencrypted }: Pick<Config, 'allowUnencrypted'>,
  setting: AddressSetting = 'DATABASE_URL',
): string | undefined {
  try {
    const unprotected = findUnprotected(readAddress(address, setting), setting);
    if (unprotected.length === 0 || allowUnencrypted === 'on') return undefined;
    return `${setting} connects to ${unprotected.join(' and ')} without TLS that verifies the server: add sslmode=verify-full to its parameters, ${OR_ALLOW}`;
  } catch (error) {
    if (error instanceof DatabaseAddressError) return error.message;
    throw error;
  }
}

/** The other remedy. */
const OR_ALLOW =
  'or set LANDFALL_ALLOW_UNENCRYPTED=on if nobody else reaches the network between them';

/** Why NATS cannot be used by its address, which was checked where it was read. */
function checkNats({ natsUrl, allowUnencrypted }: Config): string[] {
  const unencrypted = (readNatsServers(natsUrl) ?? []).filter(
    ({ protocol, hostname }) => protocol === 'nats:' && !isThisMachine(hostname),
  );
  if (unencrypted.length === 0 || allowUnencrypted === 'on') return [];
  const hosts = unencrypted.map(({ host }) => host).join(' and ');
  return [`NATS_URL connects to ${hosts} without TLS: begin it with tls://, ${OR_ALLOW}`];
}

/** Why what PostgreSQL acknowledges would not be durable, or its schema is not the one of this version. */
export async function checkDatabase(
  database: Database,
  durability: Durability = 'local',
): Promise<string[]> {
  const [settings] = await database.query(selectServerSettings);
  // A second session, by which a pooler that shares sessions is noticed.
  await database.lookUps.query(selectServerSettings);
  if (settings === undefined) return ['the database does not report its settings'];
  const reasons: string[] = [];
  if (settings.version < OLDEST_POSTGRESQL) {
    reasons.push(`PostgreSQL is version ${settings.version}: 15 or newer is needed`);
  }
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit'] as const) {
    if (settings[name] === 'off') {
      reasons.push(
        `PostgreSQL's ${name} is off: what is acknowledged could be lost. Look in its settings, and in the options of DATABASE_URL and in PGOPTIONS`,
      );
    }
  }
  if (durability === 'replicated') {
    await makeDurabilityCheck(database)
      .check()
      .catch((error: unknown) => {
        if (!(error instanceof UnmetConditionError)) throw error;
        reasons.push(error.message);
      });
  }
  return [...reasons, ...(await checkSchema(database))];
}

/** Locks to allow for each organisation: its own, and one for the tables and the other transactions under way. */
const LOCKS_PER_ORGANISATION = 2;

/** How many organisations one request should be able to affect: more than any has needed so far. */
const WANTED_ORGANISATIONS = 10_000;

/** What limits the service without being unsafe, each with what to do; for the log. */
export async function findLimits(database: Database): Promise<string[]> {
  const [row] = await database.query(selectLockTableSize);
  const organisations = Math.floor((row?.locks ?? 0) / LOCKS_PER_ORGANISATION);
  if (organisations >= WANTED_ORGANISATIONS) return [];
  return [
    `one request can affect some ${organisations} organisations, and one that affects more gets 503: raise PostgreSQL's max_locks_per_transaction for ${WANTED_ORGANISATIONS}`,
  ];
}

/** Why the database does not have the schema of this version. */
export async function checkSchema(database: Database): Promise<string[]> {
  try {
    const pending = await findPendingMigrations(database);
    if (pending.length === 0) return [];
    return [
      `the database lacks ${pending.map(({ name }) => name).join(', ')}: run "landfall admin migrate"`,
    ];
  } catch (error) {
    if (error instanceof MigrationMismatchError) return [error.message];
    throw error;
  }
}
