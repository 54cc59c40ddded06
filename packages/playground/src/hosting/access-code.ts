// The access code of a space: its name and a secret. Whoever has it controls the space, in the console and over HTTP.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { digestOf } from '../control/control-access.js';

/** The name of a space, a dot, and 256 random bits. */
const CODE = /^([a-z0-9-]{1,63})\.[\w-]{43}$/;

/** A new code for a space. */
export function makeAccessCode(space: string): string {
  return `${space}.${randomBytes(32).toString('base64url')}`;
}

/** The space that a code names; `undefined` for what is no code. */
export function spaceOfCode(code: string): string | undefined {
  return CODE.exec(code)?.[1];
}

/** Whether it is the code of this digest. */
export function isAccessCode(code: string, digest: Buffer): boolean {
  // Digests have one length, and comparing them takes the same time whatever is given.
  return timingSafeEqual(digestOf(code), digest);
}
