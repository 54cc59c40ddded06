// Why the service signed nobody in: it sends the browser back to the page with the reason in the address.

const PARAMETER = 'sign-in';

const REASONS = [
  'cancelled',
  'expired',
  'refused',
  'no-organisation',
  'no-role',
  'ambiguous-roles',
  'not-registered',
  'signed-out',
  'unavailable',
  'busy',
  'failed',
] as const;

/** A reason that the service may give. */
export type Refusal = (typeof REASONS)[number];

/** The reason in the query of an address; `undefined` if there is none, or one that does not exist. */
export function readRefusal(search: string): Refusal | undefined {
  const given = new URLSearchParams(search).get(PARAMETER);
  return REASONS.find((reason) => reason === given);
}

/** The query without the reason. */
export function removeRefusal(search: string): string {
  const parameters = new URLSearchParams(search);
  if (!parameters.has(PARAMETER)) return search;
  parameters.delete(PARAMETER);
  return parameters.size === 0 ? '' : `?${parameters}`;
}
