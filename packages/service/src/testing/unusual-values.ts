// Unusual values for the parts of a request: body members, parameters, headers and methods.
import { METHODS } from 'node:http';

/** Unusual values, as JSON text. */
export const unusualValues = [
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

/** Values that a database, a date or a number may be unable to store, as JSON text. */
export const unstorable = [
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

/** Unusual parts of an address, already encoded. */
export const segments = [
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

/** Request headers with valid and unusual values. */
export const headers: Record<string, readonly string[]> = {
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

/** Every method that Node.js can send, and an unknown one. */
export const methods = [...METHODS.filter((method) => method !== 'CONNECT'), 'FOO'];

/** The text of a JSON string, or else the JSON text itself. */
export function textOf(json: string): string {
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' ? value : json;
}

/** Encodes a text for an address. Half of a surrogate pair has no encoding and is replaced. */
export function encode(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\u0000')).slice(0, 2000);
}
