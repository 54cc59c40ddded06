// Signatures of ECDSA in the form of a JWT (RFC 7518, section 3.4).
import { concat, readElement, readElements } from '../der/der.js';
import type { GrantAlgorithm } from './algorithms.js';

/** The length of r and of s, in bytes. */
const INTEGER_LENGTH: Partial<Record<GrantAlgorithm, number>> = { ES256: 32, ES384: 48, ES512: 66 };

/** r and s one after another. Several HSMs and key services give them in DER instead. */
export function toRawSignature(signature: Uint8Array, algorithm: GrantAlgorithm): Uint8Array {
  const length = INTEGER_LENGTH[algorithm];
  if (length === undefined || signature.length === 2 * length) return signature;
  const integers = readElements(readElement(new Uint8Array(signature)).value);
  const [r, s] = integers.map(({ value }) => {
    // DER has a leading zero before a first bit that is set, and leaves leading zeros out otherwise.
    const significant = value.subarray(Math.max(0, value.length - length));
    return concat(new Uint8Array(length - significant.length), significant);
  });
  return concat(r ?? signature, s ?? new Uint8Array());
}
