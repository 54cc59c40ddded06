// Judges the text of a movement message: what it is made of, its level, and then its rules.
import type { ValidationError } from '../errors.js';
import { duplicateMember, inspectJson, isTooDeep, tooDeep } from '../inspect-json.js';
import { isLonger } from '../split-text/line-splitter.js';
import { notJson } from '../split-text/not-json.js';
import { type CheckedMovement, checkMovement, type MovementContext } from './check-message.js';
import { guessLevel, type MovementMessageName, movementMessages } from './levels.js';

/** What the rules say of a text, and the level by which it was judged; undefined if it is unknown. */
export type CheckedMovementText = CheckedMovement & { level: MovementMessageName | undefined };

/** The error of a message that is too long. */
export const movementTooLong = (maxBytes: number): ValidationError => ({
  field: '',
  error: `must not be longer than ${maxBytes} bytes`,
  code: 'SIZE',
});

const unknownLevel: ValidationError = {
  field: '',
  error:
    'its members do not show whether it is a transport, a master or a house consignment, or a relation',
  code: 'FORMAT',
};

/**
 * Judges a text. Members that an object has more than once are errors: readers differ on which one counts.
 *
 * @param context without a level, it is guessed from the members
 */
export function checkMovementText(
  text: string,
  { level: given, ...context }: Omit<MovementContext, 'level'> & { level?: MovementMessageName },
): CheckedMovementText {
  if (isTooDeep(text)) return refuseMovementText(given, [tooDeep]);
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return refuseMovementText(given, [notJson(text)]);
  }
  const level = given ?? guessLevel(message);
  if (level === undefined) return refuseMovementText(level, [unknownLevel]);
  const { maxBytes } = movementMessages[level];
  if (isLonger(text, maxBytes)) return refuseMovementText(level, [movementTooLong(maxBytes)]);
  const { duplicates } = inspectJson(text);
  if (duplicates.length > 0) {
    return refuseMovementText(
      level,
      duplicates.map((path) => duplicateMember(withBrackets(path))),
    );
  }
  return { ...checkMovement(message, { ...context, level }), level };
}

/** Refuses a text that no rule of the list can judge. */
export function refuseMovementText(
  level: MovementMessageName | undefined,
  errors: readonly ValidationError[],
): CheckedMovementText {
  return {
    level,
    accepted: false,
    phase: 'at once',
    errors: errors.map(({ field, error, code }) => ({ rule: 'text', field, error, code })),
    errorCount: errors.length,
  };
}

/** A path of a member, with its indexes in brackets as in errors of movement messages. */
export function withBrackets(path: string): string {
  return path.replace(/\.(\d+)(?=\.|$)/g, '[$1]');
}
