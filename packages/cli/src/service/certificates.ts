// The certificates of credentials: PEM, or base64 DER as in x5c.
import { X509Certificate } from 'node:crypto';
import type { Credentials } from '@landfall/client';

const pem = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The certificates, leaf first. One that cannot be parsed is left out: the rules for grants report it. */
export function parseCertificates({ certificates = [] }: Credentials): X509Certificate[] {
  return [certificates].flat().flatMap((text) => {
    const texts = text.includes('-----BEGIN') ? (text.match(pem) ?? []) : [text];
    return texts.flatMap(parseCertificate);
  });
}

function parseCertificate(text: string): X509Certificate[] {
  try {
    return [new X509Certificate(text.includes('-----') ? text : Buffer.from(text, 'base64'))];
  } catch {
    return [];
  }
}
