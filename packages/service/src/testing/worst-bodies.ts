// The bodies of an operation that take longest to read, made from the table of operations: deeply nested, with very
// many members or equal items, of maximum length.
import { DEFAULT_MAX_BODY_BYTES, type Operation } from '@landfall/contract';
import { BOUNDARY, MULTIPART_TYPE, makeMultipart, makeUpload } from './multipart.js';
import { sampleValue } from './sample-value.js';
import { worstTexts, worstUnits } from './worst-texts.js';

/** A body with its media type and a description. It is made when it is needed, because it may have 64 MiB. */
export type WorstBody = { name: string; mediaType: string; makeBody: () => Buffer };

/** A description, and what makes the text. */
type WorstText = [name: string, make: () => string];

const KIB = 1024;

/** The longest line that any operation takes, and a little more. */
const LINE_BYTES = 520 * KIB;

/** Bodies that are made member by member are no larger than this. */
const MAX_MEMBER_BYTES = 512 * KIB;

/** The worst bodies of an operation, in each media type that it takes. */
export function worstBodies(operation: Operation): WorstBody[] {
  const limit = operation.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES;
  return Object.entries(operation.body ?? {}).flatMap(([mediaType, schema]) =>
    textsOf(mediaType, schema, limit).map(([name, make]) => ({
      name: `${mediaType}: ${name}`,
      mediaType: mediaType === 'multipart/form-data' ? MULTIPART_TYPE : mediaType,
      makeBody: () => Buffer.from(make(), mediaType === 'multipart/form-data' ? 'latin1' : 'utf8'),
    })),
  );
}

function textsOf(mediaType: string, schema: object, limit: number): WorstText[] {
  switch (mediaType) {
    case 'application/json':
      return [...hostileJson(limit), ...hostileMembers(schema, Math.min(limit, MAX_MEMBER_BYTES))];
    case 'application/x-ndjson':
      return hostileLines(schema);
    case 'text/csv':
      return hostileCsv(limit);
    case 'multipart/form-data':
      return hostileParts(limit);
    default:
      return hostileForms(schema, limit);
  }
}

/** Only the first of large texts have the maximum size of a body; what is read slowly takes seconds for this much too. */
const LARGE_BYTES = 16 * KIB * KIB;

/** Large texts that do not depend on the schema, valid JSON and invalid. */
function hostileJson(limit: number): WorstText[] {
  const half = Math.floor(limit / 2) - 1;
  const most = Math.min(limit, LARGE_BYTES);
  return [
    ['nested lists', () => `${'['.repeat(half)}${']'.repeat(half)}`],
    ['empty objects', () => `[${fill('{},', limit - 3)}{}]`],
    ['one text', () => `"${'x'.repeat(limit - 2)}"`],
    ['nested objects', () => fill('{"a":', most / 2)],
    ['empty lists', () => `[${fill('[],', most - 3)}[]]`],
    ['numbers without commas', () => fill('11 ', most, '[')],
    ['one text of escapes', () => `"${fill('\\u0000', most - 2)}"`],
    ['white space', () => `{${' '.repeat(most - 2)}}`],
    ['members', () => `{${members(most - 20)}"last":1}`],
    ['members in a prototype', () => `{${members(most - 40)}"__proto__":{"a":1}}`],
    ['equal members', () => `{${fill('"a":1,', most - 20)}"a":1}`],
  ];
}

/** How much is nested in one member: messages are nested deeper as a whole. */
const DEEP_BYTES = 64 * KIB;

/** The text of one member: what takes quadratic time for it takes seconds. */
const TEXT_BYTES = 128 * KIB;

/** Texts that each member gets; over all members, they get all. */
const TEXTS_OF_MEMBER = 2;

/** The beginnings of the next of the texts that take longest to parse, and what makes each of them. */
function nextTexts(length: number): WorstText[] {
  const beginnings = worstTexts(12);
  return Array.from({ length: TEXTS_OF_MEMBER }, () => {
    const at = given++ % beginnings.length;
    return [beginnings[at] ?? '', () => worstTexts(length, at)[0] ?? ''];
  });
}

let given = 0;

/** The members of a JSON schema that limit its values. */
type Limits = {
  type?: string;
  maxLength?: number;
  maxItems?: number;
  items?: Limits;
  anyOf?: Limits[];
  properties?: Record<string, Limits>;
  enum?: unknown[];
  const?: unknown;
};

