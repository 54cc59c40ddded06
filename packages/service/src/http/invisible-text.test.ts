// Characters that nobody sees, in each text of each request: they are refused by the name of the member, and never
// stored. The requests are made from the table of operations, so new operations are included.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import {
  compileCheck,
  compileGoodsItemCheck,
  type Operation,
  operations,
  withBrackets,
} from '@landfall/contract';
import { drawCases, isDrawn } from '../../../contract/dist/testing/drawn-cases.js';
import type { Database } from '../database/database.js';
import { openInMemory } from '../database/embedded/embedded.js';
import { FRESH_ID, freshIds } from '../testing/changed-json.js';
import { MULTIPART_TYPE, makeUpload } from '../testing/multipart.js';
import { TestPlayground } from '../testing/playground-client.js';
import { identityFor, sampleBody, samplePath } from '../testing/request-samples.js';
import { sampleValue } from '../testing/sample-value.js';
import { pathsOf, putAt } from '../testing/worst-bodies.js';

const invisible = [
  ...['\u0000', '\u0080', '\u009f', '\u061c', '\u200b', '\u200e', '\u200f', '\u2028', '\u2029'],
  ...['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'],
  ...['\ufeff', '\ud800'],
];

/** Characters that each text gets; over all texts, each of them has every character. */
const CHARACTERS_OF_TEXT = 3;

/** One text of a request with such a character. */
type Made = { name: string; field: string; path: string; raw?: string; mediaType?: string };

const table: Operation[] = Object.values(operations);

function* requestsOf(operation: Operation, character: string): Generator<Made> {
  const text = `A${character}1`;
  for (const field of Object.keys(operation.query?.properties ?? {})) {
    if (character === '\ud800') continue;
    const query = new URLSearchParams({ [field]: text });
    yield { name: `?${field}`, field, path: `${samplePath(operation)}?${query}` };
  }
  const path = samplePath(operation);
  for (const [mediaType, schema] of Object.entries(operation.body ?? {})) {
    if (mediaType === 'text/csv') {
      if (character === '\ud800') continue;
      const isOfPlaces = operation === operations.importUnloCodes;
      const head = isOfPlaces ? 'code,name\nNOOSL' : 'reference_number,name\nNO351001';
      const raw = `${head},${text}\n`;
      yield { name: 'name', field: 'line 2: name', path, raw, mediaType };
    } else if (mediaType === 'application/x-www-form-urlencoded') {
      for (const field of Object.keys('properties' in schema ? Object(schema.properties) : {})) {
        yield {
          name: field,
          field,
          path,
          mediaType,
          raw: `${new URLSearchParams({ [field]: text })}`,
        };
      }
    } else if (mediaType === 'multipart/form-data') {
      yield* uploadsOf(path, character);
    } else {
      for (const sample of samplesOf(operation, mediaType, schema)) {
        for (const [at, value] of pathsOf(sample)) {
          if (typeof value !== 'string' || at.length === 0) continue;
          const changed = `${value.slice(0, 1)}${character}${value.slice(1)}`;
          const raw = putAt(sample, at, JSON.stringify(changed));
          yield { name: at.join('.'), field: at.join('.'), path, raw, mediaType };
        }
      }
    }
  }
}

function* uploadsOf(path: string, character: string): Generator<Made> {
  const metadata = { documentType: `in${character}voice`, declarationId: `9${character}1` };
  const mediaType = MULTIPART_TYPE;
  for (const name of ['documentType', 'declarationId'] as const) {
    const given = { documentType: 'invoice', [name]: metadata[name] };
    const raw = makeUpload('text', 'a.txt', given).toString();
    yield { name, field: `metadata.${name}`, path, raw, mediaType };
  }
  // It cannot be written in UTF-8.
  if (character === '\ud800') return;
  const raw = makeUpload('text', `a${character}b.txt`).toString();
  yield { name: 'file', field: 'file', path, raw, mediaType };
}

function samplesOf(operation: Operation, mediaType: string, schema: object): unknown[] {
  if (mediaType === 'application/json') return [freshIds(sampleBody(operation, schema))];
  const line = Object('contentSchema' in schema ? schema.contentSchema : {});
  return [line.anyOf ?? line].flat().map((part: object) => freshIds(sampleValue(part)));
}

