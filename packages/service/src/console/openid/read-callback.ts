// Reads the address with which the provider sends the browser back. Whoever has a browser can write it, so whatever is
// wrong with it is refused, and is no failure of the provider.
import { SignInRefusedError } from './sign-in-refusal.js';

/** A code of an authorization server (RFC 6749, appendix A.11), up to a length. */
const CODE = /^[\x20-\x7e]{1,4096}$/;

/** The characters of an error (RFC 6749, appendix A.7), up to a length. */
const ERROR = /^[\x20-\x21\x23-\x5b\x5d-\x7e]{1,100}$/;

/** What the address must agree with. */
type Expected = {
  state: string;
  /** The provider's issuer identifier. */
  issuer: string;
  /** Whether the provider always names itself (RFC 9207). */
  namesIssuer: boolean;
};

/**
 * The code of the address.
 *
 * @throws SignInRefusedError `cancelled`, `refused` if the provider states another error, or `expired`
 */
export function readCode(parameters: URLSearchParams, expected: Expected): string {
  const { state, iss, code, error } = readOnce(parameters, ['state', 'iss', 'code', 'error']);
  const isOfProvider = iss === undefined ? !expected.namesIssuer : iss === expected.issuer;
  if (state !== expected.state || !isOfProvider) throw new SignInRefusedError('expired');
  if (error === 'access_denied') throw new SignInRefusedError('cancelled');
  if (error !== undefined) {
    throw new SignInRefusedError('refused', {
      cause: new Error(ERROR.test(error) ? `the provider stated ${error}` : 'no valid error'),
    });
  }
  if (code === undefined || !CODE.test(code)) throw new SignInRefusedError('expired');
  return code;
}

/** The parameters of these names; throws if one is there twice. */
function readOnce<Name extends string>(
  parameters: URLSearchParams,
  names: readonly Name[],
): { [name in Name]?: string } {
  const found: { [name in Name]?: string } = {};
  for (const name of names) {
    const [first, second] = parameters.getAll(name);
    if (second !== undefined) throw new SignInRefusedError('expired');
    if (first !== undefined) found[name] = first;
  }
  return found;
}
