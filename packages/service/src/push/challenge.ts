// The challenge by which a receiver says that it wants a subscription.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { isObject } from '@landfall/contract';

/** Random bytes of a challenge. */
const CHALLENGE_BYTES = 32;

/** A new challenge. */
export function makeChallenge(): string {
  return randomBytes(CHALLENGE_BYTES).toString('base64url');
}

/** Whether a response repeats the challenge: as text, as a JSON string, or as the member `challenge` of an object. */
export function repeatsChallenge(response: string | undefined, challenge: string): boolean {
  const text = response?.trim() ?? '';
  return [text, readChallenge(text)].some((given) => isEqual(given, challenge));
}

function readChallenge(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    const given = isObject(value) ? value.challenge : value;
    return typeof given === 'string' ? given : '';
  } catch {
    return '';
  }
}

/** Takes the same time whatever differs. */
function isEqual(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}
