// Where a connection gets its tokens.

/** A source of customs tokens, which caches them. */
export type TokenSource = {
  /**
   * A token with one of the scopes.
   *
   * @param scopes plain names such as `movement/entry`; none: any token does
   * @param signal ends the wait, not a renewal that others wait for
   */
  getToken(scopes: readonly string[], signal?: AbortSignal): Promise<string>;
  /** The service refuses this token: do not return it again. */
  discard(token: string): void;
};

/**
 * A source for a token that the program obtained itself.
 *
 * @example
 * const landfall = new Landfall({ baseUrl, tokens: fixedToken(process.env.CUSTOMS_TOKEN) });
 */
export function fixedToken(token: string): TokenSource {
  return { getToken: async () => token, discard: () => undefined };
}
