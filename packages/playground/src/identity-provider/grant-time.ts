// The time at which a grant is checked, when the clock of the playground is not that of its clients.
import { decodeJwt } from 'jose';

/**
 * The system's time or that of the playground, whichever is nearer to the time at which the grant was issued. A client
 * signs with its own clock, which does not follow when the playground's is stopped or advanced.
 */
export function grantTime(assertion: string, now: Date): Date {
  const system = new Date();
  const issuedAt = readIssuedAt(assertion);
  const isNearer = Math.abs(system.getTime() - issuedAt) < Math.abs(now.getTime() - issuedAt);
  return isNearer ? system : now;
}

/** In milliseconds since 1970; not a number if it cannot be read, which the rules of a grant report. */
function readIssuedAt(assertion: string): number {
  try {
    return Number(decodeJwt(assertion).iat) * 1000;
  } catch {
    return Number.NaN;
  }
}
