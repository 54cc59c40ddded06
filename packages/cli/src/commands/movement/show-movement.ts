// Prints a movement message with its state.
import type { Movement } from '@landfall/client';
import {
  incompleteReasons,
  isObject,
  keysOf,
  type MovementSummary,
  movementLevelCodes,
} from '@landfall/contract';
import { print, printable, printJson, readableTime } from '../../output/output.js';

/** Prints its state, more lines with a heading each, and its text as JSON. */
export function showMovement(
  movement: Movement,
  more: readonly (readonly [heading: string, value: string | undefined])[],
): void {
  const { state, mrn, level, mode, lodgedAt, replacedAt, endedAt, message } = movement;
  const time = (at: string | undefined) => (at === undefined ? undefined : readableTime(at));
  const lines = [
    ['message', `${levelName(level)}, ${mode}`],
    ['lodged', time(lodgedAt)],
    ['replaced', time(replacedAt)],
    ['ended', time(endedAt)],
    ...more,
  ] as const;
  print(`${state}  ${mrn}`);
  const width = Math.max(...lines.map(([heading]) => heading.length));
  for (const [heading, value] of lines) {
    if (value !== undefined) print(`  ${heading.padEnd(width)}  ${printable(value)}`);
  }
  for (const reason of movement.incompleteDocumentationReasonList ?? []) {
    print(`  incomplete: ${incompleteReasons[reason]} (${reason})`);
  }
  for (const { mrn: relation, parentObjectType, childObjectType } of movement.relations ?? []) {
    print(
      `  relation  ${relation}: ${levelName(childObjectType)} on ${levelName(parentObjectType)}`,
    );
  }
  if (isObject(message)) printJson(message);
}

/** The level of a message, as addresses and commands name it. */
export function levelName(code: Movement['level']): string {
  return keysOf(movementLevelCodes).find((level) => movementLevelCodes[level] === code) ?? code;
}

/** What identifies a message: a transport by its means and time, the others by their document. */
export function keyOfMovement({
  document,
  carrierIdentificationNumber,
  identificationNumber,
  conveyanceReferenceNumber,
  scheduledDateAndTimeOfArrival,
}: Partial<MovementSummary>): string {
  const parts =
    document === undefined
      ? [identificationNumber, conveyanceReferenceNumber, scheduledDateAndTimeOfArrival]
      : [document.documentNumber, document.type, carrierIdentificationNumber];
  return parts.filter((part) => part !== undefined).join(' ');
}
