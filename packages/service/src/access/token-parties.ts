// The parties that a token names: its organisation, its client, and other organisations, such as the client's supplier.
import {
  CLIENT_ID_PATTERN,
  DOMESTIC_ORGANISATION_PATTERN,
  DOMESTIC_ORGANISATION_PREFIX,
  MAX_CLIENT_ID_LENGTH,
} from '@landfall/contract';
import type { JWTPayload } from 'jose';
import { OAuthRefusalError, quoteValue } from './oauth-refusal.js';

/** Whom a token names. It is refused if one of them is blocked. */
export type TokenParties = {
  /** The organisation that the token is for. */
  organisation: string;
  clientId: string;
  /** The other organisations; all are domestic. */
  others?: readonly string[];
};

/** The authority of domestic organisations in the tokens of the national provider. */
export const DOMESTIC_AUTHORITY = 'iso6523-actorid-upis';

/** The maximum number of other organisations. */
const MAX_OTHERS = 10;

const domesticOrganisation = new RegExp(DOMESTIC_ORGANISATION_PATTERN);
const organisationNumber = /^[0-9]{9}$/;
const clientIdPattern = new RegExp(CLIENT_ID_PATTERN);

/**
 * The client of a token of the identity provider. Ids are compared by their characters, so none may look like another.
 *
 * @throws OAuthRefusalError
 */
export function readClientId(value: unknown): string {
  const isText = typeof value === 'string' && value.length <= MAX_CLIENT_ID_LENGTH;
  if (isText && clientIdPattern.test(value)) return value;
  throw new OAuthRefusalError(
    'invalid_request',
    `client_id is ${quoteValue(value)} and must be 1 to ${MAX_CLIENT_ID_LENGTH} printable ASCII characters without blanks`,
  );
}

/**
 * The organisations that a token of the identity provider names besides its own: `supplier`, `client_orgno`, and every
 * `{ authority, ID }` at any depth of a claim, such as that of a system user in `authorization_details`. One that cannot be read
 * cannot be checked, so it is refused.
 *
 * @throws OAuthRefusalError
 */
export function readOtherParties(payload: JWTPayload, organisation: string): string[] {
  const { consumer, supplier, client_orgno: number, ...claims } = payload;
  const found = new Set<string>();
  if (supplier !== undefined) found.add(readDomestic('supplier', supplier));
  if (number !== undefined) {
    if (typeof number !== 'string' || !organisationNumber.test(number)) {
      throw refusal('client_orgno', number, 'nine digits');
    }
    found.add(`${DOMESTIC_ORGANISATION_PREFIX}${number}`);
  }
  // The organisation that `consumer` itself is may be foreign; what is within it may not.
  const all = { ...claims, consumer: Object.values(Object(consumer)) };
  for (const [claim, value] of Object.entries(all)) {
    for (const named of findOrganisations(value)) found.add(readDomestic(claim, named));
  }
  found.delete(organisation);
  if (found.size > MAX_OTHERS) {
    throw new OAuthRefusalError(
      'invalid_request',
      `subject_token names ${found.size} other organisations and may name ${MAX_OTHERS}`,
    );
  }
  return [...found].sort();
}

/** The objects with an authority and an ID at any depth. A loop, because recursion ends at the depth of the stack. */
function findOrganisations(claim: unknown): unknown[] {
  const found: unknown[] = [];
  const open: unknown[] = [claim];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if ('authority' in value && 'ID' in value) found.push(value);
    // One at a time: a list of several 10,000 members is too long for the arguments of a call.
    for (const member of Object.values(value)) open.push(member ?? null);
  }
  return found;
}

function readDomestic(claim: string, value: unknown): string {
  if (typeof value === 'object' && value !== null && 'authority' in value && 'ID' in value) {
    const { authority, ID: id } = value;
    if (
      authority === DOMESTIC_AUTHORITY &&
      typeof id === 'string' &&
      domesticOrganisation.test(id)
    ) {
      return id;
    }
  }
  throw refusal(
    claim,
    value,
    `an organisation: authority '${DOMESTIC_AUTHORITY}' and ID '${DOMESTIC_ORGANISATION_PREFIX}' and nine digits`,
  );
}

function refusal(claim: string, value: unknown, rule: string): OAuthRefusalError {
  return new OAuthRefusalError(
    'invalid_request',
    `${claim} is ${quoteValue(value)} and must name ${rule}`,
  );
}
