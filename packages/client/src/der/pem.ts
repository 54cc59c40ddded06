// PEM (RFC 7468): keys and certificates as text.
import { ConfigurationError } from '../errors/landfall-error.js';
import { fromBase64, toBase64 } from './base64.js';

/** One block of a PEM text. */
export type PemBlock = { label: string; bytes: Uint8Array<ArrayBuffer> };

/** The blocks of a text, which may have other text between them. */
export function readPem(text: string): PemBlock[] {
  // A variable of the environment often has backslash and n for the end of a line.
  const parts = text.replaceAll('\\r', '').replaceAll('\\n', '\n').split('-----');
  return parts.flatMap((part, at) => {
    const label = /^BEGIN ([A-Z0-9 ]+)$/.exec(part)?.[1];
    if (label === undefined || parts[at + 2] !== `END ${label}`) return [];
    const content = parts[at + 1] ?? '';
    if (content.includes('DEK-Info')) {
      throw new ConfigurationError(
        'the key is encrypted in the old format of OpenSSL; convert it: openssl pkcs8 -topk8',
      );
    }
    return [{ label, bytes: decode(content) }];
  });
}

/** A block as text. */
export function writePem(label: string, bytes: Uint8Array): string {
  const lines = toBase64(bytes).match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}

/**
 * Certificates as the members of `x5c`: base64 DER.
 *
 * @param certificates a PEM text with all of them, or a list of which each is PEM or base64 DER
 */
export function readCertificates(certificates: string | readonly string[]): string[] {
  return [certificates].flat().flatMap((text) => {
    if (!text.includes('-----BEGIN')) return [toBase64(decode(text))];
    const blocks = readPem(text).filter(({ label }) => label === 'CERTIFICATE');
    if (blocks.length === 0)
      throw new ConfigurationError('there is no certificate in the PEM text');
    return blocks.map(({ bytes }) => toBase64(bytes));
  });
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return fromBase64(base64);
  } catch (cause) {
    throw new ConfigurationError('a key or certificate is not valid base64', { cause });
  }
}
