// Reads the header and the claims of a JWT grant, before it is verified.
// Each function throws GrantRefusedError: MP-011, MP-123, MP-124.
import { GRANT_ALGORITHMS } from '@landfall/contract';
import type { GrantAlgorithm } from '@landfall/service/tokens';
import { quoteValue, splitToken } from '@landfall/service/tokens';
import { decodeJwt, decodeProtectedHeader, errors } from 'jose';
import { GrantRefusedError } from './grant-errors.js';
import { isTooDeep, MAX_DEPTH } from './nesting.js';

/** The maximum length of a jti, in characters. */
const MAX_JTI_LENGTH = 255;

/** The maximum number of certificates in a chain. */
const MAX_CHAIN_LENGTH = 10;

/** The header or the claims, as sent. */
export type Members = Record<string, unknown>;

/** The readable parts of a grant. */
export type GrantParts = { header: Members; claims: Members };

/** Decodes a grant. */
export function decodeGrant(assertion: string): GrantParts {
  if (splitToken(assertion) === undefined) throw notCompact();
  try {
    const header = decodeProtectedHeader(assertion);
    // Critical extensions (RFC 7515, section 4.1.11): none is supported.
    if (header.crit !== undefined) {
      throw new GrantRefusedError('MP-011', 'the header of the assertion has crit');
    }
    const claims = decodeJwt(assertion);
    if (isTooDeep(header) || isTooDeep(claims)) {
      throw new GrantRefusedError(
        'MP-011',
        `the assertion is nested more than ${MAX_DEPTH} levels deep`,
      );
    }
    return { header, claims };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) {
      throw notCompact();
    }
    throw error;
  }
}

function notCompact(): GrantRefusedError {
  return new GrantRefusedError('MP-011', 'assertion is not a signed JWT in compact form');
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
  if (value.length === 0 || value.length > MAX_CHAIN_LENGTH) {
    throw new GrantRefusedError(
      'MP-123',
      `it has ${value.length} members and must have 1 to ${MAX_CHAIN_LENGTH}`,
    );
  }
  return value.map((member: unknown) => {
    // Several clients send base64 with line breaks, as in PEM.
    if (typeof member === 'string') return member.replaceAll(/\s/g, '');
    throw new GrantRefusedError('MP-123', `a member of it is of the type ${typeof member}`);
  });
}

/** The audience, as a text or a list. */
export function readAudience(value: unknown): string[] {
  if (Array.isArray(value) && value.length === 0) {
    throw new GrantRefusedError('MP-011', 'the claim aud is an empty list');
  }
  return (Array.isArray(value) ? value : [value]).map((name) => readText('aud', name));
}

/** The resources for which the token is requested (RFC 8707), as a text or a list; often missing. */
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

/** The id of the grant, if it has one. */
export function readJti(value: unknown): string | undefined {
  const jti = readOptional('jti', value);
  if (jti !== undefined && jti.length > MAX_JTI_LENGTH) {
    throw new GrantRefusedError('MP-011', `the claim jti is ${quoteValue(jti)}`);
  }
  return jti;
}

/** An optional text. */
export function readOptional(name: string, value: unknown): string | undefined {
  return value === undefined ? undefined : readText(name, value);
}

/** A required text. */
export function readText(name: string, value: unknown): string {
  if (value === undefined) throw new GrantRefusedError('MP-011', `the claim ${name} is missing`);
  // No database text can hold U+0000.
  if (typeof value === 'string' && value !== '' && !value.includes('\0')) return value;
  throw new GrantRefusedError('MP-011', `${name} is ${quoteValue(value)} and must be a text`);
}

/** A required time, in seconds since 1970. */
export function readTime(name: string, value: unknown): number {
  if (value === undefined) throw new GrantRefusedError('MP-011', `the claim ${name} is missing`);
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new GrantRefusedError(
    'MP-011',
    `the claim ${name} is ${quoteValue(value)} and must be seconds since 1970`,
  );
}
