// An invalid option of a playground.

/** An option breaks a rule. The message names both. */
export class PlaygroundOptionError extends Error {
  readonly code = 'PLAYGROUND_OPTION';
  override name = 'PlaygroundOptionError';
}
