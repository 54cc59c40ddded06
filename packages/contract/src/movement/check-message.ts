// Judges a movement message by the list of rules.
import { MAX_REPORTED_ERRORS } from '../errors.js';
import { type IncompleteReason, incompleteReasonCodes } from './codes/procedures.js';
import type { MovementError } from './errors.js';
import { movementKey } from './keys.js';
import { type MovementMessageName, movementMessages } from './levels.js';
import { type ModeName, modes } from './modes.js';
import { formatPath, type Part, readMessage } from './read-message.js';
import { type Registers, uncheckedRegisters } from './registers.js';
import { memberRules } from './rules/at-once.js';
import { keyRules } from './rules/keys.js';
import { relationCancelRules } from './rules/relation.js';
import type { Cancelled, Facts, Found, Phase, Rule } from './rules/rule.js';
import { appliesTo, movementRules } from './rules/rules.js';

/** A reason why a house consignment is incomplete, and what is missing. */
export type MissingPart = Omit<MovementError, 'code'> & { code: IncompleteReason };

/** What the rules say of a message. */
export type CheckedMovement =
  | {
      accepted: false;
      /** The phase in which it is refused. */
      phase: Exclude<Phase, 'completeness'>;
      /** The first errors, one for each member. */
      errors: MovementError[];
      /** How many there are. */
      errorCount: number;
      /** Its key, unless it is refused at once: then it may have none. */
      key?: string;
      /** The message as it is read, unless it is refused at once. */
      body?: unknown;
    }
  | {
      accepted: true;
      /** The message as it is read. */
      body: unknown;
      /** Its key, which no other current message of the mode may have. */
      key: string;
      /** What is missing, in the order of the reasons; empty if it is complete, or is no house consignment. */
      missing: MissingPart[];
    };

export type MovementContext = {
  level: MovementMessageName;
  mode: ModeName;
  registers: Registers;
  now: Date;
  /** The message that it replaces, if it does: what is not changed may stay. */
  replaces?: unknown;
  /** What is cancelled, if the request cancels. */
  cancels?: Cancelled;
};

/**
 * Judges a message as if it was lodged now, in time proportional to its size. Whatever other messages decide but its key
 * (replacing, cancelling, presenting) is not judged here.
 *
 * @param message any JSON value
 * @param rules the list; for tests, which leave some out
 * @example
 * const { level, mode, now } = { level: 'transport', mode: 'road', now: new Date() } as const;
 * checkMovement({}, { level, mode, now, registers: uncheckedRegisters });
 * // { accepted: false, phase: 'at once', errors: [{ field: 'documentIssueDate', code: 'REQUIRED', ... }, ...], ... }
 */
export function checkMovement(
  message: unknown,
  { level, mode, registers, now, replaces, cancels }: MovementContext,
  rules: readonly Rule[] = movementRules,
): CheckedMovement {
  const read = readMessage(movementMessages[level].schema, message);
  const { body } = read;
  const { submitter } = registers;
  const facts: Facts = { ...read, level, mode: modes[mode], registers, now, replaces, cancels };
  const applying = rules.filter((rule) => appliesTo(rule, level, mode));
  for (const phase of ['at once', 'status'] as const) {
    const errors = new FoundErrors();
    for (const rule of applying) {
      if (rule.phase !== phase) continue;
      for (const found of rule.find(facts)) errors.add(rule, found);
    }
    if (errors.count > 0) {
      return {
        accepted: false,
        phase,
        errors: errors.first,
        errorCount: errors.count,
        ...(phase === 'status' && { key: movementKey(level, body, mode, submitter), body }),
      };
    }
  }
  const key = movementKey(level, body, mode, submitter);
  return { accepted: true, body, key, missing: findMissing(applying, facts) };
}

/**
 * Reads a body that is no message of a level, and judges its members by themselves.
 *
 * @param body any JSON value
 */
export function checkMembers(
  schema: Part,
  body: unknown,
): { body: unknown; errors: MovementError[] } {
  const read = readMessage(schema, body);
  const about = { level: 'transport', mode: modes.road, now: new Date(0) } as const;
  const errors = new FoundErrors();
  for (const rule of memberRules) {
    if (rule.phase === 'completeness') continue;
    for (const found of rule.find({ ...read, ...about, registers: uncheckedRegisters })) {
      errors.add(rule, found);
    }
  }
  return { body: read.body, errors: errors.first };
}

/**
 * The error of a message that is accepted but for its key, which another current message has.
 *
 * @param message that the schema of the level has accepted
 */
export function takenKeyError(
  message: unknown,
  context: Pick<MovementContext, 'level' | 'mode'>,
): MovementError {
  const registers = { ...uncheckedRegisters, isKeyTaken: () => true };
  const checked = checkMovement(message, { ...context, registers, now: new Date(0) }, keyRules);
  const [error] = checked.accepted ? [] : checked.errors;
  if (error === undefined) throw new Error(`no rule is about the key of a ${context.level}`);
  return error;
}

/** What keeps a relation from being cancelled. */
export function checkRelationCancellation(cancels: Cancelled): MovementError[] {
  const about = { level: 'relation', mode: modes.road, now: new Date(0) } as const;
  const facts = { ...readMessage({}, undefined), ...about, registers: uncheckedRegisters, cancels };
  const errors = new FoundErrors();
  for (const rule of relationCancelRules) {
    for (const found of rule.find(facts)) errors.add(rule, found);
  }
  return errors.first;
}

/** Collects one error for each member. */
class FoundErrors {
  readonly first: MovementError[] = [];
  /** Two rules that find the same member name it by one path, so that only those that are reported become text. */
  readonly #fields = new Set<Found['field']>();

  get count(): number {
    return this.#fields.size;
  }

  add({ id, text, code }: Extract<Rule, { phase: 'at once' | 'status' }>, found: Found): void {
    if (this.#fields.has(found.field)) return;
    this.#fields.add(found.field);
    if (this.first.length >= MAX_REPORTED_ERRORS) return;
    this.first.push({ rule: id, field: fieldOf(found), error: fillText(text, found), code });
  }
}

function findMissing(rules: readonly Rule[], facts: Facts): MissingPart[] {
  // Two rules may miss the same: a transit, because of each of the two procedures.
  const byPart = new Map<string, MissingPart>();
  for (const rule of rules) {
    if (rule.phase !== 'completeness') continue;
    const { id, text, code } = rule;
    for (const found of rule.find(facts)) {
      const field = fieldOf(found);
      const part = `${code} ${field}`;
      if (byPart.has(part)) continue;
      byPart.set(part, { rule: id, field, error: fillText(text, found), code });
    }
  }
  const order = (code: IncompleteReason) => incompleteReasonCodes.indexOf(code);
  return [...byPart.values()].sort((a, b) => order(a.code) - order(b.code));
}

function fieldOf({ field }: Found): string {
  return typeof field === 'string' ? field : formatPath(field);
}

/** Fills in what a text names in braces; what is filled in is not searched again. */
function fillText(text: string, { values = {} }: Found): string {
  return text.replace(/\{(\w+)\}/g, (braces, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : braces,
  );
}
