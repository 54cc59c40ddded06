// Confirms what a person may still act as: their claims are those that the provider sends now, with refreshed tokens.
import type { ConfirmRights } from '../database-sessions.js';
import { identifyPerson } from './identify-person.js';
import type { OpenIdProvider } from './provider.js';
import type { OpenIdSettings } from './settings.js';
import { SignInRefusedError } from './sign-in-refusal.js';

/** Makes the function that confirms rights. It throws SignInRefusedError while the provider cannot say. */
export function makeConfirmRights(
  provider: Pick<OpenIdProvider, 'refresh'>,
  settings: OpenIdSettings,
): ConfirmRights {
  return async (signedIn) => {
    const { subject, organisation, role, tokens } = signedIn;
    if (tokens === undefined) throw new SignInRefusedError('unavailable');
    const refreshed = await provider.refresh(tokens);
    if (refreshed === undefined) return undefined;
    const { claims } = refreshed;
    // A provider that sends claims only at the sign-in: a session without a refresh token is not confirmed again.
    if (claims === undefined) {
      return { ...signedIn, tokens: { ...refreshed.tokens, refreshToken: undefined } };
    }
    const person = tryToIdentify(() => identifyPerson(claims, settings));
    const assignment = person?.assignments.find(
      (one) => one.organisation === organisation && one.role === role,
    );
    if (person?.subject !== subject || assignment === undefined) return undefined;
    const { assignments } = person;
    return { ...signedIn, ...assignment, assignments, tokens: refreshed.tokens };
  };
}

/** `undefined` for somebody who may no longer sign in. */
function tryToIdentify<Person>(identify: () => Person): Person | undefined {
  try {
    return identify();
  } catch (error) {
    if (error instanceof SignInRefusedError) return undefined;
    throw error;
  }
}
