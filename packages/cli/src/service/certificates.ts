// The certificates of credentials: PEM, or base64 DER as in x5c.
import { X509Certificate } from 'node:crypto';
import type { Credentials } from '@landfall/client';

/** The certificates, leaf first. One that cannot be parsed is left out: the rules for grants report it. */
export function parseCertificates({ certificates = [] }: Credentials): X509Certificate[] {
  return [certificates].flat().flatMap((text) => {
    if (!text.includes('-----BEGIN')) return parseCertificate(text);
    const parts = text.split('-----');
    return parts.flatMap((part, at) =>
      parts[at - 1] === 'BEGIN CERTIFICATE' ? parseCertificate(part) : [],
    );
  });
}

function parseCertificate(text: string): X509Certificate[] {
  try {
    return [new X509Certificate(Buffer.from(text, 'base64'))];
  } catch {
    return [];
  }
}
