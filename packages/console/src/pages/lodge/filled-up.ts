// A message with something in place of each member that it still needs, so that rules between members can be asked early.
import {
  checkMovement,
  movementRules,
  type MovementPart as Part,
  uncheckedRegisters,
} from '@landfall/contract';
import type { Shown } from './parts.js';

/** What stands for a text that is not there yet: no rule knows it. */
const TEXT = 'X';

/** Fills up what is missing of a value. What is not of its type stays. */
export function fillUp(part: Part, value: unknown): unknown {
  const { properties, required = [], items } = part;
  if (properties !== undefined) {
    const given = isRecord(value) ? value : {};
    return Object.fromEntries(
      Object.entries(properties).flatMap(([name, member]) =>
        given[name] === undefined && !required.includes(name)
          ? []
          : [[name, fillUp(member, given[name])]],
      ),
    );
  }
  if (items !== undefined) {
    const given = Array.isArray(value) ? value : Array(part.minItems ?? 0).fill(undefined);
    return given.map((item) => fillUp(items, item));
  }
  if (value !== undefined) return value;
  return part.type === 'number' ? 0 : part.type === 'boolean' ? true : TEXT;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const byStatus = movementRules.filter(({ phase }) => phase === 'status');
const rulesOf = {
  /** Rules that two members contradict each other. */
  INCOMPATIBLE: byStatus.filter(({ code }) => code === 'INCOMPATIBLE'),
  /** Rules that a code is one of another mode. */
  NOT_FOR_MODE: byStatus.filter(({ code }) => code === 'NOT_FOR_MODE'),
};

/** The members of a message that break a rule with a code. What is missing of the message is filled up. */
export function brokenMembers(
  message: unknown,
  { mode, level, schema }: Shown,
  code: keyof typeof rulesOf,
): string[] {
  const context = { level, mode, registers: uncheckedRegisters, now: new Date(0) };
  const checked = checkMovement(fillUp(schema, message), context, rulesOf[code]);
  return checked.accepted ? [] : checked.errors.map(({ field }) => field);
}
