// Reads the key that a file of credentials names: in it, in a file of its own, or in something that signs elsewhere.
import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ConfigurationError } from '../errors/landfall-error.js';
import { decryptPem } from '../pkcs12/decrypt-pem.js';
import { readPkcs12 } from '../pkcs12/read-pkcs12.js';
import type { GrantAlgorithm } from '../tokens/algorithms.js';
import type { SigningKey } from '../tokens/signing-key.js';
import type { Members } from './credentials-members.js';
import { runSigner } from './run-signer.js';

/** A key, and the certificates that are in the same file. */
export type ReadKey = { key: SigningKey; certificates?: string[] };

/**
 * Reads the key of `private_key`, `key_file` or `sign_command`.
 *
 * @throws ConfigurationError when there is not exactly one of them, or it cannot be read
 */
export async function readKey(members: Members): Promise<ReadKey> {
  const sources = ['private_key', 'key_file', 'sign_command'].filter((name) => members.has(name));
  if (sources.length === 0) throw members.missing('private_key, key_file or sign_command');
  if (sources.length > 1) {
    throw new ConfigurationError(`${members.file} has ${sources.join(' and ')}: give one of them`);
  }
  if (members.has('sign_command')) return { key: signWith(members) };
  if (members.has('private_key')) {
    const key = members.key('private_key');
    return { key: typeof key === 'string' ? await decrypt(members, key) : key };
  }
  const path = resolve(dirname(members.file), members.text('key_file'));
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new ConfigurationError(`cannot read ${path}, the key_file of ${members.file}`, { cause });
  });
  await warnIfReadable(path);
  const pem = bytes.toString('latin1');
  if (pem.includes('-----BEGIN')) return { key: await decrypt(members, pem) };
  return readPkcs12(bytes, await readPassphrase(members));
}

/** Warns, once for each file, of a key that every user of the machine can read. */
async function warnIfReadable(path: string): Promise<void> {
  // Windows has other permissions.
  if (process.platform === 'win32' || warned.has(path)) return;
  const { mode } = await stat(path);
  if ((mode & 0o004) === 0) return;
  warned.add(path);
  process.emitWarning(`every user can read the key in ${path}: chmod 600 ${path}`, {
    code: 'LANDFALL_KEY_READABLE',
  });
}

const warned = new Set<string>();

/** A key as PEM, decrypted if it is encrypted. */
async function decrypt(members: Members, pem: string): Promise<string> {
  if (!pem.includes('BEGIN ENCRYPTED PRIVATE KEY')) return pem;
  return decryptPem(pem, await readPassphrase(members));
}

/** The passphrase: in a file, or in a variable of the environment. It is never in the file of credentials. */
async function readPassphrase(members: Members): Promise<string> {
  const given = members.optionalText('passphrase_file');
  if (given !== undefined) {
    const path = resolve(dirname(members.file), given);
    const content = await readFile(path, 'utf8').catch((cause: unknown) => {
      throw new ConfigurationError(`cannot read ${path}, the passphrase_file of ${members.file}`, {
        cause,
      });
    });
    return content.replace(/\r?\n$/, '');
  }
  const variable = members.optionalText('passphrase_env') ?? 'LANDFALL_KEY_PASSPHRASE';
  const passphrase = process.env[variable];
  if (passphrase !== undefined) return passphrase;
  throw new ConfigurationError(
    `the key of ${members.file} is encrypted, and ${variable} is not set: set it, or name a file with passphrase_file`,
  );
}

/** Signs with a command, which gets the bytes on standard input and writes the signature to standard output. */
function signWith(members: Members): SigningKey {
  const [program, ...words] = members.list('sign_command');
  if (program === undefined) throw members.invalid('sign_command', 'a program and its arguments');
  // The cast is true once the first grant is signed: the identity provider refuses other algorithms.
  const algorithm = members.text('alg') as GrantAlgorithm;
  const folder = dirname(resolve(members.file));
  const signer = { program, words, folder, name: `sign_command of ${members.file}` };
  return { algorithm, sign: (data: Uint8Array<ArrayBuffer>) => runSigner(signer, data) };
}
