// Reads a file of credentials, as the playground writes it for each of its identities.
import { readFile } from 'node:fs/promises';
import { ConfigurationError } from '../errors/landfall-error.js';
import { parseRecord } from '../errors/read-api-error.js';
import { isLoopback } from '../http/secure-address.js';
import type { GrantAlgorithm } from '../tokens/algorithms.js';
import type {
  Credentials,
  DomesticCredentials,
  ForeignCredentials,
} from '../tokens/credentials.js';
import { Members } from './credentials-members.js';
import { readKey } from './read-key.js';

/** What a file of credentials says: options for a client. */
export type CredentialsFile = {
  baseUrl: string;
  credentials: Credentials;
  headers?: Record<string, string> | undefined;
};

/**
 * Reads a file of credentials: a JSON object with
 *
 * - `base_url` and `idp_url`, the addresses of the service and of its identity provider
 * - `kind`, `domestic` or `foreign`; `client_id`; and `scopes`, an array
 * - one of `private_key`, a PEM text or a private JWK; `key_file`, a file with PEM or PKCS#12; and `sign_command`, an array
 *   with a program and its arguments, which gets the bytes to sign on standard input and writes the signature to standard
 *   output within 30 seconds, with `alg`. Paths are relative to the file
 * - `passphrase_file`, or `passphrase_env` with the name of a variable of the environment (default
 *   `LANDFALL_KEY_PASSPHRASE`), if the key is encrypted
 * - `kid`, under which the key of a domestic business is registered, unless the JWK has it; or `x5c`, the certificates
 *   in base64 DER, leaf first. With both, grants carry the `kid`. A foreign business has `x5c`.
 * - `alg`, if an RSA key as PEM does not sign with RS256
 * - `strict`, true where presentations with members that the service does not know are to be refused, as in a playground;
 *   without it they are ignored, and the validation status names them
 *
 * @param baseUrl the address of the service, if it is not the one in the file. Grants are still sent to the identity
 *   provider in the file, except on this machine: that of a playground on another port moves with its service.
 * @throws ConfigurationError when the file cannot be read, or a member is missing or invalid
 * @example
 * const landfall = new Landfall(await readCredentials('.landfall/credentials/carrier.json'));
 */
export async function readCredentials(file: string, baseUrl?: string): Promise<CredentialsFile> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new ConfigurationError(`cannot read ${file}`, { cause });
  });
  // The platform's message may have a part of the text, which has a key.
  if (!isJson(text)) throw new ConfigurationError(`${file} is not valid JSON`);
  const members = new Members(file, parseRecord(text));
  const service = members.text('base_url');
  const provider = members.text('idp_url');
  // A grant opens the service that it was made for to whoever gets it, so it leaves the hosts in the file only on loopback.
  const isBelow =
    baseUrl !== undefined &&
    provider.startsWith(`${service}/`) &&
    [service, baseUrl].every((url) => URL.canParse(url) && isLoopback(new URL(url).hostname));
  return {
    baseUrl: baseUrl ?? service,
    ...(members.flag('strict') && { headers: { prefer: 'handling=strict' } }),
    credentials: {
      ...(await readIdentity(members)),
      scopes: members.list('scopes'),
      identityProvider: {
        url: isBelow ? `${baseUrl}${provider.slice(service.length)}` : provider,
        // The identity provider expects the address in the file as audience, whatever URL reaches it.
        audience: provider,
      },
    },
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

type ReadIdentity =
  | Omit<DomesticCredentials, 'identityProvider'>
  | Omit<ForeignCredentials, 'identityProvider'>;

/** Who the client is, and the key that proves it. */
async function readIdentity(members: Members): Promise<ReadIdentity> {
  const { key, certificates: inKeyFile } = await readKey(members);
  const common = {
    clientId: members.text('client_id'),
    key,
    // The cast is true once the key is opened, which refuses other algorithms.
    algorithm: members.optionalText('alg') as GrantAlgorithm | undefined,
  };
  const kind = members.text('kind');
  const certificates = members.has('x5c') ? members.list('x5c') : inKeyFile;
  if (kind === 'foreign') {
    return { ...common, kind, certificates: certificates ?? members.list('x5c') };
  }
  if (kind !== 'domestic') throw members.invalid('kind', 'domestic or foreign');
  const keyId = members.optionalText('kid');
  const isRegistered =
    keyId !== undefined || (typeof common.key === 'object' && 'kid' in common.key);
  if (!isRegistered && certificates === undefined) throw members.missing('kid or x5c');
  return { ...common, kind, keyId, certificates };
}
