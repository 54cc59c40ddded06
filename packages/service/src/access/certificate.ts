// Reads a certificate: its subject, the permitted uses of its key, and the strength of the key.
import 'reflect-metadata';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { DOMESTIC_ORGANISATION_PREFIX } from '@landfall/contract';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  type KeyUsageFlags,
  KeyUsagesExtension,
  X509Certificate,
} from '@peculiar/x509';

/** A certificate that can be read. */
export type Certificate = X509Certificate;

/** organizationIdentifier (ETSI EN 319 412-1, section 5.1.4). */
const ORGANIZATION_IDENTIFIER = '2.5.4.97';

/** serialNumber of the subject, which contains the organisation number in Norwegian business certificates. */
const SUBJECT_SERIAL_NUMBER = '2.5.4.5';

/** The organisation number of Norway's national trade register, in the form of ETSI EN 319 412-1. */
const domesticIdentifier = /^NTRNO-([0-9]{9})$/;

const organisationNumber = /^[0-9]{9}$/;

/** The minimum size of an RSA key, in bits. */
const MIN_RSA_BITS = 2048;

const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Reads base64 DER; `undefined` when it is not a certificate. */
export function readCertificate(text: string): Certificate | undefined {
  if (!base64.test(text)) return undefined;
  try {
    const certificate = new X509Certificate(Buffer.from(text, 'base64'));
    certificateKey(certificate);
    readLazyParts(certificate);
    return certificate;
  } catch {
    return undefined;
  }
}

/** Extensions that the library parses on their first use. A certificate is unreadable if one of them is invalid. */
function readLazyParts(certificate: Certificate): void {
  const { extensions, subject, issuer, notBefore, notAfter, serialNumber } = certificate;
  void [extensions, subject, issuer, notBefore, notAfter, serialNumber];
}

/** Reads a PEM certificate, the form of trusted issuers. Throws if it is not a certificate. */
export function readPemCertificate(pem: string): Certificate {
  return new X509Certificate(pem);
}

/** A certificate as a member of x5c. */
export function toBase64(certificate: Certificate): string {
  return Buffer.from(certificate.rawData).toString('base64');
}

/** The certificate's public key. */
export function certificateKey(certificate: Certificate): KeyObject {
  const key = Buffer.from(certificate.publicKey.rawData);
  return createPublicKey({ key, format: 'der', type: 'spki' });
}

/** The eSeal's organizationIdentifier, unchanged. */
export function organizationIdentifier(certificate: Certificate): string | undefined {
  return certificate.subjectName.getField(ORGANIZATION_IDENTIFIER)[0];
}

/**
 * The identifier of the domestic organisation of a certificate, from `NTRNO-<number>` in organizationIdentifier or from
 * the number in the subject's serialNumber.
 */
export function domesticOrganisation(certificate: Certificate): string | undefined {
  const identifier = organizationIdentifier(certificate);
  const number =
    identifier === undefined
      ? certificate.subjectName
          .getField(SUBJECT_SERIAL_NUMBER)
          .find((text) => organisationNumber.test(text))
      : domesticIdentifier.exec(identifier)?.[1];
  return number === undefined ? undefined : `${DOMESTIC_ORGANISATION_PREFIX}${number}`;
}

/** The subject's organisation name and country, if it contains them. */
export function subjectOrganisation(certificate: Certificate): {
  organizationName: string | undefined;
  countryName: string | undefined;
} {
  return {
    organizationName: certificate.subjectName.getField('O')[0],
    countryName: certificate.subjectName.getField('C')[0],
  };
}

/** Whether the certificate may issue others, with this number of issuers below it. */
export function mayIssue(certificate: Certificate, issuersBelow: number): boolean {
  const constraints = certificate.getExtension(BasicConstraintsExtension);
  return (
    constraints?.ca === true &&
    (constraints.pathLength === undefined || constraints.pathLength >= issuersBelow)
  );
}

/** Whether the certificate belongs to a certificate authority and not to an end entity. */
export function isAuthority(certificate: Certificate): boolean {
  return certificate.getExtension(BasicConstraintsExtension)?.ca === true;
}

/** Whether the key may be used for one of the flags. Without keyUsage it may be used for all. */
export function mayBeUsedFor(certificate: Certificate, flags: KeyUsageFlags): boolean {
  const usages = certificate.getExtension(KeyUsagesExtension)?.usages;
  return usages === undefined || (usages & flags) !== 0;
}

/** Purposes (RFC 5280, section 4.2.1.12; RFC 9336; Microsoft) of certificates that seal, sign or identify a client. */
const SEALING_PURPOSES = new Set([
  '2.5.29.37.0', // any
  '1.3.6.1.5.5.7.3.2', // clientAuth
  '1.3.6.1.5.5.7.3.4', // emailProtection
  '1.3.6.1.5.5.7.3.36', // documentSigning
  '1.3.6.1.4.1.311.10.3.12', // Microsoft's document signing
]);

/** Purposes of certificates for something else: servers, code, time stamps, revocation responses. */
const OTHER_PURPOSES = new Set([
  '1.3.6.1.5.5.7.3.1', // serverAuth
  '1.3.6.1.5.5.7.3.3', // codeSigning
  '1.3.6.1.5.5.7.3.8', // timeStamping
  '1.3.6.1.5.5.7.3.9', // OCSPSigning
]);

/** Whether a certificate may sign grants or issue one that does. Without extended key usage it may. */
export function allowsSealing(certificate: Certificate): boolean {
  const purposes = purposesOf(certificate);
  return purposes === undefined || purposes.some((purpose) => SEALING_PURPOSES.has(purpose));
}

/** The first purpose of a certificate that excludes seals, such as that of a web server. */
export function otherPurpose(certificate: Certificate): string | undefined {
  return purposesOf(certificate)?.find((purpose) => OTHER_PURPOSES.has(purpose));
}

function purposesOf(certificate: Certificate): string[] | undefined {
  return certificate.getExtension(ExtendedKeyUsageExtension)?.usages.map(String);
}

/** Whether a key is long enough to be trusted. */
export function isStrong(key: KeyObject): boolean {
  return (
    key.asymmetricKeyType !== 'rsa' ||
    (key.asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_RSA_BITS
  );
}
