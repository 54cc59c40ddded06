// The right that a refused request lacks, from what the service says about it.

/**
 * The scopes of which one is required, from the detail of a response with the status 403; none if it names none.
 *
 * @param detail such as `the token does not have the scope authority/registry or authority/routing`
 */
export function missingScopes(detail = ''): string[] {
  return /\bthe scope (\S+(?: or \S+)*)$/.exec(detail)?.[1]?.split(' or ') ?? [];
}
