// Reads a file of credentials, as the playground writes it for each of its identities.
import { readFile } from 'node:fs/promises';
import { ConfigurationError } from '../errors/landfall-error.js';
import { parseRecord, textOf } from '../errors/read-api-error.js';
import type { GrantAlgorithm } from '../tokens/algorithms.js';
import type {
  Credentials,
  DomesticCredentials,
  ForeignCredentials,
} from '../tokens/credentials.js';
import type { PrivateJwk } from '../tokens/signing-key.js';

/** What a file of credentials says: options for a client. */
export type CredentialsFile = { baseUrl: string; credentials: Credentials };

/**
 * Reads a file of credentials: a JSON object with
 *
 * - `base_url` and `idp_url`, the addresses of the service and of its identity provider
 * - `kind`, `domestic` or `foreign`; `client_id`; and `scopes`, an array
 * - `private_key`: a PEM text, or a private JWK
 * - `kid`, under which the key of a domestic business is registered, unless the JWK has it; or `x5c`, the certificates
 *   in base64 DER, leaf first. With both, grants carry the `kid`. A foreign business has `x5c`.
 * - `alg`, if an RSA key as PEM does not sign with RS256
 *
 * @param baseUrl the address of the service, if it is not the one in the file. An identity provider below that one moves
 *   with it.
 * @throws ConfigurationError when the file cannot be read, or a member is missing or invalid
 * @example
 * const landfall = new Landfall(await readCredentials('.landfall/credentials/carrier.json'));
 */
export async function readCredentials(file: string, baseUrl?: string): Promise<CredentialsFile> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new ConfigurationError(`cannot read ${file}`, { cause });
  });
  const members = new Members(file, parseRecord(text));
  const service = members.text('base_url');
  const provider = members.text('idp_url');
  const isBelow = baseUrl !== undefined && provider.startsWith(`${service}/`);
  return {
    baseUrl: baseUrl ?? service,
    credentials: {
      ...readIdentity(members),
      scopes: members.list('scopes'),
      identityProvider: {
        url: isBelow ? `${baseUrl}${provider.slice(service.length)}` : provider,
        // The identity provider expects the address in the file as audience, whatever URL reaches it.
        audience: provider,
      },
    },
  };
}

type ReadIdentity =
  | Omit<DomesticCredentials, 'identityProvider'>
  | Omit<ForeignCredentials, 'identityProvider'>;

/** Who the client is, and the key that proves it. */
function readIdentity(members: Members): ReadIdentity {
  const common = {
    clientId: members.text('client_id'),
    key: members.key('private_key'),
    // The cast is true once the key is opened, which refuses other algorithms.
    algorithm: members.optionalText('alg') as GrantAlgorithm | undefined,
  };
  const kind = members.text('kind');
  if (kind === 'foreign') return { ...common, kind, certificates: members.list('x5c') };
  if (kind !== 'domestic') throw members.invalid('kind', 'domestic or foreign');
  const keyId = members.optionalText('kid');
  const isRegistered =
    keyId !== undefined || (typeof common.key === 'object' && 'kid' in common.key);
  if (!isRegistered && !members.has('x5c')) throw members.missing('kid or x5c');
  const certificates = members.has('x5c') ? members.list('x5c') : undefined;
  return { ...common, kind, keyId, certificates };
}

/** The members of a file, which its errors name. */
class Members {
  readonly #file: string;
  readonly #members: Record<string, unknown>;

  constructor(file: string, members: Record<string, unknown>) {
    this.#file = file;
    this.#members = members;
  }

  has(name: string): boolean {
    return this.#members[name] !== undefined;
  }

  text(name: string): string {
    const value = this.optionalText(name);
    if (value === undefined) throw this.missing(name);
    return value;
  }

  optionalText(name: string): string | undefined {
    const value = this.#members[name];
    if (value !== undefined && textOf(value) === undefined) throw this.invalid(name, 'a text');
    return textOf(value);
  }

  list(name: string): string[] {
    const value = this.#members[name];
    if (value === undefined) throw this.missing(name);
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
    throw this.invalid(name, 'an array of texts');
  }

  key(name: string): string | PrivateJwk {
    const value = this.#members[name];
    if (value === undefined) throw this.missing(name);
    if (typeof value === 'string' || isJwk(value)) return value;
    throw this.invalid(name, 'a PEM text or a private JWK');
  }

  missing(name: string): ConfigurationError {
    return new ConfigurationError(`${this.#file} has no ${name}`);
  }

  invalid(name: string, expected: string): ConfigurationError {
    return new ConfigurationError(`${name} in ${this.#file} is not ${expected}`);
  }
}

function isJwk(value: unknown): value is PrivateJwk {
  return typeof value === 'object' && value !== null && 'kty' in value;
}
