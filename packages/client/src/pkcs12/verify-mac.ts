// Verifies the MAC of a PKCS#12 file (RFC 7292, section 4 and appendix B): whether the password is right and the file whole.
import { concat, type DerElement, readElements } from '../der/der.js';
import { ConfigurationError } from '../errors/landfall-error.js';
import { readAlgorithm, readIterations, unsupported } from './decrypt.js';
import { macDigests } from './object-identifiers.js';

/** The purpose of the derived key: a MAC. */
const MAC_KEY = 3;

/** Each of them is a call of WebCrypto, which takes far longer than the digest itself: this many take a few seconds. */
const MAX_ITERATIONS = 100_000;

/** @throws ConfigurationError when the MAC does not fit */
export async function verifyMac(
  macData: DerElement | undefined,
  content: Uint8Array<ArrayBuffer>,
  password: string,
): Promise<void> {
  const [digestInfo, salt, iterations] = readElements(macData?.value ?? new Uint8Array());
  const [algorithm, digest] = readElements(digestInfo?.value ?? new Uint8Array());
  const mac = macDigests[readAlgorithm(algorithm).identifier];
  if (mac === undefined || salt === undefined || digest === undefined) throw unsupported();
  const { hash, blockLength } = mac;
  const count = iterations === undefined ? 1 : readIterations(iterations, MAX_ITERATIONS);
  const secret = await deriveMacKey(password, salt.value, count, hash, blockLength);
  const parameters = { name: 'HMAC', hash };
  const key = await crypto.subtle.importKey('raw', secret, parameters, false, ['verify']);
  if (await crypto.subtle.verify('HMAC', key, digest.value, content)) return;
  throw new ConfigurationError(
    'the password is wrong, or the file was changed (its MAC does not fit)',
  );
}

/** Appendix B.2, for a key that is as long as the hash: the first round is enough. */
async function deriveMacKey(
  password: string,
  salt: Uint8Array,
  iterations: number,
  hash: string,
  blockLength: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const diversifier = new Uint8Array(blockLength).fill(MAC_KEY);
  const input = concat(
    diversifier,
    repeat(salt, blockLength),
    repeat(toBmpString(password), blockLength),
  );
  let key = new Uint8Array(await crypto.subtle.digest(hash, input));
  for (let count = 1; count < iterations; count++) {
    key = new Uint8Array(await crypto.subtle.digest(hash, key));
  }
  return key;
}

/** The bytes repeated up to a multiple of the length. */
function repeat(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const repeated = new Uint8Array(Math.ceil(bytes.length / length) * length);
  return repeated.map((_, index) => bytes[index % bytes.length] ?? 0);
}

/** UTF-16 with the high byte first, and a final zero (appendix B.1). */
function toBmpString(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(2 * text.length + 2);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < text.length; index++)
    view.setUint16(2 * index, text.charCodeAt(index));
  return bytes;
}
