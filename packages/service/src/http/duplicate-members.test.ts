// Duplicate members are refused wherever a body is stored: parsers differ in which of the two they use.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { Problem, ValidationError } from '@landfall/contract';
import { drawnDatabases } from '../testing/databases.js';
import { makeMessage } from '../testing/goods-item-messages.js';
import { TestPlayground } from '../testing/playground-client.js';
import { NDJSON } from './ndjson.js';

const AUTHORITY = '/api/authority/v1';
const GOODS_ITEMS = '/api/declaration/feed/v1/goods-items';
const PRESENTATION = '/api/movement/presentation/v1';
const MRN = '26NO00000000000077';

const declaration = {
  mrn: MRN,
  customsOfficeOfFirstEntry: 'NO351001',
  declarant: '0192:310000019',
  houseConsignments: [
    { transportDocumentHouseLevel: { documentNumber: 'D1', type: 'N740' }, routing: 'TO_ENTRY' },
  ],
};
const decision = {
  transportDocumentHouseLevel: { documentNumber: 'HC001', type: 'N740' },
  routing: 'TO_CONTROL',
  routingControlLocation: 'ON_ENTRY',
};
const message = makeMessage();
const requestId = randomUUID();

/** A request, and the path of its duplicate member. */
type Case = {
  name: string;
  method?: 'PUT' | 'POST';
  path: string;
  as?: string;
  body: unknown;
  /** A member as it is in the body's text, and the same with another value before it. */
  twice: [member: string, withAnother: string];
  field: string;
  lines?: boolean;
};

const cases: Case[] = [
  {
    name: 'a presentation',
    path: `${PRESENTATION}/house-consignment`,
    as: 'carrier',
    body: {
      requestId,
      customsOfficeOfPresentation: 'NO351001',
      transportDocumentHouseLevel: { documentNumber: 'HC001', type: 'N740' },
    },
    twice: ['"documentNumber"', '"documentNumber":"HC002","documentNumber"'],
    field: 'transportDocumentHouseLevel.documentNumber',
  },
  {
    name: 'an entry summary declaration',
    method: 'PUT',
    path: `${AUTHORITY}/entry-summary-declarations/${MRN}`,
    body: declaration,
    twice: ['"routing"', '"rout\\u0069ng":"TO_CONTROL","routing"'],
    field: 'houseConsignments.0.routing',
  },
  {
    name: 'a line of an upload of declarations',
    path: `${AUTHORITY}/entry-summary-declarations`,
    body: declaration,
    twice: ['"declarant"', '"declarant":"0192:974761076","declarant"'],
    field: 'declarant',
    lines: true,
  },
  {
    name: 'decisions in an array',
    path: `${AUTHORITY}/routing-decisions`,
    body: [decision],
    twice: ['"routing"', '"routing":"TO_ENTRY","routing"'],
    field: '0.routing',
  },
  {
    name: 'a line of decisions',
    path: `${AUTHORITY}/routing-decisions`,
    body: decision,
    twice: ['"routing"', '"routing":"TO_ENTRY","routing"'],
    field: 'routing',
    lines: true,
  },
  {
    name: 'an organisation',
    method: 'PUT',
    path: `${AUTHORITY}/organisations/0192:310000019`,
    body: { name: 'Twice AS', kind: 'domestic', blocked: false, scopes: [], clients: [] },
    twice: ['"blocked"', '"blocked":true,"blocked"'],
    field: 'blocked',
  },
  {
    name: 'a routing profile',
    method: 'PUT',
    path: `${AUTHORITY}/routing-profiles/twice`,
    body: {
      salt: 'a',
      rules: [{ name: 'air', when: { modeOfTransport: ['4'] }, routing: 'TO_ENTRY' }],
    },
    twice: ['"salt"', '"salt":"b","salt"'],
    field: 'salt',
  },
  ...(['one', 'array', 'lines'] as const).map((form) => ({
    name: `goods items as ${form}`,
    path: GOODS_ITEMS,
    body: form === 'array' ? [message] : message,
    twice: ['"GrossMass"', '"GrossMass":1,"GrossMass"'] as [string, string],
    field: 'data.GoodsItem.GrossMass',
    lines: form === 'lines',
  })),
];

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`duplicate members on ${name}`, { skip }, () => {
    let playground: TestPlayground;
    before(async () => {
      playground = await TestPlayground.start(await open());
    });
    after(() => playground.close());

    for (const {
      name,
      method = 'POST',
      path,
      as = 'authority',
      body,
      twice,
      field,
      lines,
    } of cases) {
      test(`${name} is refused`, async () => {
        const raw = JSON.stringify(body).replace(...twice);
        assert.notEqual(raw, JSON.stringify(body));
        const response = await playground.call(path, {
          as,
          method,
          raw,
          headers: { 'content-type': lines ? NDJSON : 'application/json', accept: '*/*' },
        });
        // Each line of an upload has its own result; everything else is refused as a whole.
        const result =
          typeof response.body === 'string'
            ? JSON.parse(response.body)
            : (response.body as Problem);
        const errors: ValidationError[] = result.validationErrors ?? [];
        assert.deepEqual(
          errors.map(({ field, code }) => [field, code]),
          [[field, 'FORMAT']],
          response.text,
        );
        assert.match(errors[0]?.error ?? '', /more than once/);
      });
    }

    test('nothing is stored of refused requests', async () => {
      for (const [path, as] of [
        [`${PRESENTATION}/validation-status/${requestId}`, 'carrier'],
        [`${AUTHORITY}/entry-summary-declarations/${MRN}`, 'authority'],
      ] as const) {
        assert.equal((await playground.get(path, as)).status, 404, path);
      }
      assert.deepEqual((await playground.get(GOODS_ITEMS, 'statistics')).body, []);
      const profiles = await playground.get(`${AUTHORITY}/routing-profiles`, 'authority');
      assert.deepEqual(profiles.body, []);
      const id = '0192:310000019';
      const { text } = await playground.get(`${AUTHORITY}/organisations/${id}`, 'authority');
      assert.doesNotMatch(text, /Twice AS/);
    });
  });
}
