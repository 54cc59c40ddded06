// What an organisation may be called, wherever the name comes from: an address, a token or a certificate.
import { compileCheck, OrganisationIdentifier } from '@landfall/contract';

const check = compileCheck<string>(OrganisationIdentifier);

/** Whether a value has the form of an organisation's identifier. */
export function isOrganisationIdentifier(value: unknown): value is string {
  return check(value).valid;
}
