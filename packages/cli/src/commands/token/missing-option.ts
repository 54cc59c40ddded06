// The options of the token doctor with which a rule that is open can be checked.
import type { Finding } from '@landfall/service';

const options: Record<string, string> = {
  trust: 'Pass the issuers that the identity provider trusts with --trust.',
  signature: 'Pass the keys of the issuer with --jwks.',
  iss: 'Pass the address of the service with --aud, or the data folder of its playground with --data.',
  aud: 'Pass the expected audience with --aud, or the data folder of its playground with --data.',
};

/** The option that a rule needs; null if it is not open, or open for another reason. */
export function missingOption({ rule, holds, code }: Finding): string | null {
  return holds === null && code !== null ? (options[rule] ?? null) : null;
}
