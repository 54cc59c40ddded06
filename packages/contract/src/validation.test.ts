// Validation reports all broken rules of a message together, each with its field, code and sentence.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ValidationError, validationErrorCodes } from './errors.js';
import { OrganisationEntry } from './organisation.js';
import {
  ContainerPresentation,
  EntrySummaryDeclarationPresentation,
  HouseConsignmentPresentation,
  presentationLevels,
  ReceptaclePresentation,
} from './presentation.js';
import { compileCheck } from './validation.js';
import { ValidationStatusQuery } from './validation-status.js';

const house = compileCheck(HouseConsignmentPresentation);

const presentation = {
  requestId: '4a3ff6a0-6d0c-4f5a-9b1f-3f1d9d4f0a01',
  customsOfficeOfPresentation: 'NO351001',
  transportDocumentHouseLevel: { documentNumber: 'HC001', type: 'N740' },
};

const typeRule =
  'must be one of [C624, C625, C664, C665, N703, N704, N705, N714, N720, N722, N730, N740, N741, N750, N760]';

/** The errors of a value as `field code: words`, in the order of their fields. */
function errorsOf(check: ReturnType<typeof compileCheck>, value: unknown): string[] {
  const checked = check(value);
  return checked.valid ? [] : checked.errors.map(inWords).sort();
}

function inWords({ field, code, error }: ValidationError): string {
  return `${field} ${code}: ${error}`;
}

test('a complete message is accepted, and unknown members are ignored', () => {
  assert.equal(house(presentation).valid, true);
  assert.equal(house({ ...presentation, later: { addition: 1 } }).valid, true);
});

test('all broken rules of a message are reported together', () => {
  assert.deepEqual(
    errorsOf(house, {
      requestId: 'not-a-uuid',
      customsOfficeOfPresentation: ' ',
      transportDocumentHouseLevel: { documentNumber: 'x'.repeat(71), type: 'N999' },
      mrn: '23NO',
    }),
    [
      'customsOfficeOfPresentation REQUIRED: must not be blank',
      'mrn FORMAT: must be an MRN: two digits, a country code, fourteen capital letters or digits',
      'requestId FORMAT: must be a UUID',
      'transportDocumentHouseLevel.documentNumber SIZE: size must be between 1 and 70',
      `transportDocumentHouseLevel.type UNKNOWN_CODE: ${typeRule}`,
    ],
  );
});

test('every missing member is reported, also in nested objects', () => {
  const required = [
    'customsOfficeOfPresentation REQUIRED: must not be null',
    'requestId REQUIRED: must not be null',
  ];
  assert.deepEqual(errorsOf(house, {}), [
    ...required,
    'transportDocumentHouseLevel REQUIRED: must not be null',
  ]);
  assert.deepEqual(errorsOf(house, { transportDocumentHouseLevel: {} }), [
    ...required,
    'transportDocumentHouseLevel.documentNumber REQUIRED: must not be null',
    'transportDocumentHouseLevel.type REQUIRED: must not be null',
  ]);
});

test('null counts as absent at any depth', () => {
  assert.equal(house({ ...presentation, mrn: null }).valid, true);
  assert.deepEqual(
    errorsOf(house, {
      requestId: null,
      customsOfficeOfPresentation: null,
      transportDocumentHouseLevel: { documentNumber: null, type: null },
    }),
    errorsOf(house, { transportDocumentHouseLevel: {} }),
  );
});

test('blank is REQUIRED, whatever other rules it breaks', () => {
  for (const blank of ['', ' ', '\t', '\n \u00a0']) {
    assert.deepEqual(
      errorsOf(house, {
        requestId: blank,
        customsOfficeOfPresentation: blank,
        transportDocumentHouseLevel: { documentNumber: blank, type: blank },
      }),
      [
        'customsOfficeOfPresentation REQUIRED: must not be blank',
        'requestId REQUIRED: must not be blank',
        'transportDocumentHouseLevel.documentNumber REQUIRED: must not be blank',
        'transportDocumentHouseLevel.type REQUIRED: must not be blank',
      ],
      JSON.stringify(blank),
    );
  }
});

test('a wrong type is FORMAT at any depth', () => {
  assert.deepEqual(
    errorsOf(house, {
      requestId: 1,
      customsOfficeOfPresentation: ['NO351001'],
      transportDocumentHouseLevel: { documentNumber: {}, type: 740 },
      mrn: true,
    }),
    [
      'customsOfficeOfPresentation FORMAT: must be a string',
      'mrn FORMAT: must be a string',
      'requestId FORMAT: must be a string',
      'transportDocumentHouseLevel.documentNumber FORMAT: must be a string',
      'transportDocumentHouseLevel.type FORMAT: must be a string',
    ],
  );
  assert.deepEqual(errorsOf(house, { ...presentation, transportDocumentHouseLevel: 'HC001' }), [
    'transportDocumentHouseLevel FORMAT: must be an object',
  ]);
  for (const body of [null, [], 'text', 5, true, undefined]) {
    assert.deepEqual(errorsOf(house, body), [' FORMAT: must be an object'], JSON.stringify(body));
  }
});

