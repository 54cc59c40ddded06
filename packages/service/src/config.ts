// Configuration: the environment is read here and nowhere else, into one frozen Config.
import { join } from 'node:path';
import { RUN_SIZE, relayNames, relays } from '@landfall/contract';
import {
  country,
  listenAddress,
  natsAddress,
  natsPrefix,
  oneOf,
  origins,
  proxies,
  scannerAddress,
  scopeCharacters,
  text,
  timeZone,
  webAddress,
  webResource,
  wholeNumber,
} from './config-values.js';
import type { Presenters } from './presentation/commit-presentations.js';
import { RECEIVERS } from './push/receiver-address.js';
import type { ReferenceDocumentSetting } from './reference-documents/find-registers.js';
import type { Relayed } from './relay/relays.js';

export { ConfigError, type Option } from './config-values.js';

const PRESENTERS: readonly Presenters[] = ['any', 'expected'];
const DURABILITIES = ['local', 'replicated'] as const;
/** What is acknowledged is on the disk of the primary, or also on that of a synchronous standby. */
export type Durability = (typeof DURABILITIES)[number];

const REFERENCE_DOCUMENTS: readonly ReferenceDocumentSetting[] = ['unchecked', 'loaded', 'static'];

const RELAYED: readonly Relayed[] = [
  ...new Set(relayNames.map((name) => relays[name].setting)),
  'all',
];
const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;

