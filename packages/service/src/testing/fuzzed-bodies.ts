// Bodies for fuzz tests: valid bodies of an operation, then changed, and invalid texts.
import { sign } from 'node:crypto';
import {
  JWT_BEARER_GRANT,
  type Operation,
  operations,
  type PlaygroundCredentials,
} from '@landfall/contract';
import fc from 'fast-check';
import { changeAt, changes, fuzzedJson } from './changed-json.js';
import { MULTIPART_TYPE, makeMultipart } from './multipart.js';
import { sampleBody } from './request-samples.js';
import { sampleValue } from './sample-value.js';
import { encode, segments, textOf, unusualValues } from './unusual-values.js';

const pick = <Item>(items: readonly Item[]) => fc.constantFrom(...items);

type Body = { mediaType: string; text: string } | undefined;

/** A body of an operation: mostly changed from a valid one, sometimes invalid or missing. */
export function fuzzedBody(
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
      fuzzedContent(mediaType, schema, operation, credentials).map((text) => ({
        mediaType: mediaType === 'multipart/form-data' ? MULTIPART_TYPE : mediaType,
        text,
      })),
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
      const line = 'contentSchema' in schema ? schema.contentSchema : undefined;
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
    case 'multipart/form-data':
      return fuzzedParts();
    default:
      return operation.operationId === operations.requestAccessToken.operationId
        ? fuzzedGrant(credentials)
        : fuzzedForm(schema);
  }
}

/** The parts of an upload: mostly the two that it has, with changed metadata and all kinds of files and names. */
function fuzzedParts(): fc.Arbitrary<string> {
  const metadata = fc
    .oneof(
      fuzzedJson({ documentType: 'invoice', declarationId: '974760673-10082022-1' }),
      pick(['', '{']),
    )
    .map((content) => ({ name: 'metadata', content }));
  const fileName = fc.oneof(
    pick(['a.txt', 'a.pdf', 'a.docx', '', '..', 'a\r\nb.txt', `${'x'.repeat(300)}.txt`, undefined]),
    pick(unusualValues.map(textOf)),
  );
  const content = pick([
    'text',
    '%PDF-1.7',
    'PK\u0003\u0004',
    'PK\u0005\u0006',
    '',
    '\u0000',
    'æ'.repeat(5000),
  ]);
  const file = fc.record({ fileName, content }).map(({ fileName: given, ...part }) => ({
    name: 'file',
    ...part,
    ...(given !== undefined && { fileName: given }),
  }));
  const other = fc.oneof(metadata, file, pick([{ name: '', content: '' }]));
  const parts = fc.oneof(
    { weight: 5, arbitrary: fc.tuple(metadata, file) },
    fc.array(other, { maxLength: 4 }),
  );
  return parts.map((made) => makeMultipart(made).toString());
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
    pick(unusualValues.map(textOf)).map(encode),
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

/** A correctly signed grant with a changed header and changed claims. */
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
