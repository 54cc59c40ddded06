// Who has signed in, by the claims of the provider: the organisation, what they may do, and a pseudonym.
import { createHmac } from 'node:crypto';
import { compileCheck, isObject, OrganisationIdentifier } from '@landfall/contract';
import type { RoleAssignment, SignedIn } from '../sessions.js';
import { assignRoles, type HeldRole } from './roles.js';
import type { OpenIdSettings } from './settings.js';
import { SignInRefusedError } from './sign-in-refusal.js';
import { toShownName, toStoredIdentifier } from './stored-text.js';

/** The claims of a verified ID token. */
export type Claims = Readonly<Record<string, unknown>> & { iss: string; sub: string };

/** The maximum length of a name that is shown, in characters. */
const MAX_NAME = 100;

/** The length of a pseudonym, in hexadecimal digits: 128 bits. */
const PSEUDONYM_LENGTH = 32;

const checkOrganisation = compileCheck<string>(OrganisationIdentifier);

/** A person, before it is chosen what they act as. */
export type Person = Omit<SignedIn, keyof RoleAssignment | 'tokens'>;

/**
 * The person of an ID token.
 *
 * @returns with one assignment or more
 * @throws SignInRefusedError without an organisation, without a role that gives a scope, or if the claims do not say which
 * role is for which organisation
 */
export function identifyPerson(
  claims: Claims,
  settings: Pick<OpenIdSettings, 'rolesClaim' | 'organisationClaim' | 'roles' | 'subjectKey'>,
): Person {
  const assignments = assignRoles(settings.roles, readHeldRoles(claims, settings));
  if (assignments.length === 0) throw new SignInRefusedError('no-role');
  const subject = makePseudonym(claims, settings.subjectKey);
  const names = [claims.name, claims.preferred_username];
  const [name = subject] = names
    .map((one) => (typeof one === 'string' ? toShownName(one, MAX_NAME) : ''))
    .filter((one) => one !== '');
  return {
    kind: 'person',
    subject,
    name,
    assignments,
    providerSession: typeof claims.sid === 'string' ? toStoredIdentifier(claims.sid) : undefined,
  };
}

/**
 * The roles that the provider gives: for each organisation, if the claim is an object with a member for each, else those
 * of the list for the organisation of the other claim, or the one role for each organisation of a list. Several of both
 * would give every role in every organisation, which the provider has not said.
 *
 * @throws SignInRefusedError without an organisation, or with several roles and several organisations in two lists
 */
function readHeldRoles(
  claims: Claims,
  {
    rolesClaim,
    organisationClaim,
    roles: known,
  }: Pick<OpenIdSettings, 'rolesClaim' | 'organisationClaim' | 'roles'>,
): HeldRole[] {
  const isOrganisation = (text: string) => checkOrganisation(text).valid;
  const roles = readClaim(claims, rolesClaim);
  if (isObject(roles)) {
    return Object.entries(roles)
      .filter(([organisation]) => isOrganisation(organisation))
      .flatMap(([organisation, held]) => textsOf(held).map((role) => ({ organisation, role })));
  }
  const named = textsOf(readClaim(claims, organisationClaim)).filter(isOrganisation);
  const organisations = [...new Set(named)];
  if (organisations.length === 0) throw new SignInRefusedError('no-organisation');
  const held = [...new Set(textsOf(roles))].filter((role) => known.has(role));
  if (held.length > 1 && organisations.length > 1) throw new SignInRefusedError('ambiguous-roles');
  return held.flatMap((role) => organisations.map((organisation) => ({ organisation, role })));
}

/** The same for the same person; without the key, nobody can find out who it is. */
export function makePseudonym({ iss, sub }: Claims, key: string): string {
  const digest = createHmac('sha256', key).update(`${iss}\n${sub}`).digest('hex');
  return `person-${digest.slice(0, PSEUDONYM_LENGTH)}`;
}

/** A claim by its name, which may contain dots, or else by its path, such as `realm_access.roles`. */
function readClaim(claims: Readonly<Record<string, unknown>>, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let value: unknown = claims;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return;
    // The cast is true because the value is an object with this property.
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** The texts of a claim that is one text or a list of them. */
function textsOf(value: unknown): string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.filter((one) => typeof one === 'string');
}
