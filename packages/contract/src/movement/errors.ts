// The codes of errors that only movement messages have, beside those of every other error.
import { type ValidationErrorCode, validationErrorCodes } from '../errors.js';

/** Codes of errors of movement messages, with when each is given. */
const ownErrorCodes = {
  REPEATED: 'twice within one message',
  INCOMPATIBLE: 'two members contradict each other',
  NOT_FOR_MODE: 'the code belongs to another mode of transport',
  NOT_VERIFIED: 'a register says no',
  TIME_OUT_OF_RANGE: 'the time is too early or too late',
} as const;

/** The code of an error of a movement message, for programs. */
export type MovementErrorCode = ValidationErrorCode | keyof typeof ownErrorCodes;

/** What a code of an error of a movement message means. */
export const movementErrorCodes: Readonly<Record<MovementErrorCode, string>> = {
  ...validationErrorCodes,
  ...ownErrorCodes,
};

/** One broken rule of a movement message. */
export type MovementError = {
  /** The id of the rule in the list of rules. */
  rule: string;
  /** Path of the member from the root of the message, with indexes in brackets. */
  field: string;
  /** The text of the rule. */
  error: string;
  code: MovementErrorCode;
};
