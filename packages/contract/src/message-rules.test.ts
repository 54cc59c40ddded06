// The rules beyond the schemas are checked wherever a message with one is read, with the path of the member.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { UndecidedArrival } from './arrival.js';
import { DatasetReader } from './dataset/read-dataset.js';
import {
  EntrySummaryDeclaration,
  EntrySummaryDeclarationEntry,
  HouseConsignmentLine,
} from './entry-summary-declaration.js';
import { HouseConsignment } from './house-consignment.js';
import { messagesWithRules } from './message-rules.js';
import { checkOrganisationRules } from './organisation-rules.js';
import { CheckedConsignment } from './release.js';
import { RoutingSignal } from './routing.js';
import { RoutingDecision } from './routing-decision.js';
import { RoutingProfile } from './routing-profile.js';
import { compileCheck } from './validation.js';

const document = { documentNumber: 'HC001', type: 'N740' };
const house = { transportDocumentHouseLevel: document };
const misplaced = { routing: 'TO_ENTRY', routingControlLocation: 'ON_ENTRY' };

function fieldsOf(check: ReturnType<typeof compileCheck>, value: unknown): string[] {
  const checked = check(value);
  return checked.valid ? [] : checked.errors.map(({ field, code }) => `${field} ${code}`).sort();
}

test('a location needs a control, in a decision, a house consignment and a profile', () => {
  const decision = compileCheck(RoutingDecision);
  assert.deepEqual(fieldsOf(decision, { ...house, ...misplaced }), [
    'routingControlLocation FORMAT',
  ]);
  assert.deepEqual(
    fieldsOf(decision, { ...house, routing: 'TO_CONTROL', routingControlLocation: 'ON_ENTRY' }),
    [],
  );
  assert.deepEqual(
    fieldsOf(decision, { ...house, routing: 'TO_ENTRY', routingControlLocation: null }),
    [],
  );
  assert.deepEqual(
    fieldsOf(compileCheck(HouseConsignmentLine), {
      mrn: '23NO00000000000003',
      houseConsignment: { ...house, routingControlLocation: 'ON_ENTRY' },
    }),
    ['houseConsignment.routingControlLocation FORMAT'],
  );
  assert.deepEqual(
    fieldsOf(compileCheck(RoutingProfile), {
      salt: 's',
      rules: [
        { name: 'x', routing: 'TO_ENTRY' },
        { name: 'y', ...misplaced },
      ],
    }),
    ['rules.1.routingControlLocation FORMAT'],
  );
});

test('goods have the MRN of an ENS or of a house consignment, and not both', () => {
  const check = compileCheck(Type.Array(UndecidedArrival));
  const arrival = {
    ...house,
    id: '0198c0de-7000-7000-8000-000000000001',
    presentedAt: '2026-01-01T12:00:00.000Z',
    customsOfficeOfPresentation: 'NO351001',
    customsOfficeOfFirstEntry: 'NO351001',
    declarant: '0192:310000019',
  };
  const ens = { entrySummaryDeclarationMRN: '26NO00000000000001' };
  const lodged = { houseConsignmentMRN: '26NO7K2M4Q9XWR5HT0' };
  const arrivals = [
    { ...arrival, ...ens },
    { ...arrival, ...lodged },
    { ...arrival, ...ens, ...lodged },
    arrival,
  ];
  assert.deepEqual(fieldsOf(check, arrivals), [
    '2.entrySummaryDeclarationMRN REQUIRED',
    '3.entrySummaryDeclarationMRN REQUIRED',
  ]);
  const goods = { RoutingSignal, CheckedConsignment, HouseConsignment, UndecidedArrival };
  for (const [name, schema] of Object.entries(goods)) {
    assert.deepEqual(messagesWithRules(schema), [name]);
  }
});

