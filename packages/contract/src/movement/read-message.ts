// Reads a movement message, with all that real clients send in other forms, and lists its members for the rules.
import { isObject } from '../is-object.js';
import type { CodeListName } from './codes/code-lists.js';
import type { TextForm } from './schema/text-forms.js';

/** The members of a schema that are read here and by the rules. */
export type Part = {
  type?: string;
  properties?: Readonly<Record<string, Part>>;
  required?: readonly string[] | undefined;
  items?: Part;
  /** Of members that are read in one of several ways: a text, or an object. */
  anyOf?: readonly Part[];
  /** Of texts: the words of which it is one. */
  enum?: readonly string[];
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  /** Of texts. */
  form?: TextForm;
  codeList?: CodeListName;
  country?: true;
  /** A text of digits that is also read as a number. */
  digits?: true;
  /** Of numbers: how many digits are before and after the point. */
  decimal?: { whole: number; fraction: number };
  /** Of lists: a single item is read as a list of it. */
  oneOrList?: true;
  /** Of members: another name that is read. */
  alsoNamed?: string;
  /** Of objects: an address that needs a street or a post office box. */
  streetOrBox?: true;
  /** Of objects: a place. */
  place?: true;
};

/** Where a member is: its name in what is before it, or its index in a list. */
export type Path = { before: Path | undefined; name: string | number };

/** A member that a message has, or should have. */
export type Member = {
  path: Path | undefined;
  part: Part;
  /** As it is read; undefined if it is absent. */
  value: unknown;
  isRequired: boolean;
};

/**
 * Reads a message: `null` is absent, members that the schema does not have are left out, and codes, booleans and single
 * items have the type of the schema. What cannot be read so stays as it is, for the rules to report.
 *
 * @param schema of the message
 * @param message any JSON value. Its depth does not matter: no deeper than the schema is read
 * @returns the message, and its members in the order of the schema, with those that are missing. Items of a list that is
 *   too long are not read
 */
export function readMessage(schema: Part, message: unknown): ReadMessage {
  const reading: Reading = { members: [], byPart: new Map(), items: 0 };
  const body = readPart(schema, message, undefined, true, reading);
  const { members, byPart, items } = reading;
  const membersOf = (isSuch: (part: Part) => boolean) =>
    [...byPart.keys()].filter(isSuch).flatMap((part) => byPart.get(part) ?? []);
  return { body, members, membersOf, isCut: items > MAX_ITEMS };
}

export type ReadMessage = {
  body: unknown;
  /** In the order of the schema, with those that are missing. */
  members: readonly Member[];
  /** Those whose part of the schema is such. There are thousands of members, and some dozens of parts. */
  membersOf(isSuch: (part: Part) => boolean): readonly Member[];
  /** Whether it has more items of lists than are read. */
  isCut: boolean;
};

/** What was read so far. */
type Reading = { members: Member[]; byPart: Map<Part, Member[]>; items: number };

/** Items of all lists that are read: more than any message may have, and few enough to take no time. */
const MAX_ITEMS = 40_000;

function readPart(
  described: Part,
  raw: unknown,
  path: Path | undefined,
  isRequired: boolean,
  reading: Reading,
): unknown {
  const part = alternativeOf(described, raw);
  const isSingle =
    part.oneOrList === true && raw !== undefined && raw !== null && !Array.isArray(raw);
  const value = isSingle ? [raw] : convert(part, raw);
  const entry: Member = { path, part, value, isRequired };
  reading.members.push(entry);
  const ofPart = reading.byPart.get(part);
  if (ofPart === undefined) reading.byPart.set(part, [entry]);
  else ofPart.push(entry);
  const { properties, items, maxItems = Number.POSITIVE_INFINITY } = part;
  if (properties !== undefined) {
    const isMissing = value === undefined && isRequired;
    if (!isMissing && !isObject(value)) return value;
    const body: Record<string, unknown> = {};
    for (const { name, member, isNeeded } of namesOf(part)) {
      const given = isMissing ? undefined : memberOf(value, name, member);
      if (given === undefined && !isNeeded) continue;
      const read = readPart(member, given, { before: path, name }, isNeeded, reading);
      if (read !== undefined) body[name] = read;
    }
    if (isMissing) return undefined;
    entry.value = body;
    return body;
  }
  if (items !== undefined) {
    if (!Array.isArray(value) || value.length > maxItems) return value;
    reading.items += value.length;
    if (reading.items > MAX_ITEMS) return value;
    return value.map((item, name) =>
      readPart(items, item, isSingle ? path : { before: path, name }, true, reading),
    );
  }
  return value;
}

/** The way in which a member is read that may be read in several: a text as a text, and anything else in the other way. */
function alternativeOf(part: Part, raw: unknown): Part {
  if (part.anyOf === undefined) return part;
  const isText = typeof raw === 'string';
  return part.anyOf.find(({ type }) => (type === 'string') === isText) ?? part;
}

type NamedPart = { name: string; member: Part; isNeeded: boolean };

/** The members of each part: listing them anew for each of thousands of objects takes most of the time. */
const names = new WeakMap<Part, readonly NamedPart[]>();

function namesOf(part: Part): readonly NamedPart[] {
  const known = names.get(part);
  if (known !== undefined) return known;
  const { properties = {}, required = [] } = part;
  const made = Object.entries(properties).map(([name, member]) => ({
    name,
    member,
    isNeeded: required.includes(name),
  }));
  names.set(part, made);
  return made;
}

/** The member of an object, by its name or its other name; undefined if it is null. */
function memberOf(object: unknown, name: string, { alsoNamed }: Part): unknown {
  if (!isObject(object)) return undefined;
  const own = Object.hasOwn(object, name) ? object[name] : undefined;
  if (own !== undefined && own !== null) return own;
  return alsoNamed !== undefined && Object.hasOwn(object, alsoNamed)
    ? (object[alsoNamed] ?? undefined)
    : undefined;
}

function convert({ type, digits }: Part, raw: unknown): unknown {
  if (raw === null) return undefined;
  if (digits === true && typeof raw === 'number' && Number.isSafeInteger(raw) && raw >= 0) {
    return String(raw);
  }
  if (type === 'boolean' && typeof raw === 'string') {
    const word = raw.length > 5 ? '' : raw.toLowerCase();
    if (word === 'true' || word === 'false') return word === 'true';
  }
  return raw;
}

/**
 * The path of a member as errors have it: names after dots, indexes in brackets.
 *
 * @example
 * // consignmentHouseLevel.previousDocuments[0].referenceNumber
 */
export function formatPath(path: Path | undefined): string {
  if (path === undefined) return '';
  const before = formatPath(path.before);
  if (typeof path.name === 'number') return `${before}[${path.name}]`;
  return before === '' ? path.name : `${before}.${path.name}`;
}
