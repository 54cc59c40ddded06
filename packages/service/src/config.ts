// Configuration: the environment is read here and nowhere else, into one frozen Config.
import { join } from 'node:path';

/** How one option is read from its text. */
export type Option<Value> = {
  /** Name of the environment variable. */
  variable: string;
  description: string;
  standard: Value;
  /** Gives the value, or throws what is wrong with the text. */
  read: (text: string) => Value;
};

/** An option whose value is not one that it may have. */
export class ConfigError extends Error {
  readonly code = 'CONFIG';
  override name = 'ConfigError';
}

const PRESENTERS = ['any', 'expected'];
const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'];

/** Every option of the service. */
export const options = {
  host: text('HOST', 'Address to listen on', '127.0.0.1'),
  port: wholeNumber('PORT', 'Port to listen on; 0 for any free one', 8080, 0, 65_535),
  dataFolder: text('LANDFALL_DATA', 'Folder of the database, keys and credentials', '.landfall'),
  keysFolder: text(
    'LANDFALL_KEYS',
    'Folder of the signing keys, the same on every server; without it <LANDFALL_DATA>/keys',
    '',
  ),
  keysPassphrase: text(
    'LANDFALL_KEYS_PASSPHRASE',
    'Passphrase that the signing keys are encrypted with; without one they are kept plain',
    '',
  ),
  keysPassphraseFile: text(
    'LANDFALL_KEYS_PASSPHRASE_FILE',
    'File that has this passphrase, in place of LANDFALL_KEYS_PASSPHRASE',
    '',
  ),
  scopePrefix: text('LANDFALL_SCOPE_PREFIX', 'What scope names begin with', 'customs:'),
  logLevel: oneOf('LANDFALL_LOG_LEVEL', 'How much is logged', 'warn', LOG_LEVELS),
  tokenLifetime: wholeNumber(
    'LANDFALL_TOKEN_LIFETIME',
    'Lifetime of a customs token, in seconds',
    970,
    60,
    86_400,
  ),
  databaseUrl: text(
    'DATABASE_URL',
    'Address of PostgreSQL 15 or newer, with which serve and migrate work; needed',
    '',
  ),
  databaseConnections: wholeNumber(
    'LANDFALL_DATABASE_CONNECTIONS',
    'Sessions with PostgreSQL for reading, beside those that write',
    8,
    1,
    1000,
  ),
  baseUrl: text(
    'LANDFALL_BASE_URL',
    'Where clients reach the service, without a slash at the end; needed',
    '',
  ),
  identityProviderIssuer: text(
    'LANDFALL_IDP_ISSUER',
    'Issuer of the identity provider; needed',
    '',
  ),
  identityProviderKeys: text(
    'LANDFALL_IDP_JWKS_URL',
    "Address of the identity provider's key set; needed",
    '',
  ),
  drainTime: wholeNumber(
    'LANDFALL_DRAIN_TIME',
    'How long a server that is told to stop still answers while /readyz says 503, in seconds',
    3,
    0,
    300,
  ),
  natsUrl: text(
    'NATS_URL',
    'Address of NATS with JetStream, to which goods items are relayed; without it they are not',
    '',
  ),
  goodsItemRetention: wholeNumber(
    'LANDFALL_GOODS_ITEM_RETENTION',
    'How long goods-item messages are kept in the stream, in days; 0 for ever',
    0,
    0,
    36_500,
  ),
  presenters: oneOf(
    'LANDFALL_PRESENTERS',
    'Who may present goods: whoever has the scope, or only the declarant, representative, carrier and presenters of the declaration, while for all others there are no such goods',
    'any',
    PRESENTERS,
  ),
  rateLimit: wholeNumber(
    'LANDFALL_RATE_LIMIT',
    'Requests a second that one organisation may make on one server, and one client or address for tokens; 0 for no limit',
    1000,
    0,
    1_000_000,
  ),
  metricsPort: wholeNumber(
    'LANDFALL_METRICS_PORT',
    'Port on which /metrics is served instead of on that of the service; 0 for the same',
    0,
    0,
    65_535,
  ),
  accessLog: oneOf('LANDFALL_ACCESS_LOG', 'Whether each request is logged', 'off', ['off', 'on']),
  maxConnections: wholeNumber(
    'LANDFALL_MAX_CONNECTIONS',
    'Connections that clients may have to one server; one more is closed at once',
    10_000,
    1,
    1_000_000,
  ),
  maxConnectionAge: wholeNumber(
    'LANDFALL_MAX_CONNECTION_AGE',
    'Age after which a connection ends with its next response, in seconds',
    3600,
    1,
    86_400,
  ),
};

