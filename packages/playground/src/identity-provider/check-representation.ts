// A grant is for its own organisation. Claims that request to act for another one are refused, not ignored.
import { DOMESTIC_ORGANISATION_PREFIX } from '@landfall/contract';
import { quoteValue } from '@landfall/service/tokens';
import { GrantRefusedError } from './grant-errors.js';
import type { Grantor } from './grantor.js';
import type { Members } from './read-grant.js';

/**
 * Claims that name the organisation for which the token is requested, without regard to case, `_` and `-`: those of the
 * national provider, of RFC 7523 (`sub`), RFC 8693 (`act`, `may_act`) and RFC 9396 (`authorization_details`), and names
 * that others use for the same.
 */
const REPRESENTATION_CLAIMS = new Set([
  'act',
  'actas',
  'actfor',
  'actingfor',
  'actor',
  'authorizationdetails',
  'behalfof',
  'consumer',
  'consumerorg',
  'mayact',
  'obo',
  'onbehalfof',
  'pid',
  'principal',
  'representing',
  'represents',
  'sub',
  'supplier',
  'supplierorg',
  'systemuserorg',
]);

/** Matches `delegation`, `delegation_source`, `delegated_by`, `delegator` and similar names. */
const DELEGATION = /^delegat/;

/** Checks that no claim requests to act for anyone but the grantor. Throws GrantRefusedError MP-250. */
export function checkRepresentation(
  claims: Members,
  { clientId, organisation }: Pick<Grantor, 'clientId' | 'organisation'>,
): void {
  const own = new Set([clientId, ...namesOf(organisation)]);
  for (const [name, value] of Object.entries(claims)) {
    const plain = plainName(name);
    if (!REPRESENTATION_CLAIMS.has(plain) && !DELEGATION.test(plain)) continue;
    // The iss of a foreign grant is free text, and a sub that repeats it names no other organisation.
    if (plain === 'sub' && value === claims.iss) continue;
    const named = plain === 'authorizationdetails' ? organisationsOf(value) : value;
    if (namesOnly(named, own)) continue;
    throw new GrantRefusedError(
      'MP-250',
      `${quoteValue(name)} is ${quoteValue(value)}, and the grant can be for ${quoteValue(organisation)} alone`,
      'invalid_grant',
    );
  }
}

/** Whether a grant has a claim that must name its own organisation. */
export function hasRepresentation(claims: Members): boolean {
  return Object.keys(claims).some((name) => {
    const plain = plainName(name);
    return REPRESENTATION_CLAIMS.has(plain) || DELEGATION.test(plain);
  });
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}

/** The forms in which clients write an organisation. */
function namesOf(organisation: string): string[] {
  if (!organisation.startsWith(DOMESTIC_ORGANISATION_PREFIX)) return [organisation];
  const number = organisation.slice(DOMESTIC_ORGANISATION_PREFIX.length);
  return [organisation, number, `NTRNO-${number}`];
}

/** The organisations of details (RFC 9396), which name them in members such as `systemuser_org`. */
function organisationsOf(details: unknown): unknown {
  if (!Array.isArray(details)) return undefined;
  return details.flatMap((detail: unknown) => {
    const members = typeof detail === 'object' && detail !== null ? Object.entries(detail) : [];
    const named = members.filter(([name]) => /org$/i.test(name));
    return named.length === 0 ? [undefined] : named.map(([, value]) => value);
  });
}

/** Whether a name, an object with `ID` (as `consumer`) or `sub` (as `act`), or a list of these names only `own`. */
function namesOnly(value: unknown, own: ReadonlySet<string>): boolean {
  if (typeof value === 'string') return own.has(value);
  if (Array.isArray(value)) return value.length > 0 && value.every((one) => namesOnly(one, own));
  if (typeof value !== 'object' || value === null) return false;
  // The cast is true because an object may have any members of unknown kind.
  const { ID, sub, ...others } = value as Record<string, unknown>;
  const names: unknown[] = [ID, sub].filter((name) => name !== undefined);
  // A nested act (RFC 8693, section 4.1) names a further actor.
  if ('act' in others) names.push(others.act);
  return names.length > 0 && names.every((name) => namesOnly(name, own));
}
