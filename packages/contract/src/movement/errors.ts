// Errors of movement messages.
import type { ValidationErrorCode } from '../errors.js';

/** One broken rule of a movement message. */
export type MovementError = {
  /** The id of the rule in the list of rules. */
  rule: string;
  /** Path of the member from the root of the message, with indexes in brackets. */
  field: string;
  /** The text of the rule. */
  error: string;
  code: ValidationErrorCode;
};
