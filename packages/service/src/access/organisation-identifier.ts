// The identifier of an organisation, in a path, a token or a certificate.
import { compileCheck, OrganisationIdentifier } from '@landfall/contract';

const check = compileCheck<string>(OrganisationIdentifier);

/** Whether a value has the form of an organisation's identifier. */
export function isOrganisationIdentifier(value: unknown): value is string {
  return check(value).valid;
}
