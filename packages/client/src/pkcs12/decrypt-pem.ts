// Decrypts a private key in PEM.
import { readElement, readElements } from '../der/der.js';
import { readPem, writePem } from '../der/pem.js';
import { ConfigurationError } from '../errors/landfall-error.js';
import { decrypt } from './decrypt.js';

/**
 * The private key of a PEM text with `ENCRYPTED PRIVATE KEY` (PKCS#8 with AES), as PEM without encryption.
 *
 * @throws ConfigurationError when the password is wrong or the encryption is not supported
 */
export async function decryptPem(pem: string, password: string): Promise<string> {
  const block = readPem(pem).find(({ label }) => label === 'ENCRYPTED PRIVATE KEY');
  if (block === undefined) {
    throw new ConfigurationError('there is no ENCRYPTED PRIVATE KEY in the PEM text');
  }
  const [algorithm, encrypted] = readElements(readElement(block.bytes).value);
  const key = await decrypt(algorithm, encrypted?.value ?? new Uint8Array(), password);
  return writePem('PRIVATE KEY', key);
}
