// What the rules say of what is typed, as the service would judge it: with the same list of rules.
import {
  checkMovement,
  type IncompleteReason,
  type MovementError,
  movementRules,
  uncheckedRegisters,
  type ValidationErrorCode,
} from '@landfall/contract';
import { fillUp } from './filled-up.js';
import { compareSteps, type Shown } from './parts.js';
import { stepsOf } from './steps.js';

/** A broken rule of a member. */
export type FieldProblem = {
  field: string;
  error: string;
  code: ValidationErrorCode;
  /** The id of the rule, if it is known. */
  rule?: string;
};

/** Something that a house consignment still needs. */
export type Missing = { field: string; error: string; code: IncompleteReason };

/** What the rules say of a message, both in the order of the form. */
export type Judgement = { errors: readonly FieldProblem[]; missing: readonly Missing[] };

const statusRules = movementRules.filter(({ phase }) => phase === 'status');

/**
 * Judges a message without asking a register, which the service does when it is sent. While something is missing, rules between members are asked of what is there.
 *
 * @param isOffice whether a customs office is in the list that is in force
 * @param replaces the message that it replaces
 */
export function judge(
  message: object,
  shown: Shown,
  {
    isOffice,
    now,
    replaces,
  }: { isOffice: (code: string) => boolean; now: Date; replaces?: unknown },
): Judgement {
  const { mode, level, schema } = shown;
  const registers = { ...uncheckedRegisters, isCustomsOffice: isOffice };
  const context = { level, mode, registers, now, replaces };
  const checked = checkMovement(message, context);
  if (checked.accepted) return { errors: [], missing: inOrder(checked.missing, shown) };
  const { errors } = checked;
  if (checked.phase !== 'at once' || errors.some(({ code }) => code !== 'REQUIRED')) {
    return { errors: inOrder(errors, shown), missing: [] };
  }
  const more = checkMovement(fillUp(schema, message), context, statusRules);
  const known = new Set(errors.map(({ field }) => field));
  const further = more.accepted
    ? []
    : more.errors.filter(({ field }) => !known.has(field) && isGiven(message, field));
  return { errors: inOrder<MovementError>([...errors, ...further], shown), missing: [] };
}

/** Whether a message has a member. */
function isGiven(message: unknown, field: string): boolean {
  let value = message;
  for (const step of stepsOf(field)) {
    // Safe cast: a member of what has none is undefined.
    value = (value as Record<string, unknown> | undefined | null)?.[step];
  }
  return value !== undefined;
}

function inOrder<Found extends { field: string }>(found: readonly Found[], { schema }: Shown) {
  return [...found].sort((one, other) =>
    compareSteps(schema, stepsOf(one.field), stepsOf(other.field)),
  );
}
