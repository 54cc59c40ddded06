// If only expected presenters may present, goods do not exist for anybody else.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { PresentationPath } from '@landfall/contract';
import { v7 } from 'uuid';
import { AuditTrail } from '../audit/audit-trail.js';
import { verifyAudit } from '../audit/verify-audit.js';
import { readConfig } from '../config.js';
import type { Database } from '../database/database.js';
import { FeedViews } from '../feed/feed-views.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import { feedKinds } from '../feed-kinds.js';
import { getEntrySummaryDeclaration } from '../registry/get-entry-summary-declaration.js';
import { register } from '../registry/register.js';
import { drawnDatabases } from '../testing/databases.js';
import { organisationOf } from '../testing/organisation-of.js';
import { TestPlayground } from '../testing/playground-client.js';
import { presentationRequest } from '../testing/present-requests.js';
import { registerDeclaration } from '../testing/register-declaration.js';
import { wideLimits } from '../testing/wide-limits.js';
import { getValidationStatus } from './get-validation-status.js';
import { makePresentConsignment, type PresentConsignment } from './present-consignment.js';
import { validationStatuses } from './status-feed.js';

const MRN = '26NO00000000000001';
const UNKNOWN_MRN = '26NO00000000000002';
const NAMED = ['declarant', 'representative', 'carrier', 'handler-1', 'handler-2'];

const house = (documentNumber: string) => ({
  transportDocumentHouseLevel: { documentNumber, type: 'N740' as const },
});
const master = (documentNumber: string) => ({
  transportDocumentMasterLevel: { documentNumber, type: 'N741' as const },
});
const declaration = {
  mrn: MRN,
  customsOfficeOfFirstEntry: 'NO351001',
  declarant: '0192:declarant',
  representative: '0192:representative',
  carrier: '0192:carrier',
  presenters: ['0192:handler-2', '0192:handler-1'],
};
const goods = {
  ...house('H1'),
  ...master('M1'),
  receptacleId: 'GBLALADEFRAAACN60123001100251',
  containerId: ['JARU0000010'],
  routing: 'TO_ENTRY' as const,
};

