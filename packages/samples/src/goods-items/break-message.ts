// Adds one random fault of any kind that the schema detects to a goods-item message, and reports the broken member.
import { GoodsItemMessage } from '@landfall/contract';
import type { Random } from '../random.js';

/** The kind of rule that a fault breaks. */
export type FaultKind =
  | 'missing'
  | 'extra'
  | 'type'
  | 'pattern'
  | 'length'
  | 'range'
  | 'enum'
  | 'date'
  | 'cross';

/** A message with one fault. */
export type BrokenMessage = {
  message: unknown;
  /** Path of the broken, missing or unknown member. */
  field: string;
  kind: FaultKind;
};

/** One possible fault. */
type Fault = { kind: FaultKind; field: string; make: () => void };

/** The keywords of a schema that faults break. */
type Schema = {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  pattern?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  maxLength?: number;
  minimum?: number;
};

/** A member with its value, and a function that replaces the value. */
type Member = { path: string[]; value: unknown; replace: (value: unknown) => void };

/** Unknown names: some are similar to known ones, others are inherited by JavaScript objects. */
const extraNames = [
  'remark',
  'Remark',
  'goodsItem',
  'eventid',
  'x',
  '',
  'constructor',
  '__proto__',
  'a.b',
  'å',
] as const;

const falseDates = [
  '2025-02-30',
  '2023-02-29',
  '1900-02-29',
  '2025-04-31',
  '2025-13-01',
  '2025-00-10',
  '0000-01-01',
  '20250101',
  '2025-1-1',
  '01.02.2025',
  '2025-01-01T00:00:00Z',
] as const;
const falseTimes = [
  '2025-02-30T10:00:00Z',
  '2025-01-01T24:00:00Z',
  '2025-01-01T10:60:00Z',
  '2025-01-01T10:00:60Z',
  '2025-01-01T10:00:00+01:00',
  '2025-01-01T10:00:00',
  '2025-01-01 10:00:00Z',
  '2025-01-01t10:00:00z',
  '2025-01-01',
  '1736000000',
] as const;

/**
 * Breaks a copy of a valid message. All kinds of faults that are possible in the message are equally likely.
 *
 * @example
 * const { message, field } = breakMessage(whole, makeRandom(1)); // field: 'data.GoodsItem.NetMass'
 */
export function breakMessage(message: GoodsItemMessage, random: Random): BrokenMessage {
  // Messages share objects, and only this one may be broken.
  const copy: GoodsItemMessage = structuredClone(message);
  const faults = new Map<FaultKind, Fault[]>();
  for (const fault of findFaults(copy, random)) {
    const alike = faults.get(fault.kind);
    if (alike === undefined) faults.set(fault.kind, [fault]);
    else alike.push(fault);
  }
  const { kind, field, make } = random.pick(faults.get(random.pick([...faults.keys()])) ?? []);
  make();
  return { message: copy, field, kind };
}

function* findFaults(message: GoodsItemMessage, random: Random): Generator<Fault> {
  yield* findCrossFaults(message);
  // The cast is true because all members of this type are optional keywords of JSON Schema.
  const root = { path: [], value: message, replace: refuse };
  yield* findFaultsBelow(GoodsItemMessage as Schema, root, random);
}

/** A whole message is never replaced. */
function refuse(): never {
  throw new Error('a message cannot be replaced as a whole');
}

function* findCrossFaults(message: GoodsItemMessage): Generator<Fault> {
  const { metadata, data } = message;
  if (metadata.eventType !== 'ITEM_REMOVED') {
    yield { kind: 'cross', field: 'data', make: () => delete message.data };
  } else if (data === undefined) {
    const field = 'metadata.relatedEventId';
    yield { kind: 'cross', field, make: () => delete metadata.relatedEventId };
  } else if (metadata.relatedEventId === undefined) {
    const field = 'metadata.relatedEventId';
    yield { kind: 'cross', field, make: () => delete message.data };
  }
}

