// How people sign in with OpenID Connect: what the operator configures.
import { deriveKey } from '../sealed-text.js';
import type { Roles } from './roles.js';

/** The provider, and what its claims mean. */
export type OpenIdSettings = {
  /** The provider's issuer identifier; its metadata is read from there. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Reads the client's secret again, which may change; without it, it does not. Its errors must not quote it. */
  readClientSecret?: () => Promise<string>;
  /** The scopes of OpenID Connect that are requested, separated by spaces. */
  scope: string;
  /** The claim with the roles of the person: its name, or the path to it with dots. */
  rolesClaim: string;
  /** The claim with the identifier of the organisation for which the person acts. */
  organisationClaim: string;
  /** What each role may do. */
  roles: Roles;
  /** Key of the pseudonymous subjects. */
  subjectKey: string;
  /** The time zone of the customs offices, such as `Europe/Oslo`. */
  timeZone: string;
  /** Whether ID tokens of a trial provider are accepted; default: no. */
  acceptsTrials?: boolean;
};

/**
 * The key that seals sign-ins that have begun, the same on every server: derived from both secrets, so that one that is
 * short or has become known is not enough to make a cookie.
 */
export function deriveSignInKey({
  subjectKey,
  clientSecret,
}: Pick<OpenIdSettings, 'subjectKey' | 'clientSecret'>): Buffer {
  return deriveKey(subjectKey, 'sign-in to the console', clientSecret);
}

/** The key that signs the ids of sessions. Replacing the client's secret does not end them. */
export function deriveSessionKey({ subjectKey }: Pick<OpenIdSettings, 'subjectKey'>): Buffer {
  return deriveKey(subjectKey, 'session of the console');
}
