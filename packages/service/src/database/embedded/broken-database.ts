/** The embedded database cannot be made or opened; the message says what to do. */
export class BrokenDatabaseError extends Error {
  readonly code = 'BROKEN_DATABASE';
  override name = 'BrokenDatabaseError';
}