/** Each level with a reference that reaches goods, and one that does not. */
const references: [PresentationPath, object, object][] = [
  ['house-consignment', house('H1'), house('H9')],
  ['master-consignment', master('M1'), master('M9')],
  ['container', { containerId: 'JARU0000010' }, { containerId: 'CSQU3054383' }],
  [
    'receptacle',
    { receptacleId: 'GBLALADEFRAAACN60123001100251' },
    { receptacleId: 'SEMMAASEOSLBAUN12345600010001' },
  ],
  ['entry-summary-declaration', { mrn: MRN }, { mrn: UNKNOWN_MRN }],
];

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`expected presenters on ${name}`, { skip }, () => {
    let database: Database;
    let watch: FeedWatch;
    let present: PresentConsignment;

    before(async () => {
      database = await open();
      watch = new FeedWatch(database);
      present = makePresentConsignment(database, watch, 'expected');
      await registerDeclaration(database, {
        ...declaration,
        houseConsignments: [goods, { ...goods, ...house('H2') }],
      });
    });
    after(async () => {
      watch.close();
      await database.close();
    });

    const presentAs = async (name: string, path: PresentationPath, reference: object) => {
      const owner = await organisationOf(database, `0192:${name}`);
      const request = presentationRequest(path, owner, reference);
      const { submission } = request;
      const outcome = await present(request);
      const view = await new FeedViews(database).take({ kind: validationStatuses, owner });
      const status = await getValidationStatus(view, owner, submission.requestId ?? '');
      const { requestId, notificationDate, ...rest } = JSON.parse(status?.status ?? '{}');
      assert.equal(requestId, submission.requestId);
      assert.ok(notificationDate);
      return { outcome, status: rest };
    };

    test('to a stranger, goods of others are like goods that do not exist, at every level', async () => {
      for (const [path, existing, unknown] of references) {
        const refused = await presentAs('stranger', path, existing);
        assert.equal(refused.outcome.accepted, false, path);
        assert.deepEqual(refused, await presentAs('stranger', path, unknown), path);
        const codes = refused.status.validationErrorList.map(({ code }: { code: string }) => code);
        assert.deepEqual(codes, ['REFERENCE_NOT_FOUND']);
      }
      const [row] = await database.query<{ recipients: number }>({
        name: '',
        text: 'select count(*)::integer as recipients from signal_recipient',
        values: [],
      });
      assert.equal(row?.recipients, 0);
    });

    test('every organisation that the declaration names may present them, at every level', async () => {
      for (const presenter of NAMED) {
        for (const [path, existing] of references) {
          const { outcome } = await presentAs(presenter, path, existing);
          assert(outcome.accepted, `${presenter} ${path}`);
        }
      }
      assert.deepEqual((await verifyAudit(database, feedKinds)).breaks, []);
    });

    test('one of two declarations with the same document is unambiguous for the organisations that it names', async () => {
      for (const [index, declarant] of ['one', 'two'].entries()) {
        await registerDeclaration(database, {
          mrn: `26NO0000000000001${index}`,
          customsOfficeOfFirstEntry: 'NO351001',
          declarant: `0192:${declarant}`,
          carrier: '0192:both',
          houseConsignments: [{ ...house('SHARED'), ...master('SHARED') }],
        });
      }
      const shared: [PresentationPath, object][] = [
        ['house-consignment', house('SHARED')],
        ['master-consignment', master('SHARED')],
      ];
      for (const [path, reference] of shared) {
        const { outcome, status } = await presentAs('one', path, reference);
        assert(outcome.accepted);
        assert.equal(status.mrn, '26NO00000000000010');
        const both = await presentAs('both', path, reference);
        assert.equal(both.status.validationErrorList[0].code, 'REFERENCE_AMBIGUOUS');
      }
    });

    test('the expected presenters are stored, and may change after goods are presented', async () => {
      const read = async () => {
        const room = wideLimits().unread.open(1, () => undefined);
        const declaration = await getEntrySummaryDeclaration(database, MRN, room, (read) => read());
        assert(declaration && declaration !== 'no room');
        let text = '';
        for await (const part of declaration.parts) text += part;
        const { carrier, presenters, houseConsignments } = JSON.parse(text);
        return { carrier, presenters, houses: houseConsignments.length };
      };
      const { carrier, presenters } = declaration;
      assert.deepEqual(await read(), { carrier, presenters, houses: 2 });
      const changed = { ...declaration, carrier: '0192:new', presenters: ['0192:stranger'] };
      const [outcome] = await register(
        { database, audit: new AuditTrail(), newId: v7 },
        [{ mrn: MRN, declaration: changed, houses: [], isComplete: false }],
        { at: new Date(), actor: undefined, requestId: randomUUID() },
      );
      assert(outcome && 'changed' in outcome, JSON.stringify(outcome));
      assert.deepEqual(outcome.changed, ['carrier', 'presenters']);
      assert.deepEqual(await read(), {
        carrier: '0192:new',
        presenters: ['0192:stranger'],
        houses: 2,
      });
      assert((await presentAs('stranger', 'house-consignment', house('H1'))).outcome.accepted);
      assert.equal(
        (await presentAs('handler-1', 'house-consignment', house('H1'))).outcome.accepted,
        false,
      );
      await registerDeclaration(database, {
        ...declaration,
        houseConsignments: [goods, { ...goods, ...house('H2') }],
      });
      const { carrier: _, presenters: __, ...unnamed } = declaration;
      await registerDeclaration(database, {
        ...unnamed,
        houseConsignments: [goods, { ...goods, ...house('H2') }],
      });
      assert.deepEqual(await read(), { carrier: undefined, presenters: undefined, houses: 2 });
    });
  });
}

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  test(`LANDFALL_PRESENTERS=expected decides over HTTP who may present, on ${name}`, {
    skip,
  }, async () => {
    const database = await open();
    const { presenters } = readConfig({ LANDFALL_PRESENTERS: 'expected' });
    const playground = await TestPlayground.start(database, { presenters });
    try {
      const goods = {
        ...house('ENV1'),
        receptacleId: 'GBLALADEFRAAACN60123001100251',
      };
      await registerDeclaration(database, {
        mrn: '26NO00000000000077',
        customsOfficeOfFirstEntry: 'NO351001',
        declarant: playground.credentials('carrier').organisation,
        houseConsignments: [goods],
      });
      const { receptacleId } = goods;
      for (const [level, reference] of [
        ['house-consignment', house('ENV1')],
        ['receptacle', { receptacleId }],
      ] as const) {
        const refused = await playground.present(level, 'forwarder', reference);
        assert.equal(refused.status, 400, level);
        assert.match(refused.text, /REFERENCE_NOT_FOUND/);
        assert.equal((await playground.present(level, 'carrier', reference)).status, 202, level);
      }
    } finally {
      await playground.close();
    }
  });
}