/** Every option of the service. */
export const options = {
  host: text(
    'HOST',
    'Address to listen on; of a host name, its first address',
    '127.0.0.1',
    listenAddress,
  ),
  port: wholeNumber('PORT', 'Port to listen on; 0: any free port', {
    default: 8080,
    min: 0,
    max: 65_535,
  }),
  dataFolder: text('LANDFALL_DATA', 'Folder of the database, keys and credentials', '.landfall'),
  keysFolder: text(
    'LANDFALL_KEYS',
    'Folder of the signing keys, the same on every server; default: <LANDFALL_DATA>/keys',
    '',
  ),
  keysPassphrase: text(
    'LANDFALL_KEYS_PASSPHRASE',
    'Passphrase that the signing keys are encrypted with; without one they are stored unencrypted',
    '',
  ),
  keysPassphraseFile: text(
    'LANDFALL_KEYS_PASSPHRASE_FILE',
    'File that contains this passphrase, instead of LANDFALL_KEYS_PASSPHRASE',
    '',
  ),
  scopePrefix: text('LANDFALL_SCOPE_PREFIX', 'Prefix of scope names', 'customs:', scopeCharacters),
  logLevel: oneOf('LANDFALL_LOG_LEVEL', 'Lowest level that is logged', 'warn', LOG_LEVELS),
  tokenLifetime: wholeNumber('LANDFALL_TOKEN_LIFETIME', 'Lifetime of a customs token, in seconds', {
    default: 970,
    min: 60,
    max: 86_400,
  }),
  databaseUrl: text(
    'DATABASE_URL',
    'Address of PostgreSQL 15 or newer; several hosts are separated by commas, and the primary is used; required',
    '',
  ),
  databasePasswordFile: text(
    'LANDFALL_DATABASE_PASSWORD_FILE',
    'File that contains the password of PostgreSQL, in place of one in DATABASE_URL and LANDFALL_READ_DATABASE_URL; it is read for each new session, so it may change',
    '',
  ),
  databaseConnections: wholeNumber(
    'LANDFALL_DATABASE_CONNECTIONS',
    'PostgreSQL sessions for reading, in addition to those that write, and as many with each standby',
    { default: 8, min: 1, max: 1000 },
  ),
  readDatabaseUrl: text(
    'LANDFALL_READ_DATABASE_URL',
    'Address of standbys that are read from, several hosts separated by commas; servers of the list that are no standby are not used',
    '',
  ),
  durability: oneOf(
    'LANDFALL_DURABILITY',
    'What is acknowledged is on the disk of the primary, or also on that of a synchronous standby, without which the server is not ready',
    'local',
    DURABILITIES,
  ),
  baseUrl: text(
    'LANDFALL_BASE_URL',
    'Address at which clients reach the service, without a slash at the end; required',
    '',
    webAddress,
  ),
  identityProviderIssuer: text(
    'LANDFALL_IDP_ISSUER',
    'Issuer of the identity provider; required',
    '',
    webAddress,
  ),
  identityProviderKeys: text(
    'LANDFALL_IDP_JWKS_URL',
    "Address of the identity provider's key set; required",
    '',
    webResource,
  ),
  trial: oneOf(
    'LANDFALL_TRIAL',
    'Whether tokens of "landfall trial-provider" are accepted, which anybody gets who reaches that: for trials only',
    'off',
    ['off', 'on'],
  ),
  drainTime: wholeNumber(
    'LANDFALL_DRAIN_TIME',
    'How long a server that was stopped still serves requests while /readyz returns 503, in seconds',
    { default: 3, min: 0, max: 300 },
  ),
  natsUrl: text(
    'NATS_URL',
    'Address of NATS with JetStream, to which feeds are relayed; several servers of a cluster are separated by commas; without it, nothing is relayed',
    '',
    natsAddress,
  ),
  natsPrefix: text(
    'LANDFALL_NATS_PREFIX',
    'What the names of streams and subjects in NATS begin with, so that several installations share one NATS; `none`: nothing, the same as empty',
    '',
    natsPrefix,
  ),
  allowUnencrypted: oneOf(
    'LANDFALL_ALLOW_UNENCRYPTED',
    'Whether PostgreSQL and NATS on other machines may be connected to without TLS, or PostgreSQL without verifying it, as in a network that nobody else reaches',
    'off',
    ['off', 'on'],
  ),
  relay: oneOf('LANDFALL_RELAY', 'What is relayed', 'goods-items', RELAYED),
  relayReplicas: wholeNumber(
    'LANDFALL_RELAY_REPLICAS',
    'On how many servers of the NATS cluster streams are stored: 3 or 5 survive the failure of 1 or 2',
    { default: 1, min: 1, max: 5 },
  ),
  auditRetention: wholeNumber(
    'LANDFALL_AUDIT_RETENTION',
    'How long audit records and events of house consignments are kept, in days; whole months are removed, after they were exported; 0: for ever',
    { default: 0, min: 0, max: 36_500 },
  ),
  feedAccessRetention: wholeNumber(
    'LANDFALL_FEED_ACCESS_RETENTION',
    'How long a history shows who read a signal, in days; whole months are removed, the audit records keep them; 0: for ever',
    { default: 0, min: 0, max: 36_500 },
  ),
  goodsItemRetention: wholeNumber(
    'LANDFALL_GOODS_ITEM_RETENTION',
    'How long goods-item messages are kept in the stream, in days; 0: for ever',
    { default: 0, min: 0, max: 36_500 },
  ),
  statusRetention: wholeNumber(
    'LANDFALL_STATUS_RETENTION',
    'How long validation statuses and statuses of movement messages are kept, and their requestIds stay unique, in days; 0: for ever',
    { default: 0, min: 0, max: 36_500 },
  ),
  signalRetention: wholeNumber(
    'LANDFALL_SIGNAL_RETENTION',
    'How long routing signals are kept, in days; 0: for ever',
    { default: 0, min: 0, max: 36_500 },
  ),
  consignmentRetention: wholeNumber(
    'LANDFALL_CONSIGNMENT_RETENTION',
    'How long house consignments are kept after they were first presented and last decided, in days; 0: for ever',
    { default: 0, min: 0, max: 36_500 },
  ),
  unpresentedRetention: wholeNumber(
    'LANDFALL_UNPRESENTED_RETENTION',
    'How long house consignments, and declarations without any, that are never presented are kept after they were last registered, were to arrive and were decided, in days; 0: for ever. What an officer or a system has sent to control is kept for a year after that at least',
    { default: 0, min: 0, max: 36_500 },
  ),
  transportExpiry: wholeNumber(
    'LANDFALL_TRANSPORT_EXPIRY',
    'How long after its estimated arrival a transport expires that has not arrived, in hours; 0: never',
    { default: 72, min: 0, max: 876_000 },
  ),
  consignmentExpiry: wholeNumber(
    'LANDFALL_CONSIGNMENT_EXPIRY',
    'How long after its last change a master or house consignment expires that is not presented and that no current transport reaches, in hours; 0: never',
    { default: 720, min: 0, max: 876_000 },
  ),
  movementClosing: wholeNumber(
    'LANDFALL_MOVEMENT_CLOSING',
    'How long after their presentation or arrival movement messages are closed, which frees their keys, if what they reach is decided, in days; 0: never',
    { default: 7, min: 0, max: 36_500 },
  ),
  messageRetention: wholeNumber(
    'LANDFALL_MESSAGE_RETENTION',
    'How long texts of movement messages are kept after the message has ended, in days; 0: for ever',
    { default: 0, min: 0, max: 36_500 },
  ),
  documentRetention: wholeNumber(
    'LANDFALL_DOCUMENT_RETENTION',
    'How long documents of customs declarations are kept, in days; 0: for ever',
    { default: 0, min: 0, max: 36_500 },
  ),
  documentScanner: text(
    'LANDFALL_DOCUMENT_SCANNER',
    'Scanner of documents that speaks INSTREAM, as ClamAV does, such as clamav:3310; `none`: documents are not scanned; without it, no document is taken',
    '',
    scannerAddress,
  ),
  retentionWaitsForRelay: oneOf(
    'LANDFALL_RETENTION_WAITS_FOR_RELAY',
    'Whether what is relayed is removed only after NATS has it; off: also before, and NATS never gets it',
    'on',
    ['on', 'off'],
  ),
  presenters: oneOf(
    'LANDFALL_PRESENTERS',
    'Who may present goods: any organisation with the scope, or only the declarant, representative, carrier and presenters of the declaration (others get REFERENCE_NOT_FOUND)',
    'any',
    PRESENTERS,
  ),
  officerClients: text(
    'LANDFALL_OFFICER_CLIENTS',
    'Clients of the authority with which people decide, separated by commas: their decisions are those of officers, as in the console; decisions with other tokens are those of systems',
    '',
  ),
  enginesAboveOfficers: oneOf(
    'LANDFALL_ENGINES_ABOVE_OFFICERS',
    'Whether a system replaces the decision of an officer without naming it in expected',
    'off',
    ['off', 'on'],
  ),
  fourEyesRelease: oneOf(
    'LANDFALL_FOUR_EYES_RELEASE',
    'Whether goods that are TO_CONTROL get another routing only by a routing run that another officer has confirmed; systems may still change what no officer has decided',
    'off',
    ['off', 'on'],
  ),
  fourEyesRunSize: wholeNumber(
    'LANDFALL_FOUR_EYES_RUN_SIZE',
    'Number of house consignments from which on a routing run decides only after another officer has confirmed it; 0: never',
    { default: 0, min: 0, max: RUN_SIZE },
  ),
  referenceDocuments: oneOf(
    'LANDFALL_REFERENCE_DOCUMENTS',
    'What is said of the documents that movement messages cite: unchecked, every one is taken; loaded, what was registered of it; static, for playgrounds alone, the same, and of what was not registered a fixed rule',
    'unchecked',
    REFERENCE_DOCUMENTS,
  ),
  routingResults: oneOf(
    'LANDFALL_ROUTING_RESULTS',
    'Which decisions are taken, and sent as signals: standard, TO_CONTROL and TO_ENTRY; extended, also ENTRY_PENDING and ENTRY_DENIED, and ENTRY_PENDING for lodged goods that are incomplete when they are presented. Clients that know two values alone must not release goods by a third one',
    'standard',
    ['standard', 'extended'],
  ),
  timeZone: text(
    'LANDFALL_TIME_ZONE',
    'Time zone of the customs offices: of the days on which they are valid, and of times in the console',
    'Europe/Oslo',
    timeZone,
  ),
  country: text(
    'LANDFALL_COUNTRY',
    'Country of the authority, ISO 3166-1 alpha-2: part of the MRNs of movement messages',
    'NO',
    country,
  ),
  rateLimit: wholeNumber(
    'LANDFALL_RATE_LIMIT',
    'Requests a second that one organisation may make on one server, and one client or address for tokens; one with a body counts as one for each 4 KiB of it, an upload of NDJSON or of a document as one; 0 for no limit',
    { default: 1000, min: 0, max: 1_000_000 },
  ),
  trustedProxies: proxies(
    'LANDFALL_TRUSTED_PROXIES',
    'Addresses and networks (/8 and smaller, of IPv6 /16) of load balancers whose X-Forwarded-For is trusted, such as 10.0.0.0/8,192.0.2.7, or how many there are, such as 1, where nobody else can connect',
  ),
  corsOrigins: text(
    'LANDFALL_CORS_ORIGINS',
    'Origins whose pages may call the API, separated by commas, such as https://app.example; without them, no page of another origin may',
    '',
    origins,
  ),
  metricsPort: wholeNumber(
    'LANDFALL_METRICS_PORT',
    'Separate port for /metrics; 0: on the port of the service',
    { default: 0, min: 0, max: 65_535 },
  ),
  metricsToken: text(
    'LANDFALL_METRICS_TOKEN',
    'Bearer token that /metrics requires; production serves /metrics only with this token or on a separate port',
    '',
  ),
  metricsTokenFile: text(
    'LANDFALL_METRICS_TOKEN_FILE',
    'File that contains this token, instead of LANDFALL_METRICS_TOKEN',
    '',
  ),
  pushReceivers: oneOf(
    'LANDFALL_PUSH_RECEIVERS',
    'Where subscriptions may send to: `public` for https at public addresses, `private` for https at any address, `any` for http and any address, as in a playground on one machine',
    'public',
    RECEIVERS,
  ),
  documentationUrl: text(
    'LANDFALL_DOCUMENTATION_URL',
    "Address of the project's documents of this version, without a slash at the end, to which problems refer; without it, they name the path",
    '',
    webAddress,
  ),
  documentationFolder: text(
    'LANDFALL_DOCUMENTATION_FOLDER',
    'Folder of the documentation site that is served at /docs/, as `npm run docs` builds it; without it, /docs/ leads to the API reference',
    '',
  ),
  accessLog: oneOf('LANDFALL_ACCESS_LOG', 'Whether each request is logged', 'off', ['off', 'on']),
  openReads: wholeNumber(
    'LANDFALL_OPEN_READS',
    'Reads that one organisation may have open at the same time on one server, streams of events and long polls included; 0: no limit',
    { default: 1000, min: 0, max: 1_000_000 },
  ),
  openUploads: wholeNumber(
    'LANDFALL_OPEN_UPLOADS',
    'Uploads that one organisation may have open at the same time on one server; 0: no limit',
    { default: 20, min: 0, max: 1_000_000 },
  ),
  unreadMemory: wholeNumber(
    'LANDFALL_UNREAD_MEMORY',
    'Memory of one server for what was produced and not yet read by its clients, in MiB',
    { default: 128, min: 16, max: 65_536 },
  ),
  organisationUnreadMemory: wholeNumber(
    'LANDFALL_ORGANISATION_UNREAD_MEMORY',
    'How much of this memory one organisation may use, in MiB',
    { default: 32, min: 8, max: 65_536 },
  ),
  unreadResults: wholeNumber(
    'LANDFALL_UNREAD_RESULTS',
    'Disk space of one server for results of uploads that were not yet read, in MiB',
    { default: 1024, min: 1, max: 1_048_576 },
  ),
  uploadUnreadResults: wholeNumber(
    'LANDFALL_UPLOAD_UNREAD_RESULTS',
    'How much of this space one upload may use, in MiB; then its input is not read until its results are',
    { default: 128, min: 1, max: 1_048_576 },
  ),
  maxConnections: wholeNumber(
    'LANDFALL_MAX_CONNECTIONS',
    'Maximum number of connections to one server; further ones get answers to probes alone, and are closed',
    { default: 10_000, min: 1, max: 1_000_000 },
  ),
  maxAddressConnections: wholeNumber(
    'LANDFALL_MAX_ADDRESS_CONNECTIONS',
    'Maximum number of connections of one address, unless it is that of a trusted proxy; 0: no limit',
    { default: 1000, min: 0, max: 1_000_000 },
  ),
  consoleIssuer: text(
    'LANDFALL_CONSOLE_OIDC_ISSUER',
    'Issuer of the OpenID provider at which people sign in to the console; without it, there is no console',
    '',
    webAddress,
  ),
  consoleClientId: text(
    'LANDFALL_CONSOLE_OIDC_CLIENT_ID',
    'Client of the console at this provider; required with the issuer',
    '',
  ),
  consoleClientSecretFile: text(
    'LANDFALL_CONSOLE_OIDC_CLIENT_SECRET_FILE',
    'File that contains the secret of this client; required with the issuer',
    '',
  ),
  consoleScope: text(
    'LANDFALL_CONSOLE_OIDC_SCOPES',
    'Scopes of OpenID Connect that are requested, separated by spaces',
    'openid profile',
  ),
  consoleRolesClaim: text(
    'LANDFALL_CONSOLE_OIDC_ROLES_CLAIM',
    "Claim of the ID token with the person's roles, such as roles or realm_access.roles",
    'roles',
  ),
  consoleOrganisationClaim: text(
    'LANDFALL_CONSOLE_OIDC_ORGANISATION_CLAIM',
    "Claim of the ID token with the identifier of the person's organisation, such as 0192:974760673",
    'organisation',
  ),
  consoleRoles: text(
    'LANDFALL_CONSOLE_ROLES',
    'Scopes of each role, such as officer=authority/registry,authority/routing; gate=movement/entry; required with the issuer',
    '',
  ),
  consoleSubjectKeyFile: text(
    'LANDFALL_CONSOLE_SUBJECT_KEY_FILE',
    'File that contains the key of the pseudonyms in the audit trail, the same on every server; required with the issuer',
    '',
  ),
  maxConnectionAge: wholeNumber(
    'LANDFALL_MAX_CONNECTION_AGE',
    'Age after which a connection is closed with its next response, in seconds',
    { default: 3600, min: 1, max: 86_400 },
  ),
};

/** The configuration of a server. */
export type Config = {
  readonly [Name in keyof typeof options]: (typeof options)[Name]['default'];
};

/**
 * Reads the configuration.
 *
 * @param environment variables, such as `process.env`
 * @param given options from elsewhere, which override the environment
 * @throws ConfigError that names the option and the rule
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  given: Partial<Config> = {},
): Config {
  const values = Object.entries(options).map(([name, option]) => {
    // The cast is true because the names of the options are those of the configuration.
    const override = given[name as keyof Config];
    if (typeof override === 'string' && override !== '') return [name, option.read(override)];
    if (override !== undefined) return [name, override];
    const text = environment[option.variable];
    return [name, text === undefined || text === '' ? option.default : option.read(text)];
  });
  // The cast is true because each option has a value of its own type under its own name.
  const config = Object.fromEntries(values) as Config;
  return Object.freeze({
    ...config,
    keysFolder: config.keysFolder || join(config.dataFolder, 'keys'),
  });
}
