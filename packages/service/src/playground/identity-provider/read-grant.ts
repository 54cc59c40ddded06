// Reads a JWT grant before anything of it is believed: its header and its claims have the right form.
// Each function throws GrantRefusedError: MP-011, MP-123, MP-124.
import { GRANT_ALGORITHMS } from '@landfall/contract';
import { decodeJwt, decodeProtectedHeader, errors } from 'jose';
import { quoteValue } from '../../access/oauth-refusal.js';
import type { GrantAlgorithm } from '../../access/verify-signature.js';
import { GrantRefusedError } from './grant-errors.js';

/** Longest jti, in characters. */
const LONGEST_JTI = 255;

/** Most certificates in a chain. */
const LONGEST_CHAIN = 10;

/** The header or the claims as they came. */
export type Members = Record<string, unknown>;

/** The two parts of a grant that can be read. */
export type GrantParts = { header: Members; claims: Members };

/** Takes a grant apart. */
export function decodeGrant(assertion: string): GrantParts {
  try {
    const header = decodeProtectedHeader(assertion);
    // Extensions that must be understood (RFC 7515, section 4.1.11): we understand none.
    if (header.crit !== undefined) {
      throw new GrantRefusedError('MP-011', 'the header of the assertion has crit');
    }
    return { header, claims: decodeJwt(assertion) };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) {
      throw new GrantRefusedError('MP-011', 'assertion is not a signed JWT in compact form');
    }
    throw error;
  }
}

/** The algorithm of the signature. */
export function readAlgorithm(value: unknown): GrantAlgorithm {
  const algorithm = GRANT_ALGORITHMS.find((name) => name === value);
  if (algorithm === undefined) {
    throw new GrantRefusedError(
      'MP-124',
      `alg is ${quoteValue(value)} and must be one of ${GRANT_ALGORITHMS.join(', ')}`,
    );
  }
  return algorithm;
}

/** x5c: base64 DER, leaf first. */
export function readChain(value: unknown): string[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) {
    throw new GrantRefusedError('MP-123', `it is of the type ${typeof value}`);
  }
  if (value.length === 0 || value.length > LONGEST_CHAIN) {
    throw new GrantRefusedError(
      'MP-123',
      `it has ${value.length} members and must have 1 to ${LONGEST_CHAIN}`,
    );
  }
  return value.map((member: unknown) => {
    // Several clients break the lines of base64, as in PEM.
    if (typeof member === 'string') return member.replaceAll(/\s/g, '');
    throw new GrantRefusedError('MP-123', `a member of it is of the type ${typeof member}`);
  });
}

/** Whom the grant is for, as a text or a list. */
export function readAudience(value: unknown): string[] {
  if (Array.isArray(value) && value.length === 0) {
    throw new GrantRefusedError('MP-011', 'the claim aud is an empty list');
  }
  return (Array.isArray(value) ? value : [value]).map((name) => readText('aud', name));
}

/** The resources that the token is requested for (RFC 8707), as a text or a list; often none. */
export function readResources(value: unknown): string[] {
  if (value === undefined) return [];
  return [value].flat().map((name) => readText('resource', name));
}

/** The scopes, each once. */
export function readScopes(value: unknown): string[] {
  const scopes = readText('scope', value)
    .split(' ')
    .filter((scope) => scope !== '');
  if (scopes.length === 0) throw new GrantRefusedError('MP-011', 'the claim scope is blank');
  return [...new Set(scopes)];
}

/** The grant's own id, where it has one. */
export function readJti(value: unknown): string | undefined {
  const jti = readOptional('jti', value);
  if (jti !== undefined && jti.length > LONGEST_JTI) {
    throw new GrantRefusedError('MP-011', `the claim jti is ${quoteValue(jti)}`);
  }
  return jti;
}

/** A text, where there is one. */
export function readOptional(name: string, value: unknown): string | undefined {
  return value === undefined ? undefined : readText(name, value);
}

/** A text that must be there. */
export function readText(name: string, value: unknown): string {
  if (value === undefined) throw new GrantRefusedError('MP-011', `the claim ${name} is missing`);
  // No database text can hold U+0000.
  if (typeof value === 'string' && value !== '' && !value.includes('\0')) return value;
  throw new GrantRefusedError('MP-011', `${name} is ${quoteValue(value)} and must be a text`);
}

/** A time in seconds since 1970 that must be there. */
export function readTime(name: string, value: unknown): number {
  if (value === undefined) throw new GrantRefusedError('MP-011', `the claim ${name} is missing`);
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new GrantRefusedError(
    'MP-011',
    `the claim ${name} is ${quoteValue(value)} and must be seconds since 1970`,
  );
}
