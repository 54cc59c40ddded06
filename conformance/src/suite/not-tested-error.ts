// The outcome of a case that cannot be tested.

/** A case cannot be tested; the message says why. */
export class NotTestedError extends Error {
  readonly code = 'NOT_TESTED';
  override name = 'NotTestedError';
}