test('a document is given once in a declaration, on its own or with other broken rules', () => {
  const declaration = {
    customsOfficeOfFirstEntry: 'NO351001',
    declarant: '0192:310000019',
    houseConsignments: [house, { ...house, ...misplaced }],
  };
  const errors = [
    'houseConsignments.1.routingControlLocation FORMAT',
    'houseConsignments.1.transportDocumentHouseLevel FORMAT',
  ];
  assert.deepEqual(fieldsOf(compileCheck(EntrySummaryDeclarationEntry), declaration), errors);
  const withMrn = { mrn: '23NO00000000000003', ...declaration };
  assert.deepEqual(fieldsOf(compileCheck(EntrySummaryDeclaration), withMrn), errors);
  const line = `${JSON.stringify({ decision: { mrn: withMrn.mrn, ...house, ...misplaced } })}\n`;
  const [, read] = new DatasetReader().push(
    new TextEncoder().encode(
      `${JSON.stringify({ ...withMrn, houseConsignments: [house] })}\n${line}`,
    ),
  );
  assert.ok(read !== undefined && 'errors' in read);
  assert.deepEqual(
    read.errors.map(({ field }) => field),
    ['decision.routingControlLocation'],
  );
});

test('the messages with rules are found within a schema', () => {
  assert.deepEqual(messagesWithRules(RoutingProfile), ['RoutingRule']);
  assert.deepEqual(messagesWithRules(EntrySummaryDeclaration), [
    'EntrySummaryDeclaration',
    'PreNotifiedHouseConsignment',
  ]);
});

test('members that a profile does not have are errors beside the others', () => {
  const check = compileCheck(RoutingProfile, { refuseUnknown: true });
  assert.deepEqual(
    fieldsOf(check, {
      salt: 's',
      seed: 1,
      rules: [
        { name: 'fine', routing: 'TO_ENTRY' },
        {
          name: 'odd',
          when: { transportDocumentType: ['N999'], modeOfTransprot: ['4'] },
          routing: 'TO_ENTRY',
        },
        { name: 'empty', when: { originCountry: [] }, share: 2, routing: 'TO_ENTRY' },
        {
          name: 'no chapters',
          when: { harmonizedSystemChapter: ['3', '00', '030214', '03'] },
          routing: 'TO_ENTRY',
        },
        {
          name: 'of lodged goods',
          when: {
            importProcedure: ['TRANSIT', 'ATA_CARNET'],
            outgoingProcedure: ['ALL'],
            carrierIdentificationNumber: ['NO1', ''],
            consignorCountry: ['no'],
            grossMassFrom: -0.5,
            notified: ['LODGED'],
          },
          routing: 'TO_ENTRY',
        },
      ],
    }),
    [
      'rules.1.when.modeOfTransprot UNKNOWN_MEMBER',
      'rules.1.when.transportDocumentType.0 UNKNOWN_CODE',
      'rules.2.share FORMAT',
      'rules.2.when.originCountry SIZE',
      'rules.3.when.harmonizedSystemChapter.0 FORMAT',
      'rules.3.when.harmonizedSystemChapter.1 FORMAT',
      'rules.3.when.harmonizedSystemChapter.2 FORMAT',
      'rules.4.when.carrierIdentificationNumber.1 REQUIRED',
      'rules.4.when.consignorCountry.0 FORMAT',
      'rules.4.when.grossMassFrom FORMAT',
      'rules.4.when.importProcedure.0 UNKNOWN_CODE',
      'rules.4.when.notified.0 UNKNOWN_CODE',
      'rules.4.when.outgoingProcedure.0 UNKNOWN_CODE',
      'seed UNKNOWN_MEMBER',
    ],
  );
  for (const value of [null, 17, [], { salt: 's', rules: [null, 3] }, { rules: {} }]) {
    assert.equal(check(value).valid, false);
  }
});

test('the rules of an organisation are reported together', () => {
  const errors = checkOrganisationRules('NTRDE-HRB000001', {
    name: 'Beispiel',
    kind: 'domestic',
    grantedScopes: ['movement/entry'],
    clients: [{ client_id: 'eidas-1' }, { client_id: 'eidas-1' }],
  });
  assert.deepEqual(
    errors.map(({ field }) => field),
    ['kind', 'clients.1.client_id', 'clients.0.client_id', 'clients.1.client_id'],
  );
  const foreign = checkOrganisationRules('NTRDE-HRB000001', {
    name: 'Beispiel',
    kind: 'foreign',
    grantedScopes: ['declaration.feed'],
    clients: [{ client_id: 'beispiel', blocked: true, scopes: ['authority/routing'] }],
  });
  assert.deepEqual(
    foreign.map(({ field }) => field),
    ['grantedScopes.0', 'clients.0.client_id', 'clients.0.scopes.0'],
  );
});
