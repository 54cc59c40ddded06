// What a certificate is. Its library is loaded with this file, when there is a certificate to show.
import 'reflect-metadata';
import { X509Certificate } from '@peculiar/x509';

/** A certificate that can be read. */
export type DescribedCertificate = {
  subject: string;
  issuer: string;
  /** Such as `RSA 2048` or `EC P-256`. */
  algorithm: string;
  from: Date;
  to: Date;
};

/** Describes a certificate of base64 DER; `undefined` if it cannot be read. */
export function describeCertificate(certificate: string): DescribedCertificate | undefined {
  try {
    const { subject, issuer, notBefore, notAfter, publicKey } = new X509Certificate(certificate);
    // The members depend on the algorithm.
    const { name, namedCurve, modulusLength } = publicKey.algorithm as {
      name: string;
      namedCurve?: string;
      modulusLength?: number;
    };
    const kind = /^RSA/.test(name) ? 'RSA' : /^EC/.test(name) ? 'EC' : name;
    const algorithm = [kind, namedCurve ?? modulusLength].filter((part) => part !== undefined);
    return { subject, issuer, algorithm: algorithm.join(' '), from: notBefore, to: notAfter };
  } catch {
    return undefined;
  }
}
