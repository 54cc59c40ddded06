// Every member of a request has a bound, and is checked in time proportional to its size.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  EntrySummaryDeclarationEntry,
  MAX_HOUSE_CONSIGNMENTS,
} from './entry-summary-declaration.js';
import { MAX_REPORTED_ERRORS } from './errors.js';
import type { Operation } from './operations/operation.js';
import { operations } from './operations/operations.js';
import { OrganisationEntry } from './organisation.js';
import { compileCheck } from './validation.js';

/** Formats whose own check bounds the length. */
const boundedFormats = ['uuid', 'date', 'date-time', 'iso6346'];

/** The paths of lists and texts of a schema that have no bound. */
function findUnbounded(part: unknown, path: string): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const within = Object.entries(part).flatMap(([name, member]) =>
    ['enum', 'examples', 'const'].includes(name) ? [] : findUnbounded(member, `${path}/${name}`),
  );
  if (!('type' in part)) return within;
  if (part.type === 'array' && !('maxItems' in part)) return [path, ...within];
  return part.type === 'string' && !isBoundedText(part) ? [path, ...within] : within;
}

function isBoundedText(part: object): boolean {
  if ('maxLength' in part || 'enum' in part || 'const' in part) return true;
  if ('format' in part && boundedFormats.includes(String(part.format))) return true;
  // Its length is that of its pattern, where nothing in it may be repeated without end.
  return (
    'pattern' in part &&
    /^\^.*\$$/.test(String(part.pattern)) &&
    !/[*+]|,\}/.test(String(part.pattern))
  );
}

test('every list and every text of a request has a bound', () => {
  const table: Operation[] = Object.values(operations);
  const unbounded = table.flatMap(({ operationId, body = {}, query, parameters = {} }) => [
    ...findUnbounded(body['application/json'], `${operationId} body`),
    ...findUnbounded(
      Reflect.get(body['application/x-ndjson'] ?? {}, 'contentSchema'),
      `${operationId} line`,
    ),
    ...findUnbounded(query, `${operationId} query`),
    ...findUnbounded(parameters, `${operationId} parameters`),
  ]);
  assert.deepEqual(unbounded, []);
});

test('a list and a text without a bound are found', () => {
  const properties = { list: { type: 'array', items: { type: 'string', pattern: '^a*$' } } };
  assert.deepEqual(findUnbounded({ type: 'object', properties }, ''), [
    '/properties/list',
    '/properties/list/items',
  ]);
});

/** The path of each number within a schema that has a minimum, and that minimum. */
function findNumbers(part: unknown, path: readonly string[]): { path: string[]; limit: number }[] {
  if (typeof part !== 'object' || part === null) return [];
  const {
    minimum,
    properties = {},
    items,
    anyOf = [],
  } = part as {
    minimum?: number;
    properties?: object;
    items?: object;
    anyOf?: object[];
  };
  return [
    ...(minimum === undefined ? [] : [{ path: [...path], limit: minimum }]),
    ...Object.entries(properties).flatMap(([name, member]) => findNumbers(member, [...path, name])),
    ...(items === undefined ? [] : findNumbers(items, [...path, '0'])),
    ...anyOf.flatMap((choice) => findNumbers(choice, path)),
  ];
}

test('a number beyond a bound is refused with the bound, in every body', () => {
  let found = 0;
  const table: Operation[] = Object.values(operations);
  for (const { operationId, body = {} } of table) {
    // Its messages are checked one by one: `goods-items/message.test.ts`.
    if (operationId === 'publishGoodsItems') continue;
    const json: unknown = body['application/json'];
    const line: unknown = Reflect.get(body['application/x-ndjson'] ?? {}, 'contentSchema');
    for (const schema of [json, line]) {
      for (const { path, limit } of findNumbers(schema, [])) {
        const value = path.reduceRight<unknown>(
          (inner, name) => (name === '0' ? [inner] : { [name]: inner }),
          limit - 1,
        );
        // Safe cast: only schemas have such members.
        const checked = compileCheck(schema as Parameters<typeof compileCheck>[0])(value);
        const field = path.join('.');
        const errors = checked.valid ? [] : checked.errors;
        const own = errors.filter((error) => error.field === field);
        assert.ok(
          own.some(({ error }) => error.includes(String(limit))),
          `${operationId} ${field}: ${JSON.stringify(errors)}`,
        );
        assert.ok(!JSON.stringify(errors).includes('undefined'), JSON.stringify(errors));
        found++;
      }
    }
  }
  assert.ok(found >= 5, `${found} numbers`);
});

