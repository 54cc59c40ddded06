// Requests that are nearly right: each part of an operation's request, made from the table of operations and then
// changed. Given the same seed they are the same requests.
import { randomUUID, sign } from 'node:crypto';
import { METHODS } from 'node:http';
import {
  JWT_BEARER_GRANT,
  type Operation,
  operations,
  type PlaygroundCredentials,
} from '@landfall/contract';
import fc from 'fast-check';
import { identityFor, sampleBody, samplePath } from './request-samples.js';
import { sampleValue } from './sample-value.js';
import { pathsOf, putAt } from './worst-bodies.js';

/** A request as it is sent. */
export type FuzzedRequest = {
  operationId: string;
  method: string;
  /** Path and query. */
  path: string;
  /** The identity whose token it carries, if any. */
  identity: string | undefined;
  headers: Record<string, string>;
  body: string | undefined;
};

/** Values as JSON text that programs stumble over. */
const values = [
  'null',
  'true',
  '0',
  '-1',
  '1.5',
  '1e400',
  '9007199254740993',
  '""',
  '" "',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"a\\udfffb"',
  '"😀"',
  '"\\u202e"',
  '"2016-12-31T23:59:60Z"',
  '"0000-01-01T00:00:00Z"',
  '"0001-01-01T00:00:00+14:00"',
  '"9999-12-31T23:59:59-14:00"',
  '"0000-01-01"',
  '"00000000-0000-0000-0000-000000000000"',
  '"ffffffff-ffff-ffff-ffff-ffffffffffff"',
  '"0192:310000019"',
  '"0192:"',
  '"../../etc/passwd"',
  '"\'; select 1; --"',
  '"%00"',
  '"constructor"',
  '[]',
  '[null]',
  '[[]]',
  '{}',
  '{"__proto__":{}}',
  '{"constructor":{"prototype":1}}',
  `"${'x'.repeat(5000)}"`,
  `[${'"JARU0000010",'.repeat(50)}"JARU0000010"]`,
  `${'['.repeat(500)}${']'.repeat(500)}`,
];

/** Parts of an address, already encoded. */
const segments = [
  '%00',
  'a%00',
  '%ED%A0%80',
  '%FF',
  '%',
  '%2e%2e',
  'a%2Fb',
  '%F0%9F%98%80',
  '%20',
  '-',
  'x'.repeat(300),
  'x'.repeat(150),
  '0192:310000019%00',
  '00000000-0000-0000-0000-000000000000',
  '23NO00000000000003',
  '__proto__',
  'constructor',
];

/** Headers that an operation may look at, with odd values beside good ones. */
const headers: Record<string, readonly string[]> = {
  accept: [
    '*/*',
    'application/json',
    'application/x-ndjson',
    'text/event-stream',
    'text/html',
    ';q=',
    ',',
    'a/b;q=2',
    '',
  ],
  'accept-encoding': ['gzip', 'br', 'identity;q=0', '*;q=0', ',,,'],
  'content-type': [
    'application/json',
    'application/x-ndjson',
    'text/csv',
    'text/plain',
    'application/json; charset=utf-16',
    'x',
    '',
  ],
  'content-encoding': ['gzip', 'identity', 'x'],
  prefer: ['wait=1', 'wait=-1', 'wait=1.5', 'wait="0"', 'wait', 'respond-async', ','],
  'last-event-id': [
    '',
    '\u00ff',
    'x',
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ],
  authorization: [
    '',
    'Bearer',
    'Bearer ',
    'Bearer a.b.c',
    'Bearer \u00ff',
    'Basic Og==',
    'Bearer eyJhbGciOiJub25lIn0.e30.',
  ],
  'if-none-match': ['*', '""'],
  range: ['bytes=0-1'],
  expect: ['100-continue', 'x'],
  host: ['', 'a b', '[', 'localhost:99999'],
  'x-forwarded-for': ['x'],
  'x-http-method-override': ['DELETE'],
};

const methods = [...METHODS.filter((method) => method !== 'CONNECT'), 'FOO'];

const pick = <Item>(items: readonly Item[]) => fc.constantFrom(...items);

/** Values that a database, a date or a number may not be able to hold. */
const unstorable = [
  '1e400',
  '9007199254740993',
  '"a\\u0000b"',
  '"\\ud800"',
  '"2016-12-31T23:59:60Z"',
  '"0000-01-01T00:00:00Z"',
  '"0001-01-01T00:00:00+14:00"',
  '"9999-12-31T23:59:59-14:00"',
  '"ffffffff-ffff-ffff-ffff-ffffffffffff"',
  '[]',
  `${'{"a":'.repeat(8000)}1${'}'.repeat(8000)}`,
];

