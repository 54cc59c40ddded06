// Judges the movement messages of a dataset: times from the start of the playground, and the rules of the contract.
import type { ValidationError } from '../errors.js';
import { isObject } from '../is-object.js';
import { checkMovement, takenKeyError } from '../movement/check-message.js';
import { movementLevels } from '../movement/levels.js';
import type { Registers } from '../movement/registers.js';
import { toTheSecond } from '../movement/to-the-second.js';
import { keyOfDocument } from '../read-reference-document.js';
import type { RegisteredReference } from '../reference-document.js';
import type { DatasetEntry, DatasetMovement } from './dataset-line.js';

/** A line with a message, and the organisation that lodges it. */
export type MovementEntry = Extract<DatasetEntry, { kind: 'movement' }>;

/** Seconds of each unit of a time from the start. */
const unitSeconds = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

const timeFromStart = /^([+-])(\d{1,5})([smhd])$/;

/**
 * The message of a line as it is lodged: times such as `+2h` count from the start. Other values stay as they are, for the rules.
 *
 * @param start of the playground, by its clock
 * @example
 * // With the start 2026-05-04T08:00:00.000Z, `{"documentIssueDate":"-30m", ...}` has 2026-05-04T07:30:00Z.
 */
export function messageFrom(
  { level, message }: Pick<DatasetMovement, 'level' | 'message'>,
  start: Date,
): Record<string, unknown> {
  const { properties } = movementLevels[level].schema;
  const instants = Object.entries(properties).flatMap(([name, part]) =>
    'form' in part && part.form === 'instant' ? name : [],
  );
  const made = { ...message };
  for (const name of instants) {
    const value = message[name];
    // What is no text is left to the rules.
    if (typeof value !== 'string') continue;
    const [, sign, count, unit] = timeFromStart.exec(value) ?? [];
    if (unit === undefined) continue;
    // The cast is true because the pattern has no other units.
    const seconds = Number(`${sign}${count}`) * unitSeconds[unit as keyof typeof unitSeconds];
    made[name] = toTheSecond(new Date(start.getTime() + seconds * 1000));
  }
  return made;
}

/** The messages of the lines so far: their keys, and the documents that lines before register. */
export class DatasetMovements {
  readonly #keys = new Set<string>();
  readonly #documents = new Map<string, RegisteredReference['state']>();

  /** Adds a document, which counts for the messages of later lines. */
  addDocument(document: RegisteredReference): void {
    this.#documents.set(nameOf(document), document.state);
  }

  /**
   * Judges a message as if it was lodged at the start.
   *
   * @param registers what they say without the dataset
   * @param isLodged whether it is lodged already: then only its key counts, because its times may have passed
   * @returns its key, unless it has none; and every rule that it breaks
   */
  check(
    { movement, submitter }: MovementEntry,
    { start, registers, isLodged }: { start: Date; registers: Registers; isLodged: boolean },
  ): { key?: string; errors: ValidationError[] } {
    const { mode, level } = movement;
    const checked = checkMovement(messageFrom(movement, start), {
      mode,
      level,
      now: start,
      registers: {
        ...registers,
        submitter,
        documentState: (document) =>
          this.#documents.get(nameOf(document)) ?? registers.documentState(document),
        isKeyTaken: (key) => this.#keys.has(key),
      },
    });
    const { key } = checked;
    const isRepeated = key !== undefined && this.#keys.has(key);
    if (key !== undefined) this.#keys.add(key);
    if (checked.accepted || (isLodged && !isRepeated)) return { ...(key && { key }), errors: [] };
    return { ...(key && { key }), errors: checked.errors.map(inLine) };
  }
}

/**
 * The error of a line whose message has the key of another current message.
 *
 * @param mrn of that one
 */
export function datasetKeyTaken(
  { mode, level, message }: DatasetMovement,
  mrn: string,
  start: Date,
): ValidationError {
  const { field, error, code } = takenKeyError(messageFrom({ level, message }, start), {
    mode,
    level,
  });
  return inLine({ field, error: `${error}: ${mrn}`, code });
}

/** The error of a message names the member within its line. */
function inLine({ field, error, code }: ValidationError): ValidationError {
  const below = field === '' ? '' : `.${field}`;
  return { field: `movement.message${below}`, error, code };
}

const nameOf = (document: Parameters<typeof keyOfDocument>[0]) => {
  const { kind, reference } = keyOfDocument(document);
  return `${kind} ${reference}`;
};

/** The requestId of a message is made from its line, so that it is lodged once. */
export function checkOwnRequestId({ message }: DatasetMovement): ValidationError[] {
  if (!isObject(message) || !Object.hasOwn(message, 'requestId')) return [];
  const error = 'is made from the line, so that it is lodged once: leave it out';
  return [{ field: 'movement.message.requestId', error, code: 'UNKNOWN_MEMBER' }];
}
