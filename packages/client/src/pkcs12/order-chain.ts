// Orders certificates as `x5c` requires: the leaf, then the issuer of each.
import { readElement, readElements, toHex } from '../der/der.js';

type Certificate = { der: Uint8Array<ArrayBuffer>; subject: string; issuer: string };

/**
 * The chain of the leaf. Certificates that do not belong to it are left out.
 *
 * @param leaf which certificate belongs to the key; without it, the one that issued no other
 */
export function orderChain(
  certificates: readonly Uint8Array<ArrayBuffer>[],
  leaf?: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer>[] {
  const all = certificates.map(readNames);
  const others = (one: Certificate) => all.filter((other) => other !== one);
  let next =
    all.find(({ der }) => der === leaf) ??
    all.find((one) => !others(one).some(({ issuer }) => issuer === one.subject));
  const chain: Certificate[] = [];
  while (next !== undefined && !chain.includes(next)) {
    chain.push(next);
    const { issuer } = next;
    next = all.find(({ subject }) => subject === issuer);
  }
  return chain.map(({ der }) => der);
}

/** The names in a certificate (RFC 5280, section 4.1), which are compared byte by byte. */
function readNames(der: Uint8Array<ArrayBuffer>): Certificate {
  const [content] = readElements(readElement(der).value);
  const members = readElements(content?.value ?? new Uint8Array());
  // The version, with the context tag 0, is left out of certificates of version 1.
  const first = members[0]?.tag === 0xa0 ? 1 : 0;
  const nameAt = (index: number) => toHex(members[first + index]?.bytes ?? new Uint8Array());
  return { der, issuer: nameAt(2), subject: nameAt(4) };
}
