// What a registered key or certificate is, and how long it is valid.
import type { PublicKey } from '@landfall/client';

/** Before it ends, a warning is shown this long, in milliseconds. */
const WARNING_MS = 30 * 24 * 3600_000;

/** Whether it is valid now. */
export type Validity = 'valid' | 'early' | 'ending' | 'ended';

/** The algorithm of a key, such as `EC P-256` or `RSA 2048, PS256`. */
export function algorithmOf({ kty = '', crv, n, alg }: PublicKey): string {
  const bits = n === undefined ? undefined : Math.floor((n.length * 6) / 256) * 256;
  const kind = [kty, crv ?? bits].filter((part) => part !== undefined).join(' ');
  return alg === undefined ? kind : `${kind}, ${alg}`;
}

/** The time at which a key ends; `undefined` if it does not. */
export function endOf({ exp }: PublicKey): Date | undefined {
  return exp === undefined ? undefined : new Date(exp * 1000);
}

/** Whether something is valid at a time. */
export function validityAt(
  now: Date,
  { from, to }: { from?: Date | undefined; to?: Date | undefined },
): Validity {
  if (from !== undefined && now < from) return 'early';
  if (to === undefined) return 'valid';
  if (now >= to) return 'ended';
  return to.getTime() - now.getTime() < WARNING_MS ? 'ending' : 'valid';
}
