// Lines of a dataset: each kind is recognised by its member, and every broken rule is reported with its line.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { MAX_DATASET_IDENTITIES, MAX_DATASET_MOVEMENTS } from './dataset-line.js';
import { makeDatasetJsonSchema } from './json-schema.js';
import { type DatasetLine, DatasetReader } from './read-dataset.js';

const mrn = '26NO00000000000001';
const declaration = {
  mrn,
  customsOfficeOfFirstEntry: 'NO351001',
  declarant: '0192:310000086',
  houseConsignments: [],
};
const referenceDocument = { kind: 'VOEC', referenceNumber: '3000001', state: 'VALID' };
const document = { documentNumber: 'H1', type: 'N703' };
const movement = { identity: 'carrier', mode: 'road', level: 'transport', message: {} };
const identity = {
  name: 'handler-1',
  organisation: '0192:310000086',
  organisationName: 'Handler AS',
};

/** Reads the text in chunks of this size, in bytes. */
function read(text: string, size = text.length + 1): DatasetLine[] {
  const bytes = new TextEncoder().encode(text);
  const reader = new DatasetReader();
  const lines: DatasetLine[] = [];
  for (let at = 0; at < bytes.length; at += size)
    lines.push(...reader.push(bytes.subarray(at, at + size)));
  return [...lines, ...reader.end()];
}

