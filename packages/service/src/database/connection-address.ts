// DATABASE_URL, and LANDFALL_READ_DATABASE_URL, as the driver takes it: one address for each server, without the settings that Landfall adds to its own.
import pg from 'pg';
import { codeOf } from '../native-error.js';
import { isThisMachine } from '../this-machine.js';
import { ownSettings } from './session.js';

/** The address of the database cannot be used, or sets something that Landfall's promises depend on. */
export class DatabaseAddressError extends Error {
  readonly code = 'DATABASE_ADDRESS';
  override name = 'DatabaseAddressError';
}

/** The driver's own limits, which it would also read from the address. */
const DRIVER_LIMITS = ['query_timeout'];

/**
 * The parameters that have the effect that libpq gives them. The driver ignores all others without a word, such as
 * `hostaddr` and `channel_binding`; and it lets
 * `client_encoding` change how it reads texts.
 */
const PARAMETERS = [
  ...['host', 'port', 'user', 'password', 'options', 'target_session_attrs'],
  ...['application_name', 'fallback_application_name'],
  ...['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation', 'uselibpqcompat'],
];

/**
 * The settings that are addresses, with the values of `target_session_attrs` that they may have: those with which libpq,
 * too, uses only a server that takes writes, and those with which it uses standbys.
 */
const TARGETS = {
  DATABASE_URL: ['read-write', 'primary'],
  LANDFALL_READ_DATABASE_URL: ['standby', 'prefer-standby', 'read-only', 'any'],
};

/** The name of a setting that is an address. */
export type AddressSetting = keyof typeof TARGETS;

/** Scheme and user, the hosts with their ports, and the rest. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s;

/** The address of each server without its `options`, and these options. */
export type ConnectionAddress = { servers: [string, ...string[]]; options: string };

/**
 * Takes an address apart. Like that of libpq it may list several hosts, separated by commas, each with its port:
 * `postgresql://landfall@a.example:5432,b.example:5432/landfall`.
 *
 * @throws DatabaseAddressError when it is not an address of PostgreSQL; when it sets, as a parameter or within
 * `options`, what Landfall sets itself; when it has a parameter that would have no effect; or when its
 * `target_session_attrs` allows other servers than the setting does
 */
export function readAddress(
  address: string,
  setting: AddressSetting = 'DATABASE_URL',
): ConnectionAddress {
  const [first, ...others] = splitHosts(address, setting).map((one) => parse(one, setting));
  if (first === undefined) throw notAnAddress(setting);
  const { searchParams } = first;
  for (const name of searchParams.keys()) {
    refuseOwn(name, setting);
    if (PARAMETERS.includes(name)) continue;
    throw new DatabaseAddressError(
      `${setting} has the parameter ${name}, which Landfall does not support: remove it, or use one of ${PARAMETERS.join(', ')}`,
    );
  }
  const target = searchParams.get('target_session_attrs');
  const targets = TARGETS[setting];
  if (target !== null && !targets.includes(target)) {
    const why =
      setting === 'DATABASE_URL'
        ? 'Landfall only works on a primary'
        : 'it lists servers to read from';
    throw new DatabaseAddressError(
      `target_session_attrs in ${setting} must be ${targets.join(' or ')}, not ${target}: ${why}`,
    );
  }
  for (const name of ['host', 'port']) {
    const value = searchParams.get(name);
    if (value === null || (others.length === 0 && !value.includes(','))) continue;
    throw new DatabaseAddressError(
      `${setting} must not have the parameter ${name} with several hosts: list them before the database, as in postgresql://user@a:5432,b:5432/landfall`,
    );
  }
  const options = searchParams.getAll('options').join(' ');
  for (const name of settingNames(options)) refuseOwn(name, setting);
  return { servers: [withoutOptions(first), ...others.map(withoutOptions)], options };
}

/** The host and the port in the address of one server, for messages: without user and password. */
export function nameServer(server: string): string {
  return new URL(server).host || 'the local socket';
}

/**
 * The servers of an address that the driver would connect to without TLS, or without verifying whose certificate it is,
 * over a network of others: by its own reading of the address and the environment, such as PGSSLMODE.
 *
 * @throws DatabaseAddressError when the driver cannot use the address
 */
export function findUnprotected({ servers }: ConnectionAddress, setting: AddressSetting): string[] {
  return servers.flatMap((connectionString) => {
    try {
      const client = new pg.Client({ connectionString });
      const { host, port } = client;
      // The cast is true because the driver keeps the options of TLS here; its types say only whether there are any.
      const ssl = client.ssl as boolean | { rejectUnauthorized?: boolean };
      const isVerified = typeof ssl === 'object' ? ssl.rejectUnauthorized !== false : ssl;
      return isVerified || host.startsWith('/') || isThisMachine(host) ? [] : [`${host}:${port}`];
    } catch (error) {
      // Such as a file of sslrootcert that does not exist. The driver's message may contain the address.
      throw new DatabaseAddressError(
        `${setting} cannot be used: ${codeOf(error) ?? 'the user, the password or a parameter is not readable'}`,
      );
    }
  });
}

/** One address for each host. */
function splitHosts(address: string, setting: AddressSetting): string[] {
  const [, before = '', hosts = '', rest = ''] = PARTS.exec(address) ?? [];
  if (!hosts.includes(',')) return [address];
  return hosts.split(',').map((host) => {
    if (host === '') throw new DatabaseAddressError(`${setting} has an empty host in its list`);
    return `${before}${host}${rest}`;
  });
}

function parse(address: string, setting: AddressSetting): URL {
  if (!PARTS.test(address) || !URL.canParse(address)) throw notAnAddress(setting);
  return new URL(address);
}

/** The address is not shown: it may hold a password. */
function notAnAddress(setting: AddressSetting): DatabaseAddressError {
  return new DatabaseAddressError(
    `${setting} is not an address such as postgresql://user@host:5432/landfall`,
  );
}

/** Without what the driver must not see: `options` are given to it separately, and the other is unknown to it. */
function withoutOptions(url: URL): string {
  for (const name of ['options', 'target_session_attrs']) {
    if (url.searchParams.has(name)) url.searchParams.delete(name);
  }
  return url.href;
}

function refuseOwn(name: string, setting: AddressSetting): void {
  if (!ownSettings.has(name) && !DRIVER_LIMITS.includes(name)) return;
  throw new DatabaseAddressError(
    `${setting} must not set ${name}: Landfall sets it for each kind of session itself`,
  );
}

/** The names of the settings in `-c name=value`, `-cname=value` and `--name=value`, as PostgreSQL reads them. */
function settingNames(options: string): string[] {
  return [...options.matchAll(/(?:^|\s)(?:-c\s*|--)([\w.-]+)\s*=/g)].map(([, name = '']) =>
    name.replaceAll('-', '_').toLowerCase(),
  );
}
