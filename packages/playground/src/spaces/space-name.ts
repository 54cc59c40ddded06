// The names of spaces, which are a part of addresses.
import { randomBytes } from 'node:crypto';
import { SpaceError } from '../playground.js';

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** @throws SpaceError */
export function checkSpaceName(name: string): string {
  if (typeof name === 'string' && NAME.test(name)) return name;
  throw new SpaceError(
    'INVALID_SPACE_NAME',
    'must have 1 to 63 lower-case letters, digits and hyphens, and neither begin nor end with a hyphen',
  );
}

/** A name that no space has had. */
export function newSpaceName(): string {
  return `space-${randomBytes(6).toString('hex')}`;
}
