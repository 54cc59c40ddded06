// The scopes that a grant may request: they must exist, have the form for its kind, and be granted to its grantor.
import { type ParsedScope, parseScope, TEST_SCOPE } from '@landfall/contract';
import { quoteValue } from '@landfall/service/tokens';
import { GrantRefusedError } from './grant-errors.js';
import type { Grantor, ScopeHolder } from './grantor.js';

/**
 * Checks that each scope exists and is for businesses of this kind. Every eSeal may have the test scope, so it is not
 * returned.
 *
 * @param kind `undefined` if it is unknown: then both forms are accepted
 * @returns the scopes that must have been granted, with their texts
 * @throws GrantRefusedError MP-200
 */
export function readGrantScopes(
  texts: readonly string[],
  kind: Grantor['kind'] | undefined,
  prefix: string,
): (ParsedScope & { text: string })[] {
  return texts
    .filter((text) => kind === 'domestic' || text !== `${prefix}${TEST_SCOPE}`)
    .map((text) => {
      const scope = parseScope(text, prefix);
      if (scope === undefined) {
        throw new GrantRefusedError('MP-200', `there is no scope ${quoteValue(text)}`);
      }
      if (kind !== undefined && scope.foreign !== (kind === 'foreign')) {
        throw new GrantRefusedError(
          'MP-200',
          `${quoteValue(text)} is not a scope for ${kind} businesses`,
        );
      }
      return { ...scope, text };
    });
}

/**
 * Checks that the holder may have each scope. A client that is registered with scopes may request those; any other
 * client may request the scopes that its organisation is granted. Throws GrantRefusedError MP-200 or MP-250.
 */
export function checkGranted(
  scopes: readonly (ParsedScope & { text: string })[],
  { clientId, organisation, registered, granted }: ScopeHolder,
): void {
  for (const { name, text } of scopes) {
    if (registered !== undefined) {
      if (registered.includes(name)) continue;
      throw new GrantRefusedError(
        'MP-200',
        `${quoteValue(clientId)} is not registered with ${quoteValue(text)}`,
      );
    }
    if (!granted.includes(name)) {
      throw new GrantRefusedError(
        'MP-250',
        `${quoteValue(organisation)} requests ${quoteValue(text)}`,
      );
    }
  }
}
