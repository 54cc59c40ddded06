// The scopes, in their domestic and foreign forms.

/** The default prefix of scopes. */
export const DEFAULT_SCOPE_PREFIX = 'customs:';

/**
 * The scopes in their plain form without prefix, with the API that requires them, and whether there is an `eu/` form for
 * foreign businesses. Landfall defines the last four, for the authority's clients.
 */
export const scopes = {
  'movement/road/v2': { api: 'Road movement', foreign: true },
  'movement/air': { api: 'Air movement', foreign: true },
  'movement/rail': { api: 'Rail movement', foreign: true },
  'movement/maritime': { api: 'Maritime movement', foreign: true },
  'movement/transportarrival': { api: 'Transport arrival', foreign: false },
  'movement/entry': { api: 'Presentation and routing', foreign: true },
  'goodsdeclaration/document.write': { api: 'Document upload', foreign: true },
  'declaration.feed': { api: 'Declaration data: read', foreign: false },
  'authority/registry': { api: 'Authority: pre-notifications and organisations', foreign: false },
  'authority/routing': { api: 'Authority: routing decisions', foreign: false },
  'authority/operations': { api: 'Authority: status of the service', foreign: false },
  'declaration.publish': { api: 'Declaration data: publish', foreign: false },
} as const;

/** A scope in its plain form without prefix, such as `movement/entry`. */
export type ScopeName = keyof typeof scopes;

/** The test scope for foreign businesses, without prefix. Any valid eSeal gets it; it cannot be exchanged. */
export const TEST_SCOPE = 'eu/test';

/** A parsed scope. */
export type ParsedScope = { name: ScopeName; foreign: boolean };

/**
 * Formats a scope for tokens.
 *
 * @param name the scope's plain form, such as `movement/entry`
 * @param options `prefix` (default `customs:`) and `foreign` for the `eu/` form
 * @example
 * formatScope('movement/entry', { foreign: true }); // 'customs:eu/movement/entry'
 */
export function formatScope(
  name: ScopeName,
  { prefix = DEFAULT_SCOPE_PREFIX, foreign = false }: { prefix?: string; foreign?: boolean } = {},
): string {
  return `${prefix}${foreign ? 'eu/' : ''}${name}`;
}

/**
 * Parses a scope; `undefined` if it is not in the scope table.
 *
 * @example
 * parseScope('customs:eu/movement/entry'); // { name: 'movement/entry', foreign: true }
 */
export function parseScope(
  text: string,
  prefix: string = DEFAULT_SCOPE_PREFIX,
): ParsedScope | undefined {
  if (!text.startsWith(prefix)) return undefined;
  const rest = text.slice(prefix.length);
  const foreign = rest.startsWith('eu/');
  const name = foreign ? rest.slice('eu/'.length) : rest;
  if (!isScopeName(name) || (foreign && !scopes[name].foreign)) return undefined;
  return { name, foreign };
}

function isScopeName(name: string): name is ScopeName {
  return Object.hasOwn(scopes, name);
}
