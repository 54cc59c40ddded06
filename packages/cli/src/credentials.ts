// Who this command acts as: the credentials that the playground wrote, and the addresses in them.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compileCheck, PlaygroundCredentials } from '@landfall/contract';
import { CommandFailedError, codeOf } from './exit.js';
import type { IdentityOptions } from './identity-options.js';
import { nextCommand } from './next-command.js';

/** There are no credentials of that name, or they cannot be read. */
export class CredentialsError extends CommandFailedError {
  override readonly code = 'CREDENTIALS';
  override name = 'CredentialsError';
}

/** One identity and the service that it speaks to. */
export type Session = {
  credentials: PlaygroundCredentials;
  /** Address of the service, without a slash at the end. */
  baseUrl: string;
  /** Address of the identity provider, without a slash at the end. */
  idpUrl: string;
  dataFolder: string;
};

/**
 * Reads the credentials that the options ask for.
 *
 * @throws CredentialsError
 */
export async function openSession({ as, data, url }: IdentityOptions): Promise<Session> {
  const credentials = await readCredentials(data, as);
  return { credentials, ...addressesOf(credentials, url), dataFolder: data };
}

/** All credentials in a data folder; what is not one is left out. */
export async function readAllCredentials(folder: string): Promise<PlaygroundCredentials[]> {
  // A folder that is not there has no credentials, and a file that cannot be read is none.
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
    throw new CredentialsError(`${file} does not hold credentials: ${fields.join('; ')}`);
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
  // A folder that is not there has no credentials: that is what the message says.
  const files = await readdir(join(folder, 'credentials')).catch(() => []);
  const names = files.filter((entry) => entry.endsWith('.json')).map((entry) => entry.slice(0, -5));
  return names.length === 0
    ? `there are no credentials in ${folder}; start a playground first: ${nextCommand(['playground'], { data: folder })}`
    : `there is no identity "${name}" in ${folder}; there are: ${names.sort().join(', ')}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An identity provider that lies below the service moves with it; another one stays where it is. */
export function addressesOf(
  { base_url, idp_url }: Pick<PlaygroundCredentials, 'base_url' | 'idp_url'>,
  url?: string,
): Pick<Session, 'baseUrl' | 'idpUrl'> {
  const baseUrl = url ?? base_url;
  const below = idp_url.startsWith(`${base_url}/`);
  return { baseUrl, idpUrl: below ? `${baseUrl}${idp_url.slice(base_url.length)}` : idp_url };
}
