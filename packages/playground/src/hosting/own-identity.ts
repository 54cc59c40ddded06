// The identity of whoever signed up: an organisation of their own name, in their space alone.
import type { PlaygroundIdentity } from '@landfall/contract';

/** Its name, and that of its file of credentials. */
export const OWN_IDENTITY = 'own';

/** From the range that Norway reserves for fictitious organisations. Every space has its own, so it is the same in all. */
const ORGANISATION = '0192:310000116';

/** @param organisationName as it was entered at the sign-up */
export function ownIdentity(organisationName: string): PlaygroundIdentity {
  const scopes = [
    'movement/entry',
    'movement/road/v2',
    'movement/air',
    'declaration.feed',
  ] as const;
  return {
    name: OWN_IDENTITY,
    kind: 'domestic',
    organisation: ORGANISATION,
    organisationName,
    scopes,
    granted: scopes,
  };
}
