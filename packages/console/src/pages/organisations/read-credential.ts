// Reads a key or a certificate that was pasted or chosen as a file. Private keys are refused here and never sent.
import type { PublicKey } from '@landfall/client';

/** What a text has, or why it cannot be registered. */
export type ReadCredential =
  | { kind: 'keys'; keys: readonly PublicKey[] }
  | { kind: 'certificate'; certificate: string }
  | { kind: 'refused'; reason: 'private' | 'publicPem' | 'noKid' | 'unreadable' };

/** Members of private and symmetric keys (RFC 7518, section 6). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** Reads a JWK, a JWK set (RFC 7517) or the first certificate of a PEM text. */
export function readCredential(text: string): ReadCredential {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text))
    return { kind: 'refused', reason: 'private' };
  const parts = text.split('-----');
  const pem = parts.find(
    (_, at) => parts[at - 1] === 'BEGIN CERTIFICATE' && parts[at + 1] === 'END CERTIFICATE',
  );
  if (pem !== undefined) return { kind: 'certificate', certificate: pem.replaceAll(/\s/g, '') };
  if (/-----BEGIN [A-Z ]*PUBLIC KEY-----/.test(text)) {
    return { kind: 'refused', reason: 'publicPem' };
  }
  return readKeys(text);
}

function readKeys(text: string): ReadCredential {
  const unreadable = { kind: 'refused', reason: 'unreadable' } as const;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return unreadable;
  }
  const keys = isRecord(value) && Array.isArray(value.keys) ? value.keys : [value];
  if (keys.length === 0 || !keys.every((key) => isRecord(key) && typeof key.kty === 'string')) {
    return unreadable;
  }
  if (keys.some((key) => PRIVATE_MEMBERS.some((name) => Object.hasOwn(key, name)))) {
    return { kind: 'refused', reason: 'private' };
  }
  if (keys.some(({ kid }) => typeof kid !== 'string' || kid === '')) {
    return { kind: 'refused', reason: 'noKid' };
  }
  return { kind: 'keys', keys };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
