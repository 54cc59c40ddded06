// Reads the credentials of the identity that a command acts as.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compileCheck, PlaygroundCredentials } from '@landfall/contract';
import type { IdentityOptions } from '../input/options.js';
import { nextCommand } from '../output/next-command.js';
import { CommandFailedError, codeOf } from '../process/exit.js';

/** The credentials are missing or cannot be read. */
export class CredentialsError extends CommandFailedError {
  override readonly code = 'CREDENTIALS';
  override name = 'CredentialsError';
}

/** An identity and the service that it calls. */
export type Session = {
  credentials: PlaygroundCredentials;
  /** Address of the service, without a slash at the end. */
  baseUrl: string;
  /** Address of the identity provider, without a slash at the end. */
  idpUrl: string;
  dataFolder: string;
};

/**
 * Opens a session with the credentials that the options select.
 *
 * @throws CredentialsError
 */
export async function openSession({ as, data, url }: IdentityOptions): Promise<Session> {
  const credentials = await readCredentials(data, as);
  return { credentials, ...addressesOf(credentials, url), dataFolder: data };
}

/** Reads all credentials in a data folder; skips files that are not credentials. */
export async function readAllCredentials(folder: string): Promise<PlaygroundCredentials[]> {
  // A missing folder has no credentials; an unreadable file is skipped.
  const files = await readdir(join(folder, 'credentials')).catch(() => []);
  const names = files.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5));
  const read = names.sort().map((name) => readCredentials(folder, name).catch(() => []));
  return (await Promise.all(read)).flat();
}

async function readCredentials(folder: string, name: string): Promise<PlaygroundCredentials> {
  const file = join(folder, 'credentials', `${name}.json`);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new CredentialsError(await explainMissing(folder, name, file, codeOf(error)));
  }
  const checked = compileCheck<PlaygroundCredentials>(PlaygroundCredentials)(parse(text));
  if (!checked.valid) {
    const fields = checked.errors.map(({ field, error }) => `${field} ${error}`.trim());
    throw new CredentialsError(`${file} is not a valid credentials file: ${fields.join('; ')}`);
  }
  return checked.value;
}

async function explainMissing(
  folder: string,
  name: string,
  file: string,
  code: string | undefined,
): Promise<string> {
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return `cannot read ${file} (${code})`;
  // A missing folder has no credentials, which the message says.
  const files = await readdir(join(folder, 'credentials')).catch(() => []);
  const names = files.filter((entry) => entry.endsWith('.json')).map((entry) => entry.slice(0, -5));
  return names.length === 0
    ? `no credentials in ${folder}; start a playground first: ${nextCommand(['playground'], { data: folder })}`
    : `no identity "${name}" in ${folder}; available: ${names.sort().join(', ')}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The addresses of a session. An identity provider below the service's address follows `url`; an external one does not. */
export function addressesOf(
  { base_url, idp_url }: Pick<PlaygroundCredentials, 'base_url' | 'idp_url'>,
  url?: string,
): Pick<Session, 'baseUrl' | 'idpUrl'> {
  const baseUrl = url ?? base_url;
  const below = idp_url.startsWith(`${base_url}/`);
  return { baseUrl, idpUrl: below ? `${baseUrl}${idp_url.slice(base_url.length)}` : idp_url };
}