/** Requests that are right but for one member or parameter: every one, with every value that may not be storable. */
export function* singleChanges(): Generator<FuzzedRequest> {
  const table: Operation[] = Object.values(operations);
  for (const operation of table) {
    const right = {
      operationId: operation.operationId,
      method: operation.method,
      identity: identityFor(operation),
    };
    for (const name of Object.keys(operation.query?.properties ?? {})) {
      for (const value of unstorable) {
        const query = `${name}=${encode(plain(value))}`;
        const path = `${samplePath(operation)}?${query}`;
        yield { ...right, path, headers: {}, body: undefined };
      }
    }
    const schema = operation.body?.['application/json'];
    if (schema === undefined) continue;
    const sample = freshIds(sampleBody(operation, schema));
    for (const [path] of pathsOf(sample)) {
      for (const value of unstorable) {
        const body = putAt(sample, path, value).replaceAll(FRESH_ID, randomUUID());
        const headers = { 'content-type': 'application/json' };
        yield { ...right, path: samplePath(operation), headers, body };
      }
    }
  }
}

/** Where, and by which text, a message is changed. */
const change = fc.record({ at: fc.nat(), by: pick(values) });
const changes = fc.array(change, { maxLength: 3 });

/** Requests to every operation. */
export function fuzzedRequests(
  credentials: readonly PlaygroundCredentials[],
): fc.Arbitrary<FuzzedRequest> {
  const table: Operation[] = Object.values(operations);
  return pick(table).chain((operation) => fuzzedRequest(operation, credentials));
}

function fuzzedRequest(
  operation: Operation,
  credentials: readonly PlaygroundCredentials[],
): fc.Arbitrary<FuzzedRequest> {
  const identity = identityFor(operation);
  return fc
    .record({
      method: fc.oneof({ weight: 8, arbitrary: fc.constant(operation.method) }, pick(methods)),
      path: fuzzedPath(operation),
      query: fuzzedQuery(operation),
      identity: fc.oneof(
        { weight: 8, arbitrary: fc.constant(identity) },
        pick([undefined, 'carrier', 'express', 'statistics', 'authority']),
      ),
      headers: fc.dictionary(pick(Object.keys(headers)), fc.nat(), { maxKeys: 2 }),
      body: fuzzedBody(operation, credentials),
    })
    .map(({ path, query, headers: chosen, body, ...rest }) => ({
      operationId: operation.operationId,
      ...rest,
      path: `${path}${query}`,
      headers: {
        ...(body !== undefined && { 'content-type': body.mediaType }),
        ...Object.fromEntries(
          Object.entries(chosen).map(([name, at]) => [name, headerValue(name, at)]),
        ),
      },
      body: body?.text,
    }));
}

function headerValue(name: string, at: number): string {
  const known = headers[name] ?? [''];
  return known[at % known.length] ?? '';
}

function fuzzedPath(operation: Operation): fc.Arbitrary<string> {
  const good = fc.constant(samplePath(operation));
  if (operation.parameters === undefined) return good;
  const bad = pick(segments).map((segment) => operation.path.replaceAll(/\{\w+\}/g, () => segment));
  return fc.oneof(good, bad);
}

function fuzzedQuery({ query }: Operation): fc.Arbitrary<string> {
  const names = Object.keys(query?.properties ?? {});
  const value = fc.oneof(
    pick(values.map(plain)).map(encode),
    pick(segments),
    pick([
      '1',
      '1000',
      '2026-01-01T00:00:00Z',
      'SUCCESS',
      'PRESENTED',
      'N740',
      'NO351001',
      'JARU0000010',
    ]),
  );
  const name =
    names.length === 0 ? pick(['', 'a', '%00', '__proto__']) : pick([...names, ...names, '']);
  return fc
    .array(fc.tuple(name, value), { maxLength: names.length === 0 ? 1 : 4 })
    .map((pairs) =>
      pairs.length === 0 ? '' : `?${pairs.map((pair) => pair.join('=')).join('&')}`,
    );
}

/** What JSON text says, where that is text; else the JSON text. */
function plain(json: string): string {
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' ? value : json;
}

/** Half of a surrogate pair has no encoding: it is sent as the bytes that it would have. */
function encode(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\u0000')).slice(0, 2000);
}

type Body = { mediaType: string; text: string } | undefined;

function fuzzedBody(
  operation: Operation,
  credentials: readonly PlaygroundCredentials[],
): fc.Arbitrary<Body> {
  const [taken] = Object.entries(operation.body ?? {});
  if (taken === undefined)
    return pick([undefined, undefined, { mediaType: 'text/plain', text: 'x' }]);
  const garbage = pick([
    '',
    '{',
    'null',
    '[]',
    '\u0000',
    '{"a":1}',
    '"\\ud800"',
    'a=1',
    '\n\n',
    'x'.repeat(70_000),
  ]);
  const right = fc.oneof(
    ...Object.entries(operation.body ?? {}).map(([mediaType, schema]) =>
      fuzzedContent(mediaType, schema, operation, credentials).map((text) => ({ mediaType, text })),
    ),
  );
  const wrong = garbage.map((text) => ({ mediaType: taken[0], text }));
  return fc.oneof({ weight: 8, arbitrary: right }, wrong, fc.constant(undefined));
}

