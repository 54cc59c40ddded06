// Reads the settings: a file that names an identity for each role, or the folder of credentials of a playground.
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DEFAULT_SCOPE_PREFIX, isObject } from '@landfall/contract';
import { type Identity, type Role, roles, type Settings, SettingsError } from './settings.js';

/** Which identity of a playground has which role. */
const playgroundRoles: Record<Role, string> = {
  presenter: 'carrier',
  other: 'forwarder',
  foreign: 'express',
  authority: 'authority',
  publisher: 'authority',
  reader: 'statistics',
  uploader: 'broker',
  newcomer: 'newcomer',
};

type Members = Record<string, unknown>;

/**
 * Reads the settings of a run.
 *
 * @param path a file of settings, or a folder with the files of credentials that a playground writes
 * @param given addresses that replace those of the file
 * @throws SettingsError that names the file and the member
 */
export async function readSettings(
  path: string,
  given: { baseUrl?: string | undefined; identityProviderUrl?: string | undefined } = {},
): Promise<Settings> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new SettingsError(`cannot read ${path}`);
  const members = found.isDirectory() ? await readFolder(path) : await readMembers(path);
  const folder = found.isDirectory() ? path : dirname(path);
  const { identities: named = {} } = members;
  if (!isObject(named)) throw new SettingsError(`${path}: identities must be an object`);
  const unknown = Object.keys(named).find((role) => !Object.hasOwn(roles, role));
  if (unknown !== undefined) {
    throw new SettingsError(
      `${path}: identities.${unknown} is not a role; roles are ${Object.keys(roles).join(', ')}`,
    );
  }
  const identities: Settings['identities'] = {};
  for (const [role, value] of Object.entries(named)) {
    const where = `${path}: identities.${role}`;
    const file = typeof value === 'string' ? resolve(folder, value) : undefined;
    const identity = file === undefined ? value : await readMembers(file);
    if (!isObject(identity)) throw new SettingsError(`${where} must be an object or a file name`);
    // The cast is true because every name was compared with the roles.
    identities[role as Role] = readIdentity(identity, file ?? where);
  }
  const baseUrl = trimAddress(given.baseUrl ?? textOf(members, 'baseUrl', path));
  const provider = members.identityProvider;
  if (!isObject(provider)) throw new SettingsError(`${path}: identityProvider must be an object`);
  const configured = trimAddress(textOf(provider, 'url', `${path}: identityProvider`));
  const url = given.identityProviderUrl ?? moveWithService(configured, members.baseUrl, baseUrl);
  return {
    baseUrl,
    identityProvider: {
      url: trimAddress(url),
      audience: optionalText(provider, 'audience', path) ?? configured,
    },
    scopePrefix: optionalText(members, 'scopePrefix', path) ?? DEFAULT_SCOPE_PREFIX,
    identities,
    expiredToken: optionalText(members, 'expiredToken', path),
    expiredMarker: optionalText(members, 'expiredMarker', path),
    customsOffices: await readList(optionalText(members, 'customsOffices', path), folder),
  };
}

/** The text of the list of customs offices. */
async function readList(name: string | undefined, folder: string): Promise<string | undefined> {
  if (name === undefined) return undefined;
  const file = resolve(folder, name);
  return readFile(file, 'utf8').catch(() => {
    throw new SettingsError(`cannot read ${file}`);
  });
}

/** An identity provider below the address of the service moves with it. */
function moveWithService(provider: string, service: unknown, baseUrl: string): string {
  const isBelow = typeof service === 'string' && provider.startsWith(`${trimAddress(service)}/`);
  return isBelow ? `${baseUrl}${provider.slice(trimAddress(service).length)}` : provider;
}

/** The settings that follow from the files of a playground. */
async function readFolder(folder: string): Promise<Members> {
  const identities: Members = {};
  let addresses: Members = {};
  for (const [role, name] of Object.entries(playgroundRoles)) {
    const file = join(folder, `${name}.json`);
    const exists = (await stat(file).catch(() => undefined)) !== undefined;
    if (!exists) continue;
    const { base_url: baseUrl, idp_url: url } = await readMembers(file);
    addresses = { baseUrl, identityProvider: { url } };
    identities[role] = `${name}.json`;
  }
  if (Object.keys(identities).length > 0) return { ...addresses, identities };
  throw new SettingsError(`${folder} has no files of credentials, such as carrier.json`);
}

function readIdentity(members: Members, where: string): Identity {
  const privateKey = readKey(members.private_key, where);
  const ownId = isObject(members.private_key) ? members.private_key.kid : undefined;
  const keyId =
    optionalText(members, 'kid', where) ?? (typeof ownId === 'string' ? ownId : undefined);
  const certificates = listOf(members, 'x5c', where);
  if (keyId === undefined && certificates.length === 0) {
    throw new SettingsError(`${where}: x5c or kid is required`);
  }
  const kind = textOf(members, 'kind', where);
  if (kind !== 'domestic' && kind !== 'foreign') {
    throw new SettingsError(`${where}: kind must be domestic or foreign`);
  }
  return {
    kind,
    organisation: textOf(members, 'organisation', where),
    clientId: textOf(members, 'client_id', where),
    scopes: listOf(members, 'scopes', where),
    privateKey,
    algorithm: optionalText(members, 'alg', where),
    certificates,
    keyId,
  };
}

/** A private key as PEM text or as a JWK. */
function readKey(value: unknown, where: string): KeyObject {
  try {
    if (typeof value === 'string') return createPrivateKey(value);
    if (isObject(value)) return createPrivateKey({ key: value, format: 'jwk' });
  } catch {
    // Without the cause, which could quote the key.
  }
  throw new SettingsError(`${where}: private_key must be a private key as PEM text or as a JWK`);
}

async function readMembers(file: string): Promise<Members> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new SettingsError(`cannot read ${file}`);
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own message would quote the text, which may be a private key.
    throw new SettingsError(`${file} is not JSON`);
  }
  if (isObject(value)) return value;
  throw new SettingsError(`${file} must be a JSON object`);
}

function textOf(members: Members, name: string, where: string): string {
  const value = optionalText(members, name, where);
  if (value !== undefined) return value;
  throw new SettingsError(`${where}: ${name} is required`);
}

function optionalText(members: Members, name: string, where: string): string | undefined {
  const value = members[name];
  if (value === undefined || (typeof value === 'string' && value !== '')) return value;
  throw new SettingsError(`${where}: ${name} must be a text`);
}

function listOf(members: Members, name: string, where: string): string[] {
  const value = members[name] ?? [];
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw new SettingsError(`${where}: ${name} must be a list of texts`);
}

function trimAddress(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end--;
  return address.slice(0, end);
}