/** A value with every member, whose texts and lists have their maximum size, but no list more than `items` items. */
function fullValue(schema: Limits, unit: string, items: number): unknown {
  const { properties, anyOf, items: item } = schema;
  if (properties !== undefined) {
    return Object.fromEntries(
      Object.entries(properties).map(([name, part]) => [name, fullValue(part, unit, items)]),
    );
  }
  if (anyOf !== undefined) return fullValue(anyOf.at(-1) ?? {}, unit, items);
  if (item !== undefined) {
    const value = fullValue(item, unit, items);
    return Array.from({ length: Math.min(schema.maxItems ?? items, items) }, () => value);
  }
  if (schema.type !== 'string' || schema.enum !== undefined) return sampleValue(schema);
  const { maxLength = 1000 } = schema;
  return unit.repeat(maxLength).slice(0, maxLength);
}

/** Units of texts that each schema gets; over all schemas, they get all. */
const UNITS_OF_SCHEMA = 4;

let filled = 0;

/** Such a value as JSON, with lists as long as the limit permits. */
function fullJson(schema: object, unit: string, limit: number): string {
  for (let items = 64; ; items = Math.floor(items / 2)) {
    const text = JSON.stringify(fullValue(schema, unit, items));
    if (Buffer.byteLength(text) <= limit || items <= 1) return text;
  }
}

/** Messages in which everything has its maximum size, and valid ones except for one member of maximum size or depth. */
function hostileMembers(schema: object, limit: number): WorstText[] {
  const sample = sampleValue(schema);
  const full = Array.from({ length: UNITS_OF_SCHEMA }, (): WorstText => {
    const unit = worstUnits[filled++ % worstUnits.length] ?? '';
    const name = `all of maximum size, of ${JSON.stringify(unit)}`;
    return [name, () => fullJson(schema, unit, limit)];
  });
  return [...full, ...hostileMembersOf(sample, limit)];
}

function hostileMembersOf(sample: unknown, limit: number): WorstText[] {
  return pathsOf(sample).flatMap(([path, member]): WorstText[] => {
    const space = limit - JSON.stringify(sample).length - 2;
    const put = (text: string) => putAt(sample, path, text);
    const name = path.join('.');
    const half = Math.min(Math.floor(space / 2) - 1, DEEP_BYTES / 2);
    const textLength = Math.floor(Math.min(space, TEXT_BYTES) / 2);
    const nested: WorstText[] = [
      [`nested lists in ${name}`, () => put(`${'['.repeat(half)}${']'.repeat(half)}`)],
      [`nested objects in ${name}`, () => put(nestedObjects(2 * half))],
    ];
    if (typeof member === 'string') {
      return [
        ...nested,
        [`a long text in ${name}`, () => put(`"${' a'.repeat(textLength)}"`)],
        // Half the bytes, because a quotation mark takes two characters.
        ...nextTexts(textLength).map(
          ([beginning, make]): WorstText => [
            `${JSON.stringify(beginning)}... in ${name}`,
            () => put(JSON.stringify(make())),
          ],
        ),
      ];
    }
    if (!Array.isArray(member)) return nested;
    const item = JSON.stringify(member[0] ?? 1);
    return [
      ...nested,
      [`equal items in ${name}`, () => put(`[${fill(`${item},`, space)}${item}]`)],
      [`empty items in ${name}`, () => put(`[${fill('{},', space - 2)}{}]`)],
      [`the maximum number of invalid items in ${name}`, () => put(`[${'{},'.repeat(1998)}{}]`)],
      [`numbers in ${name}`, () => put(`[${fill('1,', space)}1]`)],
    ];
  });
}

function hostileLines(schema: object): WorstText[] {
  const content = 'contentSchema' in schema ? schema.contentSchema : undefined;
  const inLine = typeof content === 'object' && content !== null ? [content] : [];
  // A line may have one of several schemas.
  const schemas = inLine.flatMap((part) =>
    'anyOf' in part && Array.isArray(part.anyOf) ? part.anyOf : [part],
  );
  return [
    ...hostileJson(LINE_BYTES - 10 * KIB).map(
      ([name, make]): WorstText => [`two lines: ${name}`, () => `${make()}\n`.repeat(2)],
    ),
    ...schemas
      .flatMap((part) => hostileMembers(part, LINE_BYTES - 10 * KIB))
      .map(([name, make]): WorstText => [`a line: ${name}`, () => `${make()}\n`]),
    ['short lines', () => '{}\n'.repeat(20_000)],
    ['lines that are not JSON', () => 'x\n'.repeat(20_000)],
    ['empty lines', () => '\n'.repeat(1024 * KIB)],
    ['a line without end', () => 'x'.repeat(4 * LINE_BYTES)],
  ];
}