function fuzzedContent(
  mediaType: string,
  schema: object,
  operation: Operation,
  credentials: readonly PlaygroundCredentials[],
): fc.Arbitrary<string> {
  switch (mediaType) {
    case 'application/json':
      return fuzzedJson(sampleBody(operation, schema));
    case 'application/x-ndjson': {
      const line = 'contentSchema' in schema ? schema.contentSchema : itemOf(operation);
      const parts =
        typeof line === 'object' && line !== null && 'anyOf' in line && Array.isArray(line.anyOf)
          ? line.anyOf
          : [line];
      const one = fc.oneof(
        ...parts.map((part) => fuzzedJson(sampleValue(Object(part)))),
        pick(['', '{', 'null', '[]']),
      );
      return fc.array(one, { maxLength: 4 }).map((lines) => lines.join('\n'));
    }
    case 'text/csv':
      return fuzzedCsv();
    default:
      return operation.operationId === operations.requestAccessToken.operationId
        ? fuzzedGrant(credentials)
        : fuzzedForm(schema);
  }
}

/** What a line holds where only the JSON body says it: a message, or an item of its array. */
function itemOf({ body = {} }: Operation): object {
  const json: { anyOf?: object[]; items?: object } = { ...body['application/json'] };
  return json.items ?? json.anyOf?.[0] ?? {};
}

function fuzzedJson(right: unknown): fc.Arbitrary<string> {
  const sample = freshIds(right);
  return fc.tuple(changes, fc.uuid({ version: 4 })).map(([made, id]) => {
    let text = JSON.stringify(sample);
    for (const { at, by } of made) text = changeAt(text, at, by);
    return text.replaceAll(FRESH_ID, id);
  });
}

/** Stands for an id that must not have been used before. */
const FRESH_ID = '4a3ff6a0-6d0c-4f5a-9b1f-3f1d9d4f0a01';

function freshIds(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (name, member: unknown) =>
      name === 'requestId' || name === 'eventId' ? FRESH_ID : member,
    ),
  );
}

function changeAt(text: string, at: number, by: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  const paths = pathsOf(value);
  const [path = []] = paths[at % paths.length] ?? [];
  return putAt(value, path, by);
}

function fuzzedCsv(): fc.Arbitrary<string> {
  const field = pick([
    'NO351001',
    'Gardermoen',
    '',
    '2026-01-01',
    '0000-01-01',
    '"',
    '"a""b"',
    '\u0000',
    '\ud800',
    ' ',
    'x'.repeat(300),
  ]);
  const line = fc.array(field, { minLength: 1, maxLength: 5 }).map((fields) => fields.join(','));
  const header = pick([
    'reference_number,name',
    'reference_number,name,valid_from,valid_to',
    'name',
    '',
  ]);
  return fc
    .tuple(header, fc.array(line, { maxLength: 4 }))
    .map(([first, lines]) => [first, ...lines].join('\r\n'));
}

function fuzzedForm(schema: object): fc.Arbitrary<string> {
  const names = 'properties' in schema ? Object.keys(schema.properties ?? {}) : [];
  const value = fc.oneof(
    pick(values.map(plain)).map(encode),
    pick([
      ...segments,
      'token-exchange',
      'access_token',
      'client_credentials',
      'a.b.c',
      'e30.e30.',
      'eyJhbGciOiJFUzI1NiJ9.e30.AA',
    ]),
  );
  return fc
    .array(fc.tuple(pick([...names, 'a', '__proto__']), value), { maxLength: 5 })
    .map((pairs) => pairs.map((pair) => pair.join('=')).join('&'));
}

/** A grant that is signed as it must be, with a header and claims that are changed. */
function fuzzedGrant(credentials: readonly PlaygroundCredentials[]): fc.Arbitrary<string> {
  return fc
    .record({ who: fc.nat(), header: changes, claims: changes, id: fc.uuid() })
    .map((made) => {
      const client = credentials[made.who % credentials.length];
      if (client === undefined) throw new Error('there are no credentials');
      const now = Math.floor(Date.now() / 1000);
      const claims = {
        iss: client.client_id,
        aud: client.idp_url,
        scope: client.scopes.join(' '),
        iat: now,
        exp: now + 60,
        jti: made.id,
      };
      const text = [
        made.header.reduce(
          (json, { at, by }) => changeAt(json, at, by),
          JSON.stringify({ alg: 'ES256', x5c: client.x5c, kid: 'a', typ: 'JWT' }),
        ),
        made.claims.reduce((json, { at, by }) => changeAt(json, at, by), JSON.stringify(claims)),
      ]
        .map((json) => Buffer.from(json).toString('base64url'))
        .join('.');
      const key = { key: client.private_key, dsaEncoding: 'ieee-p1363' } as const;
      const signature = sign('sha256', Buffer.from(text), key).toString('base64url');
      const form = { grant_type: JWT_BEARER_GRANT, assertion: `${text}.${signature}` };
      return new URLSearchParams(form).toString();
    });
}