/** The configuration of a server. */
export type Config = {
  readonly [Name in keyof typeof options]: (typeof options)[Name]['standard'];
};

/**
 * Reads the configuration.
 *
 * @param environment variables, such as `process.env`
 * @param given options that were given otherwise, which count before the environment
 * @throws ConfigError that names the option and the rule
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  given: Partial<Config> = {},
): Config {
  const read = <Value>({ variable, standard, read: parse }: Option<Value>): Value => {
    const value = environment[variable];
    return value === undefined || value === '' ? standard : parse(value);
  };
  const dataFolder = given.dataFolder ?? read(options.dataFolder);
  return Object.freeze({
    databaseUrl: given.databaseUrl ?? read(options.databaseUrl),
    databaseConnections: given.databaseConnections ?? read(options.databaseConnections),
    baseUrl: given.baseUrl ?? read(options.baseUrl),
    identityProviderIssuer: given.identityProviderIssuer ?? read(options.identityProviderIssuer),
    identityProviderKeys: given.identityProviderKeys ?? read(options.identityProviderKeys),
    host: given.host ?? read(options.host),
    port: given.port ?? read(options.port),
    dataFolder,
    keysFolder: given.keysFolder ?? (read(options.keysFolder) || join(dataFolder, 'keys')),
    keysPassphrase: given.keysPassphrase ?? read(options.keysPassphrase),
    keysPassphraseFile: given.keysPassphraseFile ?? read(options.keysPassphraseFile),
    scopePrefix: given.scopePrefix ?? read(options.scopePrefix),
    logLevel: given.logLevel ?? read(options.logLevel),
    tokenLifetime: given.tokenLifetime ?? read(options.tokenLifetime),
    drainTime: given.drainTime ?? read(options.drainTime),
    natsUrl: given.natsUrl ?? read(options.natsUrl),
    goodsItemRetention: given.goodsItemRetention ?? read(options.goodsItemRetention),
    presenters: given.presenters ?? read(options.presenters),
    rateLimit: given.rateLimit ?? read(options.rateLimit),
    metricsPort: given.metricsPort ?? read(options.metricsPort),
    accessLog: given.accessLog ?? read(options.accessLog),
    maxConnections: given.maxConnections ?? read(options.maxConnections),
    maxConnectionAge: given.maxConnectionAge ?? read(options.maxConnectionAge),
  });
}

function text(variable: string, description: string, standard: string): Option<string> {
  return { variable, description, standard, read: (value) => value };
}

function oneOf(
  variable: string,
  description: string,
  standard: string,
  values: readonly string[],
): Option<string> & { values: readonly string[] } {
  return {
    values,
    variable,
    description: `${description}: ${values.join(', ')}`,
    standard,
    read: (value) => {
      if (!values.includes(value)) {
        throw new ConfigError(`${variable} must be one of ${values.join(', ')}, not ${value}`);
      }
      return value;
    },
  };
}

function wholeNumber(
  variable: string,
  description: string,
  standard: number,
  least: number,
  most: number,
): Option<number> {
  return {
    variable,
    description,
    standard,
    read: (value) => {
      const number = Number(value);
      if (!Number.isInteger(number) || number < least || number > most) {
        throw new ConfigError(
          `${variable} must be a whole number from ${least} to ${most}, not ${value}`,
        );
      }
      return number;
    },
  };
}