const write = (...lines: unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/** Each error as `line field code`. */
const errorsOf = (lines: readonly DatasetLine[]) =>
  lines.flatMap((line) =>
    'errors' in line ? line.errors.map(({ field, code }) => `${line.line} ${field} ${code}`) : [],
  );

test('each kind of line is recognised by its member, wherever the chunks end', () => {
  const text = write(
    { dataset: { name: 'a day', description: 'one declaration' } },
    { identity: { ...identity, granted: [] } },
    declaration,
    { mrn, houseConsignment: { transportDocumentHouseLevel: document, routing: 'TO_ENTRY' } },
    {
      decision: {
        mrn,
        transportDocumentHouseLevel: document,
        routing: 'TO_CONTROL',
        routingControlLocation: 'ON_ENTRY',
      },
    },
    { scenario: { kind: 'delay', milliseconds: 500, identity: 'handler-1' } },
    { referenceDocument },
    { movement },
  );
  for (const size of [1, 7, text.length]) {
    const lines = read(`\n${text}`, size);
    assert.deepEqual(
      lines.map((line) => ('entry' in line ? `${line.line} ${line.entry.kind}` : line)),
      [
        '2 dataset',
        '3 identity',
        '4 declaration',
        '5 houseConsignment',
        '6 decision',
        '7 scenario',
        '8 referenceDocument',
        '9 movement',
      ],
    );
  }
});

test('every bad line is reported with its number, the member and the rule, and the others are read', () => {
  const lines = read(
    [
      '{"mrn":',
      '[]',
      '{}',
      JSON.stringify({ ...declaration, decision: {} }),
      JSON.stringify(declaration),
      JSON.stringify({ mrn, houseConsignment: { transportDocumentHouseLevel: { type: 'N999' } } }),
      `{"mrn":"${mrn}","mrn":"${mrn}","houseConsignments":[]}`,
      JSON.stringify({
        mrn: '26NO00000000000002',
        houseConsignment: { transportDocumentHouseLevel: document },
      }),
      JSON.stringify({
        decision: {
          mrn,
          transportDocumentHouseLevel: document,
          routing: 'TO_ENTRY',
          routingControlLocation: 'ON_ENTRY',
        },
      }),
      JSON.stringify({ identity: { ...identity, grants: [] } }),
      JSON.stringify({ dataset: { name: 'too late' } }),
      JSON.stringify({
        ...declaration,
        houseConsignments: [1, 2].map(() => ({ transportDocumentHouseLevel: document })),
      }),
      JSON.stringify({ decision: { transportDocumentHouseLevel: document, routing: 'TO_ENTRY' } }),
      JSON.stringify({ scenario: { kind: 'delay', milliseconds: 0, time: 1 } }),
      JSON.stringify({ scenario: { kind: 'internal-error', identity: 'nobody' } }),
      JSON.stringify({ scenario: { kind: 'internal-error' }, times: 1 }),
      JSON.stringify({ referenceDocument: { ...referenceDocument, state: 'valid' } }),
      JSON.stringify({ referenceDocument: 'x' }),
      JSON.stringify({ referenceDocument, state: 'VALID' }),
    ].join('\n'),
  );
  assert.deepEqual(errorsOf(lines), [
    '1  FORMAT',
    '2  FORMAT',
    '3  FORMAT',
    '4  FORMAT',
    '6 houseConsignment.transportDocumentHouseLevel.documentNumber REQUIRED',
    '6 houseConsignment.transportDocumentHouseLevel.type UNKNOWN_CODE',
    '7 mrn FORMAT',
    '8 mrn REFERENCE_NOT_FOUND',
    '9 decision.routingControlLocation FORMAT',
    '10 identity.grants UNKNOWN_MEMBER',
    '11 dataset FORMAT',
    '12 houseConsignments.1.transportDocumentHouseLevel FORMAT',
    '13 decision.mrn REQUIRED',
    '14 scenario.time UNKNOWN_MEMBER',
    '14 scenario.milliseconds FORMAT',
    '15 scenario.identity REFERENCE_NOT_FOUND',
    '16 times UNKNOWN_MEMBER',
    '17 referenceDocument.state UNKNOWN_CODE',
    '18 referenceDocument FORMAT',
    '19 state UNKNOWN_MEMBER',
  ]);
});

test('identities have their own names and organisations, and their number is limited', () => {
  const others = Array.from({ length: MAX_DATASET_IDENTITIES }, (_, index) => ({
    identity: { ...identity, name: `agent-${index}`, organisation: `NTRSE-${index}` },
  }));
  const text = write(
    { identity: { ...identity, name: 'carrier' } },
    { identity: { ...identity, organisation: '0192:310000019' } },
    { identity: { ...identity, name: 'Handler 1', organisation: '0192:1', scopes: ['movement'] } },
    ...others,
    {
      identity: {
        ...identity,
        name: 'feed',
        organisation: 'NTRSE-FEED',
        scopes: ['movement/entry', 'declaration.feed'],
      },
    },
  );
  assert.deepEqual(errorsOf(read(text)), [
    '1 identity.name TAKEN',
    '3 identity.name FORMAT',
    '3 identity.organisation FORMAT',
    '3 identity.scopes.0 UNKNOWN_CODE',
    '102 identity SIZE',
    '104 identity.scopes.1 UNKNOWN_CODE',
  ]);
});

test('who lodges a message is an identity that is known by then, with the scope of the mode', () => {
  const lodge = (members: object) => ({ movement: { ...movement, ...members } });
  const own = { ...identity, scopes: ['movement/air', 'movement/rail'], granted: ['movement/air'] };
  const lines = read(
    write(
      lodge({}),
      lodge({ identity: 'nobody' }),
      lodge({ identity: 'handler-1' }),
      { identity: own },
      lodge({ identity: 'handler-1', mode: 'air' }),
      lodge({ identity: 'handler-1' }),
      lodge({ identity: 'handler-1', mode: 'rail' }),
      // One that was refused does not take the place of the first one.
      { identity: { ...own, organisation: 'NTRSE-1' } },
      lodge({ identity: 'handler-1', mode: 'air' }),
      lodge({ mode: 'tram', level: 'lorry' }),
      lodge({ message: [] }),
      lodge({ message: 'x' }),
      lodge({ message: { requestId: '7f0c4a39-5a63-4b52-8d34-1d1f6a3c6b0b' } }),
      { movement: { identity: 'carrier', mode: 'road', level: 'transport' } },
      { ...lodge({}), times: 2 },
      lodge({ requestId: 'x' }),
    ),
  );
  assert.deepEqual(errorsOf(lines), [
    '2 movement.identity REFERENCE_NOT_FOUND',
    '3 movement.identity REFERENCE_NOT_FOUND',
    '6 movement.identity INCOMPATIBLE',
    '7 movement.identity INCOMPATIBLE',
    '8 identity.name TAKEN',
    '10 movement.mode UNKNOWN_CODE',
    '10 movement.level UNKNOWN_CODE',
    '11 movement.message FORMAT',
    '12 movement.message FORMAT',
    '13 movement.message.requestId UNKNOWN_MEMBER',
    '14 movement.message REQUIRED',
    '15 times UNKNOWN_MEMBER',
    '16 movement.requestId UNKNOWN_MEMBER',
  ]);
  assert.deepEqual(
    lines.flatMap((line) =>
      'entry' in line && line.entry.kind === 'movement' ? line.entry.submitter : [],
    ),
    ['0192:310000019', '0192:310000086', '0192:310000086'],
  );
});

test('the number of messages is limited', () => {
  const reader = new DatasetReader();
  const line = new TextEncoder().encode(write({ movement }));
  let errors: string[] = [];
  for (let count = 0; count <= MAX_DATASET_MOVEMENTS + 1; count += 1) {
    errors = [...errors, ...errorsOf(reader.push(line))];
  }
  assert.deepEqual(errors, [`${MAX_DATASET_MOVEMENTS + 1} movement SIZE`]);
});

test('a line that is too long is refused, and the next one is read', () => {
  const long = JSON.stringify({ ...declaration, declarant: 'x'.repeat(600 * 1024) });
  const lines = read(`${long}\n${JSON.stringify(declaration)}\n`);
  assert.deepEqual(errorsOf(lines), ['1  SIZE']);
  assert.equal(lines.length, 2);
});

test('the JSON Schema accepts the same lines', () => {
  const accepts = new Ajv2020({ strict: false, validateFormats: false }).compile(
    makeDatasetJsonSchema(),
  );
  const lines: [object, boolean][] = [
    [{ dataset: { name: 'a day' } }, true],
    [{ identity }, true],
    [declaration, true],
    [{ mrn, houseConsignment: { transportDocumentHouseLevel: document } }, true],
    [{ decision: { mrn, transportDocumentHouseLevel: document, routing: 'TO_ENTRY' } }, true],
    [{ identity: { ...identity, grants: [] } }, false],
    [{ decision: { transportDocumentHouseLevel: document, routing: 'TO_ENTRY' } }, false],
    [{ scenario: { kind: 'lost-response', committed: false } }, true],
    [{ scenario: { kind: 'lost-response', milliseconds: 1 } }, false],
    [{ referenceDocument }, true],
    [{ referenceDocument: { ...referenceDocument, kind: 'CUDE' } }, false],
    [{ movement }, true],
    [{ movement: { ...movement, mode: 'tram' } }, false],
    [{}, false],
  ];
  for (const [line, expected] of lines) {
    assert.equal(accepts(line), expected, JSON.stringify(line));
    const read = errorsIn(JSON.stringify(line));
    const onlyContext = read.every(({ code }) => code === 'REFERENCE_NOT_FOUND');
    assert.equal(onlyContext, expected, JSON.stringify(line));
  }
});

const errorsIn = (text: string) =>
  read(text).flatMap((line) => ('errors' in line ? line.errors : []));
