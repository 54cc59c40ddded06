// Checks a chain of certificates, leaf first, up to a trusted issuer (RFC 5280, section 6, without revocation).

import {
  allowsSealing,
  type Certificate,
  certificateKey,
  isAuthority,
  isStrong,
  mayBeUsedFor,
  mayIssue,
  otherPurpose,
  quoteValue,
  toBase64,
} from '@landfall/service/tokens';
import { KeyUsageFlags } from '@peculiar/x509';
import { GrantRefusedError } from './grant-errors.js';

/** Extensions that may be critical: those that are checked, and those that only describe the subject. */
const understoodExtensions = new Set([
  '2.5.29.19',
  '2.5.29.15',
  '2.5.29.37',
  '2.5.29.17',
  '2.5.29.32',
]);

const acceptedHashes = new Set(['SHA-256', 'SHA-384', 'SHA-512']);

/** Certificates, leaf first. */
export type Chain = readonly [Certificate, ...Certificate[]];

/** Checks that the certificate is of an end entity, with a key for signatures. Throws GrantRefusedError MP-120. */
export function checkLeaf(leaf: Certificate): void {
  if (isAuthority(leaf)) {
    throw refused(leaf, 'is a certificate authority and not an end entity');
  }
  if (!mayBeUsedFor(leaf, KeyUsageFlags.digitalSignature | KeyUsageFlags.nonRepudiation)) {
    throw refused(leaf, 'has a key that is not for signatures');
  }
  const other = otherPurpose(leaf);
  if (other !== undefined || !allowsSealing(leaf)) {
    const purpose = other === undefined ? 'for none of the purposes of a seal' : `for ${other}`;
    throw refused(leaf, `is ${purpose} (extended key usage) and not for seals`);
  }
  checkCertificate(leaf);
}

/** Checks the validity period of the certificate. Throws GrantRefusedError MP-121. */
export function checkTime({ subject, notBefore, notAfter }: Certificate, now: Date): void {
  if (now > notAfter) {
    throw new GrantRefusedError(
      'MP-121',
      `the certificate of ${quoteValue(subject)} ended on ${notAfter.toISOString()}`,
    );
  }
  if (now < notBefore) {
    throw new GrantRefusedError(
      'MP-121',
      `the certificate of ${quoteValue(subject)} begins on ${notBefore.toISOString()}`,
    );
  }
}

/**
 * The chain with the trusted issuer at its end, which the client may leave out. Throws GrantRefusedError MP-120 if the
 * chain does not lead to a trusted issuer.
 */
export async function completeChain(
  chain: Chain,
  trustedIssuers: readonly Certificate[],
): Promise<Certificate[]> {
  const last = chain.at(-1) ?? chain[0];
  for (const trusted of trustedIssuers) {
    if (toBase64(last) === toBase64(trusted)) return [...chain];
    if (last.issuer === trusted.subject && (await isSignedBy(last, trusted))) {
      return [...chain, trusted];
    }
  }
  throw refused(last, `was issued by ${quoteValue(last.issuer)}, which is not a trusted issuer`);
}

/** Checks the key and the extensions of one certificate. Throws GrantRefusedError MP-120. */
function checkCertificate(certificate: Certificate): void {
  if (!isStrong(certificateKey(certificate))) throw refused(certificate, 'has a key that is short');
  const unknown = certificate.extensions.find(
    ({ critical, type }) => critical && !understoodExtensions.has(type),
  );
  if (unknown !== undefined) {
    throw refused(certificate, `has the critical extension ${unknown.type}, which is not known`);
  }
}

/**
 * Checks that a certificate was issued by the next one, and that this one may issue it. Throws GrantRefusedError
 * MP-120.
 *
 * @param issuersBelow how many certificates of the chain are below this one
 */
export async function checkLink(
  certificate: Certificate,
  issuer: Certificate,
  issuersBelow: number,
): Promise<void> {
  checkCertificate(issuer);
  if (!sameName(certificate, issuer)) {
    throw refused(
      certificate,
      `was issued by ${quoteValue(certificate.issuer)}, and the next is ${quoteValue(issuer.subject)}`,
    );
  }
  if (!mayIssue(issuer, issuersBelow) || !mayBeUsedFor(issuer, KeyUsageFlags.keyCertSign)) {
    throw refused(issuer, 'may not issue the certificates below it');
  }
  if (!allowsSealing(issuer)) {
    throw refused(issuer, 'may not issue certificates for seals (extended key usage)');
  }
  if (!(await isSignedBy(certificate, issuer))) {
    throw refused(certificate, `is not signed by ${quoteValue(issuer.subject)}`);
  }
}

function sameName(certificate: Certificate, issuer: Certificate): boolean {
  const wanted = Buffer.from(certificate.issuerName.toArrayBuffer());
  return wanted.equals(Buffer.from(issuer.subjectName.toArrayBuffer()));
}

async function isSignedBy(certificate: Certificate, issuer: Certificate): Promise<boolean> {
  const { signatureAlgorithm } = certificate;
  // Ed25519 names no hash.
  if ('hash' in signatureAlgorithm && !acceptedHashes.has(signatureAlgorithm.hash.name)) {
    return false;
  }
  try {
    return await certificate.verify({ publicKey: issuer.publicKey, signatureOnly: true });
  } catch {
    // WebCrypto throws if the issuer's key is of another type than the signature, which is then not the issuer's.
    return false;
  }
}

function refused({ subject }: Certificate, what: string): GrantRefusedError {
  return new GrantRefusedError('MP-120', `the certificate of ${quoteValue(subject)} ${what}`);
}