test('the error of an identifier says what is required', () => {
  const common = {
    requestId: presentation.requestId,
    customsOfficeOfPresentation: 'NO351001',
  };
  assert.deepEqual(
    errorsOf(compileCheck(ContainerPresentation), { ...common, containerId: 'JARU0000011' }),
    ['containerId FORMAT: must be a container identifier whose check digit is right (ISO 6346)'],
  );
  assert.deepEqual(
    errorsOf(compileCheck(ReceptaclePresentation), {
      ...common,
      receptacleId: 'GBASFZMLBKONEUN30001001019999',
    }),
    ['receptacleId FORMAT: must be a receptacle identifier (UPU S9)'],
  );
  assert.deepEqual(
    errorsOf(compileCheck(ReceptaclePresentation), { ...common, receptacleId: 'GB' }),
    ['receptacleId SIZE: size must be between 29 and 29'],
  );
  assert.deepEqual(
    errorsOf(compileCheck(EntrySummaryDeclarationPresentation), { ...common, mrn: 'x' }),
    ['mrn FORMAT: must be an MRN: two digits, a country code, fourteen capital letters or digits'],
  );
});

test('a document number that cannot be stored, or with a control character, is refused', () => {
  const rule = 'must not contain control or invisible characters';
  for (const documentNumber of [
    'a\nb',
    'a\u007f',
    'a\u0000b',
    'a\ud800b',
    '\udc00',
    'a\u202eb',
    'a\u200bb',
  ]) {
    assert.deepEqual(
      errorsOf(house, {
        ...presentation,
        transportDocumentHouseLevel: { documentNumber, type: 'N740' },
      }),
      [`transportDocumentHouseLevel.documentNumber FORMAT: ${rule}`],
    );
  }
  const documentNumber = 'ÆØÅ 😀';
  const transportDocumentHouseLevel = { documentNumber, type: 'N740' };
  assert.ok(house({ ...presentation, transportDocumentHouseLevel }).valid);
});

test('errors of numbers and codes of a query are reported', () => {
  assert.deepEqual(
    errorsOf(compileCheck(ValidationStatusQuery), { limit: 0, status: 'LATE', marker: 'x' }),
    [
      'limit FORMAT: must be between 1 and 1000',
      'marker FORMAT: must be a UUID',
      'status UNKNOWN_CODE: must be one of [SUCCESS, FAILURE]',
    ],
  );
  assert.deepEqual(errorsOf(compileCheck(ValidationStatusQuery), { limit: 1.5 }), [
    'limit FORMAT: must be an integer',
  ]);
});

test('hostile values are refused, and change no prototype', () => {
  const deep = Array.from({ length: 10_000 }).reduce<object>((inner) => ({ inner }), {});
  const hostile: unknown[] = [
    JSON.parse('{"__proto__": {"requestId": "x", "polluted": true}, "constructor": null}'),
    JSON.parse('{"transportDocumentHouseLevel": {"__proto__": {"type": "N740"}}}'),
    { ...presentation, transportDocumentHouseLevel: deep },
    { ...presentation, requestId: 'x'.repeat(1_000_000) },
    {
      ...presentation,
      transportDocumentHouseLevel: { documentNumber: ' '.repeat(1_000_000), type: 'N740' },
    },
    { ...presentation, mrn: '9'.repeat(1_000_000) },
    Object.create(null),
    [[[[]]]],
  ];
  for (const value of hostile) assert.equal(house(value).valid, false);
  assert.equal('polluted' in {}, false);
});

test('errors in the items of a list are reported with their indexes', () => {
  const checked = compileCheck(OrganisationEntry)({
    name: 'Example',
    kind: 'domestic',
    blocked: null,
    clients: [
      { client_id: 'good', certificates: null },
      { scopes: ['movement/entry', 'everything'], certificates: ['', 7] },
      { client_id: 'x'.repeat(201) },
    ],
  });
  const reported = checked.valid ? [] : checked.errors.map(({ field, code }) => `${field} ${code}`);
  assert.deepEqual(reported.sort(), [
    'clients.1.certificates.0 REQUIRED',
    'clients.1.certificates.1 FORMAT',
    'clients.1.client_id REQUIRED',
    'clients.1.scopes.1 UNKNOWN_CODE',
    'clients.2.client_id SIZE',
  ]);
});

test('a large hostile text is checked quickly', () => {
  // The processor's time, which other processes do not change.
  const started = process.cpuUsage();
  for (const text of [
    ' '.repeat(1_000_000),
    `${'a'.repeat(1_000_000)}\u0000`,
    '\u00a0x'.repeat(500_000),
  ]) {
    house({ ...presentation, transportDocumentHouseLevel: { documentNumber: text, type: text } });
  }
  assert.ok(process.cpuUsage(started).user / 1000 < 2_000);
});

for (const [level, { body }] of Object.entries(presentationLevels)) {
  const check = compileCheck(body);

  test(`${level}: no value makes the check throw, and each error is complete`, () => {
    const members = Object.fromEntries(
      Object.keys(body.properties).map((name) => [name, fc.anything()]),
    );
    const almost = fc.record(members, { requiredKeys: [] });
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.jsonValue(), almost), (value) => {
        const checked = check(value);
        if (checked.valid) return;
        assert.ok(checked.errors.length > 0);
        const fields = checked.errors.map(({ field }) => field);
        assert.equal(new Set(fields).size, fields.length, 'one error for each member');
        for (const { error, code } of checked.errors) {
          assert.ok(error.length > 0 && code in validationErrorCodes);
        }
      }),
      { numRuns: 2000 },
    );
  });
}
