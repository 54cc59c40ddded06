// Reads a file of credentials, as the playground writes it for each of its identities.
import { readFile } from 'node:fs/promises';
import { ConfigurationError } from '../errors/landfall-error.js';
import { parseRecord, textOf } from '../errors/read-api-error.js';
import type { Credentials } from '../tokens/credentials.js';

/** What a file of credentials says: options for a client. */
export type CredentialsFile = { baseUrl: string; credentials: Credentials };

/**
 * Reads a file of credentials.
 *
 * @param baseUrl the address of the service, if it is not the one in the file. An identity provider below that one moves
 *   with it.
 * @throws ConfigurationError when the file cannot be read
 * @example
 * const landfall = new Landfall(await readCredentials('.landfall/credentials/carrier.json'));
 */
export async function readCredentials(file: string, baseUrl?: string): Promise<CredentialsFile> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new ConfigurationError(`cannot read ${file}`, { cause });
  });
  const members = parseRecord(text);
  const read = (name: string) => {
    const value = textOf(members[name]);
    if (value === undefined) throw new ConfigurationError(`${file} has no ${name}`);
    return value;
  };
  const readList = (name: string) => {
    const value = members[name];
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
    throw new ConfigurationError(`${file} has no ${name}`);
  };
  const service = read('base_url');
  const provider = read('idp_url');
  const isBelow = baseUrl !== undefined && provider.startsWith(`${service}/`);
  return {
    baseUrl: baseUrl ?? service,
    credentials: {
      kind: read('kind') === 'foreign' ? 'foreign' : 'domestic',
      clientId: read('client_id'),
      key: read('private_key'),
      certificates: readList('x5c'),
      scopes: readList('scopes'),
      identityProvider: {
        url: isBelow ? `${baseUrl}${provider.slice(service.length)}` : provider,
        // The identity provider expects the address in the file as audience, whatever URL reaches it.
        audience: provider,
      },
    },
  };
}