/** Whether a response refuses the text by its name. Items of lists may have results of their own. */
function isRefused(operation: Operation, field: string, status: number, text: string): boolean {
  if (operation.oauthErrors) return status === 400;
  // What the path names is looked for before the query, or a message that replaces it, is read.
  const isLookedFor = operation.method === 'GET' || operation.operationId.startsWith('replace');
  if (isLookedFor && status === 404) return true;
  // Those of movement messages have indexes in brackets.
  const names = [field, field.split('.').slice(1).join('.'), withBrackets(field)];
  return (
    (status === 400 || status === 200) && names.some((name) => text.includes(`"field":"${name}"`))
  );
}

test('the schema of each message refuses each of them in each text', () => {
  let refused = 0;
  for (const operation of table) {
    const schema = operation.body?.['application/json'];
    if (schema === undefined) continue;
    const isStream = operation === operations.publishGoodsItems;
    const check = isStream ? compileGoodsItemCheck() : compileCheck(schema);
    const sample = freshIds(sampleBody(operation, schema));
    for (const [at, value] of pathsOf(sample)) {
      if (typeof value !== 'string') continue;
      for (const character of invisible) {
        const changed = `${value.slice(0, 1)}${character}${value.slice(1)}`;
        const checked = check(JSON.parse(putAt(sample, at, JSON.stringify(changed))));
        const fields = checked.valid ? [] : checked.errors.map(({ field }) => field);
        assert(fields.includes(at.join('.')), `${operation.operationId}: ${at} in ${fields}`);
        refused++;
      }
    }
  }
  assert(refused > 2000, String(refused));
});

describe('characters that nobody sees', () => {
  let playground: TestPlayground;
  let database: Database;
  before(async () => {
    database = await openInMemory();
    playground = await TestPlayground.start(database);
  });
  after(() => playground.close());
  let refused = 0;

  for (const [position, operation] of drawCases('invisible texts', [...table.entries()], 25)) {
    const made = invisible.flatMap((character, at) =>
      [...requestsOf(operation, character)].filter(
        (_, text) => (position + text + at) % invisible.length < CHARACTERS_OF_TEXT,
      ),
    );
    if (made.length === 0) continue;
    test(`${operation.operationId} refuses them in each of its texts`, async () => {
      const failures: string[] = [];
      for (const { name, field, path, raw, mediaType } of made) {
        const as = identityFor(operation);
        const { status, text } = await playground.call(path, {
          ...(as !== undefined && { as }),
          method: operation.method,
          ...(raw !== undefined && { raw: raw.replaceAll(FRESH_ID, randomUUID()) }),
          headers: mediaType === undefined ? {} : { 'content-type': mediaType },
        });
        refused++;
        if (!isRefused(operation, field, status, text))
          failures.push(`${status} for ${name}: ${text}`);
      }
      assert.deepEqual(failures, []);
    });
  }

  test('names that are written from right to left are accepted', async () => {
    const name = 'شرکت می\u200cخواهم, חברה בע״מ 12';
    const body = {
      ...Object(sampleBody(operations.putOrganisation, {})),
      name,
      kind: 'foreign',
      clients: [],
    };
    const path = samplePath(operations.putOrganisation, { id: 'NTRIL-חברה' });
    const { status, text } = await playground.call(path, { as: 'authority', method: 'PUT', body });
    assert.equal(status, 200, text);
    assert.equal(JSON.parse(text).name, name);
  });

  test('none of them is stored', async () => {
    assert(refused > (isDrawn ? 50 : 500), String(refused));
    const tables = await database.query<{ name: string }>({
      name: 'tables',
      text: `select table_name as name from information_schema.tables
             where table_schema = current_schema() and table_type = 'BASE TABLE'`,
      values: [],
    });
    assert(tables.length > 10);
    for (const { name } of tables) {
      const found = await database.query({
        name: `invisible in ${name}`,
        text: `select stored::text from "${name}" stored where stored::text ~ $1 limit 1`,
        values: [
          '[\\u0080-\\u009f\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff]',
        ],
      });
      assert.deepEqual(found, [], name);
    }
  });
});