const check = compileCheck<EntrySummaryDeclarationEntry>(EntrySummaryDeclarationEntry);
const declaration = { customsOfficeOfFirstEntry: 'NO351001', declarant: '0192:310000019' };
const transportDocumentHouseLevel = { documentNumber: 'HC001', type: 'N740' };

test('the items of a list that is too long are not read', () => {
  const houseConsignments: unknown[] = Array.from({ length: MAX_HOUSE_CONSIGNMENTS + 1 });
  Object.defineProperty(houseConsignments, 0, {
    get: () => assert.fail('an item was read'),
  });
  const checked = check({ ...declaration, houseConsignments });
  assert.deepEqual(checked.valid ? [] : checked.errors, [
    {
      field: 'houseConsignments',
      error: `size must be between 0 and ${MAX_HOUSE_CONSIGNMENTS}`,
      code: 'SIZE',
    },
  ]);
});

test('checking stops when there is one more error than are reported', () => {
  const reads = Array.from({ length: MAX_HOUSE_CONSIGNMENTS }, () => 0);
  const houseConsignments = reads.map((_, index) => ({
    get transportDocumentHouseLevel() {
      reads[index] = (reads[index] ?? 0) + 1;
      return undefined;
    },
  }));
  const checked = check({ ...declaration, houseConsignments });
  assert.equal(checked.valid || checked.errors.length, MAX_REPORTED_ERRORS + 1);
  // All items are searched for null; only those that are reported are read more often.
  const once = reads.at(-1) ?? 0;
  assert.equal(reads.filter((times) => times > once).length, MAX_REPORTED_ERRORS + 1);
});

test('lists with equal items are refused in linear time', () => {
  const started = process.cpuUsage();
  const containerId = Array.from({ length: 9999 }, () => 'JARU0000010');
  const houseConsignments = Array.from({ length: 10 }, () => ({
    transportDocumentHouseLevel,
    containerId,
  }));
  const checked = check({ ...declaration, houseConsignments });
  assert.deepEqual(
    checked.valid || checked.errors.map(({ field, code, error }) => `${field} ${code}: ${error}`),
    houseConsignments.map(
      (_, index) => `houseConsignments.${index}.containerId FORMAT: items must be unique`,
    ),
  );
  // Quadratic time is a second of the processor for each of these lists.
  assert.ok(process.cpuUsage(started).user / 1000 < 4000);
});

test('only times that can be stored are accepted', () => {
  const accepts = (estimatedTimeOfArrival: string) =>
    check({ ...declaration, houseConsignments: [], estimatedTimeOfArrival }).valid;
  for (const time of [
    '2026-01-17T09:30:00Z',
    '2026-01-17T09:30:00.123456789+01:00',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '2026-01-17T09:30:00+15:59',
    '2026-01-17T09:30:00-15:59',
  ]) {
    assert.equal(accepts(time), true, time);
  }
  for (const time of [
    '2016-12-31T23:59:60Z',
    '0000-12-31T23:59:59Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '2026-02-29T00:00:00Z',
    // PostgreSQL takes no such offset.
    '2026-01-17T09:30:00+16:00',
    '2026-01-17T09:30:00-23:59',
    '2026-01-17T09:30:00',
    '2026-01-17T09:30:00Z[Europe/Oslo]',
    `2026-01-17T09:30:00.${'1'.repeat(1000)}Z`,
  ]) {
    assert.equal(accepts(time), false, time);
  }
});

test('unknown members of a key are kept, unless they are null', () => {
  const key = { kty: 'OKP', crv: 'Ed25519', x: 'AA', d: 'secret', kid: 'a', use: null };
  const checked = compileCheck<OrganisationEntry>(OrganisationEntry)({
    name: 'Example',
    kind: 'domestic',
    clients: [{ client_id: 'a', keys: [key] }],
  });
  const { use, ...rest } = key;
  assert.deepEqual(checked.valid && checked.value.clients?.[0]?.keys, [rest]);
});
