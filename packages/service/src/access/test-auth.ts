// Confirms that a token is valid, for clients that test their access.

/** The text that is sent. The token was verified before, as for every operation. */
export function testAuth(): string {
  return 'OK';
}
