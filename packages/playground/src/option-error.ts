// An invalid option of a playground.
import type { ValidationError } from '@landfall/contract';

/** An option breaks a rule. The message names both; `errors` has every member that breaks one. */
export class PlaygroundOptionError extends Error {
  readonly code = 'PLAYGROUND_OPTION';
  override name = 'PlaygroundOptionError';
  readonly errors: readonly ValidationError[];

  constructor(message: string, errors: readonly ValidationError[] = []) {
    super(message);
    this.errors = errors;
  }
}

/** Whether a value is an object with members of its own: of one of a class, such as a `Date`, nothing would be read. */
export function isPlainObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Those of another realm have another prototype.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The error for the members of an option that break rules. */
export function toOptionError(
  option: string,
  errors: readonly ValidationError[],
): PlaygroundOptionError {
  const rules = errors.map(
    ({ field, error }) => `${[option, field].filter(Boolean).join('.')} ${error}`,
  );
  return new PlaygroundOptionError(rules.join('; '), errors);
}