function hostileCsv(limit: number): WorstText[] {
  const header = 'reference_number,name\n';
  const space = limit - header.length;
  return [
    ['short lines', () => fill('a\n', limit)],
    ['lines with a missing field', () => `${header}${fill('a\n', space)}`],
    ['lines with invalid fields', () => `${header}${fill('a,b\n', space)}`],
    ['equal offices', () => `${header}${fill('NO351001,Gardermoen\n', space)}`],
    ['empty lines', () => fill('\n', limit)],
    ['commas', () => `${header}${fill(',', space)}`],
    ['columns', () => `${fill('a,', limit - 2)}\n`],
    ['an open quote', () => `${header}NO351001,"${fill('a\n', space - 20)}`],
    ['quotes', () => `${header}${fill('"', space)}`],
    ...worstUnits.flatMap((unit): WorstText[] => [
      [
        `fields of ${JSON.stringify(unit)}`,
        () => `${header}${fill(`NO351001,${unit}\n`, space / 2)}`,
      ],
      [`a field of ${JSON.stringify(unit)}`, () => `${header}NO351001,${fill(unit, space / 2)}\n`],
    ]),
  ];
}

/** Bodies of parts, a character for each byte. */
function hostileParts(limit: number): WorstText[] {
  const most = limit - 64 * KIB;
  const upload = (content: string, name?: string) =>
    makeUpload(Buffer.from(content, 'latin1'), name).toString('latin1');
  const units = [
    'a',
    '\xc3\xa6',
    '\r\n',
    '-',
    `\r\n--${BOUNDARY.slice(0, -1)}`,
    'PK\x05\x06',
    'PK\x01\x02',
  ];
  const parts = (content: string) =>
    makeMultipart([{ name: 'a', content }])
      .subarray(0, -2)
      .toString('latin1');
  return [
    ...units.flatMap((unit): WorstText[] => [
      [`a file of ${JSON.stringify(unit)}`, () => upload(fill(unit, most))],
      [`a ZIP file of ${JSON.stringify(unit)}`, () => upload(fill(unit, most, 'PK'), 'a.docx')],
    ]),
    ['empty parts', () => fill(parts(''), limit)],
    ['lines between parts', () => fill(`--${BOUNDARY}\r\n\r\n`, limit)],
    ['a head without end', () => fill('X: y\r\n', limit, `--${BOUNDARY}\r\n`)],
    ['long metadata', () => fill('[', limit, parts('').slice(0, 60))],
    ['nothing but a beginning', () => fill('x', limit)],
  ];
}

function hostileForms(schema: object, limit: number): WorstText[] {
  const names = 'properties' in schema ? Object.keys(schema.properties ?? {}) : [];
  return [
    ['members', () => fill('a=1&', limit)],
    ['names', () => fill('a&', limit)],
    ['nested names', () => fill('a[a]=1&', limit)],
    ['escapes', () => `a=${fill('%00', limit - 2)}`],
    ['broken escapes', () => `a=${fill('%', limit - 2)}`],
    ...names.map(
      (name): WorstText => [
        `a long ${name}`,
        () => `${name}=${'x'.repeat(limit - name.length - 1)}`,
      ],
    ),
    ...names.map(
      (name): WorstText => [
        `a ${name} of dots`,
        () => `${name}=${'.'.repeat(limit - name.length - 1)}`,
      ],
    ),
    ...names.flatMap((name) =>
      worstUnits.map((unit): WorstText => {
        const encoded = encodeURIComponent(unit);
        return [`a ${name} of ${encoded}`, () => fill(encoded, limit, `${name}=`)];
      }),
    ),
  ];
}

function fill(part: string, bytes: number, before = ''): string {
  return before + part.repeat(Math.max(0, Math.floor((bytes - before.length) / part.length)));
}

function nestedObjects(bytes: number): string {
  const depth = Math.floor((bytes - 1) / '{"a":}'.length);
  return `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
}

/** The longest list of members until now, of which shorter ones are the beginning. */
let longest = '';

function members(bytes: number): string {
  const width = '"k0000000":1,'.length;
  const count = Math.max(0, Math.floor(bytes / width));
  if (longest.length < count * width) {
    const member = (at: number) => `"k${String(at).padStart(7, '0')}":1,`;
    longest = Array.from({ length: count }, (_, at) => member(at)).join('');
  }
  return longest.slice(0, count * width);
}

/** Every path of members in a value, with the value at it. */
export function pathsOf(value: unknown, path: string[] = []): [string[], unknown][] {
  const within =
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, member]) => pathsOf(member, [...path, name]))
      : [];
  return [[path, value], ...within];
}

/** A value as JSON, with this text at a path. */
export function putAt(value: unknown, path: readonly string[], text: string): string {
  const [name, ...rest] = path;
  if (name === undefined) return text;
  if (Array.isArray(value)) {
    return `[${value.map((item, at) => (String(at) === name ? putAt(item, rest, text) : JSON.stringify(item))).join(',')}]`;
  }
  const entries = Object.entries(value ?? {}).map(
    ([key, member]) =>
      `${JSON.stringify(key)}:${key === name ? putAt(member, rest, text) : JSON.stringify(member)}`,
  );
  return `{${entries.join(',')}}`;
}