function* findFaultsBelow(schema: Schema, member: Member, random: Random): Generator<Fault> {
  const { path, value } = member;
  const field = path.join('.');
  if (path.length > 0) {
    yield { kind: 'type', field, make: () => member.replace(random.pick(otherTypes(value))) };
  }
  if (schema.type === 'integer') {
    yield { kind: 'type', field, make: () => member.replace(random.pick([1.5, -0.1])) };
  }
  if (schema.minimum !== undefined) {
    const { minimum } = schema;
    const make = () => member.replace(random.pick([minimum - 1, minimum - 2, -(2 ** 40)]));
    yield { kind: 'range', field, make };
  }
  if (typeof value === 'string') yield* findTextFaults(schema, member, field, random);
  if (schema.enum !== undefined && typeof value === 'number') {
    yield { kind: 'enum', field, make: () => member.replace(random.pick([-1, 4, 9, 1e9])) };
  }
  if (Array.isArray(value) && schema.items !== undefined) {
    for (const [index, item] of value.entries()) {
      const replace = (changed: unknown) => {
        value[index] = changed;
      };
      yield* findFaultsBelow(
        schema.items,
        {
          path: [...path, String(index)],
          value: item,
          replace,
        },
        random,
      );
    }
  }
  if (isObject(value) && schema.properties !== undefined) {
    yield* findObjectFaults(schema, value, path, random);
  }
}

function* findTextFaults(
  schema: Schema,
  member: Member,
  field: string,
  random: Random,
): Generator<Fault> {
  const text = String(member.value);
  const { pattern, maxLength } = schema;
  if (schema.format === 'date' || schema.format === 'date-time') {
    const wrong = schema.format === 'date' ? falseDates : falseTimes;
    yield { kind: 'date', field, make: () => member.replace(random.pick(wrong)) };
  }
  if (pattern !== undefined) {
    const make = () => member.replace(misspell(random, text, new RegExp(pattern, 'u')));
    yield { kind: 'pattern', field, make };
  }
  if (maxLength !== undefined) {
    const make = () => {
      const letter = random.pick(['x', 'å', '😀', ' ', '\u0301']);
      member.replace(letter.repeat(maxLength + random.pick([1, 1, 2, 1000])));
    };
    yield { kind: 'length', field, make };
  }
  if (schema.enum !== undefined || schema.const !== undefined) {
    const wrong = [text.toLowerCase(), `${text} `, `${text}X`, 'NONE', '0.1', ''];
    const make = () => member.replace(random.pick(wrong.filter((code) => code !== text)));
    yield { kind: 'enum', field, make };
  }
}

function* findObjectFaults(
  schema: Schema,
  value: Record<string, unknown>,
  path: readonly string[],
  random: Random,
): Generator<Fault> {
  const name = (member: string) => [...path, member].join('.');
  const extra = random.pick(extraNames);
  const add = () =>
    // Assigning to __proto__ would not add a member.
    Object.defineProperty(value, extra, {
      value: random.pick([1, 'text', null, {}]),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  yield { kind: 'extra', field: name(extra), make: add };
  for (const member of schema.required ?? []) {
    yield { kind: 'missing', field: name(member), make: () => delete value[member] };
  }
  for (const [member, part] of Object.entries(schema.properties ?? {})) {
    if (!Object.hasOwn(value, member)) continue;
    const replace = (changed: unknown) => {
      value[member] = changed;
    };
    yield* findFaultsBelow(
      part,
      { path: [...path, member], value: value[member], replace },
      random,
    );
  }
}

/** The text with a small mistake that breaks its pattern. */
function misspell(random: Random, text: string, pattern: RegExp): string {
  const at = random.integer(0, Math.max(0, text.length - 1));
  const mistakes = [
    text.toLowerCase(),
    text.toUpperCase(),
    text.slice(0, -1),
    `${text}0`,
    ` ${text}`,
    `${text}\n`,
    `${text.slice(0, at)}!${text.slice(at + 1)}`,
    `${text.slice(0, at)}Å${text.slice(at + 1)}`,
    `${text.slice(0, at)}٣${text.slice(at + 1)}`,
    `${text.slice(0, at)}\u202e${text.slice(at)}`,
    '',
  ];
  return random.pick(mistakes.filter((mistake) => !pattern.test(mistake)));
}

function otherTypes(value: unknown): unknown[] {
  const types = [null, true, 'text', 1.5, '1', [], [value], {}];
  return types.filter((other) => kindOf(other) !== kindOf(value));
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return value === null ? 'null' : typeof value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return kindOf(value) === 'object';
}
