// The playground's own certificates: a root, an issuer below it, and the certificates that it issues to identities.
import 'reflect-metadata';
import { createPrivateKey, randomBytes, webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  type Extension,
  type JsonName,
  KeyUsageFlags,
  KeyUsagesExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** A stored certificate with its key. */
export type KeptCertificate = {
  /** PKCS#8 PEM. */
  privateKey: string;
  /** Base64 DER. */
  certificate: string;
};

/** The playground's certificate authority. */
export type Authority = { root: KeptCertificate; issuer: KeptCertificate };

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

const AUTHORITY_YEARS = 10;
const IDENTITY_YEARS = 2;

/** Makes the root and the issuer, which are valid from `now` until ten years after `latest`. */
export async function makeAuthority(now: Date, latest: Date): Promise<Authority> {
  const rootName: JsonName = [{ C: ['NO'] }, { O: ['Landfall Playground'] }, { CN: ['Root'] }];
  const rootKeys = await makeKeys();
  const root = await issue(
    rootName,
    rootName,
    rootKeys,
    rootKeys.privateKey,
    now,
    yearsAfter(latest, AUTHORITY_YEARS),
    [
      new BasicConstraintsExtension(true, 1, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  );
  const issuerName: JsonName = [{ C: ['NO'] }, { O: ['Landfall Playground'] }, { CN: ['Issuer'] }];
  const issuerKeys = await makeKeys();
  const issuer = await issue(
    issuerName,
    rootName,
    issuerKeys,
    rootKeys.privateKey,
    now,
    yearsAfter(latest, AUTHORITY_YEARS),
    [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  );
  return { root: await keep(root, rootKeys), issuer: await keep(issuer, issuerKeys) };
}

/** What issues certificates: the name and the key of an authority's issuer, read once for all of them. */
export type Issuer = { name: JsonName; key: webcrypto.CryptoKey };

/** Reads the issuer of an authority. */
export async function readIssuer({ issuer }: Authority): Promise<Issuer> {
  return {
    name: readKept(issuer).subjectName.toJSON(),
    key: await readPrivateKey(issuer.privateKey),
  };
}

/** Makes a certificate for an identity, which is valid from `now` until two years after `latest`. */
export async function issueCertificate(
  issuer: Issuer,
  subject: JsonName,
  now: Date,
  latest: Date,
  keys: webcrypto.CryptoKeyPair,
): Promise<KeptCertificate> {
  const certificate = await issue(
    subject,
    issuer.name,
    keys,
    issuer.key,
    now,
    yearsAfter(latest, IDENTITY_YEARS),
    [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.nonRepudiation, true),
    ],
  );
  return keep(certificate, keys);
}

/** Reads a stored certificate. */
export function readKept({ certificate }: Pick<KeptCertificate, 'certificate'>): X509Certificate {
  return new X509Certificate(Buffer.from(certificate, 'base64'));
}

/** Makes an EC key. */
export function makeKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

async function readPrivateKey(pem: string): Promise<webcrypto.CryptoKey> {
  const der = createPrivateKey(pem).export({ format: 'der', type: 'pkcs8' });
  return webcrypto.subtle.importKey('pkcs8', der, ALGORITHM, false, ['sign']);
}

function issue(
  subject: JsonName,
  issuer: JsonName,
  { publicKey }: webcrypto.CryptoKeyPair,
  signingKey: webcrypto.CryptoKey,
  notBefore: Date,
  notAfter: Date,
  extensions: Extension[],
): Promise<X509Certificate> {
  // A positive number of 16 octets: the first bit is the sign (RFC 5280, section 4.1.2.2).
  const serial = randomBytes(16);
  serial[0] = 0x40 | (Number(serial[0]) & 0x3f);
  return X509CertificateGenerator.create({
    serialNumber: serial.toString('hex'),
    subject,
    issuer,
    notBefore,
    notAfter,
    signingAlgorithm: ALGORITHM,
    publicKey,
    signingKey,
    extensions,
  });
}

function yearsAfter(time: Date, years: number): Date {
  const later = new Date(time);
  later.setUTCFullYear(later.getUTCFullYear() + years);
  return later;
}

async function keep(
  certificate: X509Certificate,
  { privateKey }: webcrypto.CryptoKeyPair,
): Promise<KeptCertificate> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', privateKey));
  return {
    privateKey: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
      .export({ format: 'pem', type: 'pkcs8' })
      .toString(),
    certificate: Buffer.from(certificate.rawData).toString('base64'),
  };
}
