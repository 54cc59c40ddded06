// The locks under which a sign-in and a logout of the same person, or of the same session at the provider, take turns.
import { createHash } from 'node:crypto';
import type { Statement } from '../database/database.js';
import { lockSignIn } from './session-queries.js';

/** The statements that take the locks, always in the same order. */
export function lockSignIns({
  subject,
  providerSession,
}: {
  subject: string | undefined;
  providerSession?: string | undefined;
}): Statement[] {
  const numbers = Object.entries({ subject, providerSession }).flatMap(([kind, identifier]) =>
    identifier === undefined ? [] : [numberOf(`${kind} ${identifier}`)],
  );
  return numbers.toSorted((one, other) => one - other).map(lockSignIn);
}

/** Two texts may have the same number: then they take turns too. */
function numberOf(text: string): number {
  return createHash('sha256').update(text).digest().readInt32BE();
}
