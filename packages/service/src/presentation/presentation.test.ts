// Presents the playground's goods at every level.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import {
  type PlaygroundConsignment,
  playgroundConsignments,
  type RoutingSignal,
  type ValidationStatus,
} from '@landfall/contract';
import { drawnDatabases } from '../testing/databases.js';
import { TestPlayground } from '../testing/playground-client.js';
import { reportedErrors } from '../testing/reported-errors.js';

const ROUTING = '/api/movement/routing/v1/house-consignment';
const STATUS = '/api/movement/presentation/v1/validation-status';

function referenceTo({ documentNumber, type }: PlaygroundConsignment) {
  return { transportDocumentHouseLevel: { documentNumber, type } };
}

function documentsOf(signals: RoutingSignal[]): string[] {
  return signals
    .map((signal) => {
      const { documentNumber, type } = signal.transportDocumentHouseLevel;
      return `${documentNumber} ${type} ${signal.routingResult.routing}`;
    })
    .sort();
}

function expected(select: (consignment: PlaygroundConsignment) => boolean): string[] {
  return playgroundConsignments
    .filter(select)
    .map(({ documentNumber, type, routing }) => `${documentNumber} ${type} ${routing}`)
    .sort();
}

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`presentation on ${name}`, { skip }, () => {
    let playground: TestPlayground;
    before(async () => {
      playground = await TestPlayground.start(await open());
    });
    after(() => playground.close());

    const signalsOf = async (identity: string) =>
      (await playground.get(ROUTING, identity)).body as RoutingSignal[];

    for (const consignment of playgroundConsignments) {
      const { mrn, documentNumber, type, routing } = consignment;
      test(`${documentNumber} ${type} is presented and goes ${routing}`, async () => {
        const requestId = randomUUID();
        const response = await playground.present(
          'house-consignment',
          'carrier',
          referenceTo(consignment),
          requestId,
        );
        assert.equal(response.status, 202, response.text);
        assert.deepEqual(response.body, { requestId });
        const location = `${playground.playground.baseUrl}${STATUS}/${requestId}`;
        assert.equal(response.headers.get('location'), location);

        const status = (await playground.get(`${STATUS}/${requestId}`, 'carrier'))
          .body as ValidationStatus;
        assert.deepEqual(
          { ...status, notificationDate: undefined },
          {
            requestId,
            status: 'SUCCESS',
            level: 'HOUSE_CONSIGNMENT',
            notificationDate: undefined,
            mrn,
            customsOfficeOfPresentation: 'NO351001',
            houseConsignments: 1,
          },
        );

        const signal = (await signalsOf('carrier')).at(-1);
        assert.equal(signal?.entrySummaryDeclarationMRN, mrn);
        assert.deepEqual(signal.transportDocumentHouseLevel, {
          documentNumber,
          referenceNumber: documentNumber,
          type,
        });
        assert.equal(signal.receptacleId, consignment.receptacleId);
        assert.deepEqual(signal.transportDocumentMasterLevel, consignment.masterDocument);
        assert.deepEqual(signal.containerId, consignment.containerId && [consignment.containerId]);
        assert.equal(signal.routingResult.routing, routing);
        assert.equal(
          signal.routingResult.routingControlLocation,
          routing === 'TO_CONTROL' ? 'ON_ENTRY' : undefined,
        );
      });
    }

    test('presenting again with a new requestId succeeds and issues no signal twice', async () => {
      const already = await signalsOf('carrier');
      const response = await playground.present('entry-summary-declaration', 'carrier', {
        mrn: '23NO00000000000003',
      });
      assert.equal(response.status, 202);
      assert.deepEqual(await signalsOf('carrier'), already);
    });

    const levels = [
      ['receptacle', { receptacleId: 'GBASFZMLBKONAUN30001001019999' }, 2, undefined],
      [
        'master-consignment',
        { transportDocumentMasterLevel: { documentNumber: 'MAWB0003', type: 'N741' } },
        2,
        '23NO00000000000003',
      ],
      ['container', { containerId: 'JARU0000026' }, 1, '23NO00000000000005'],
      ['entry-summary-declaration', { mrn: '23NO00000000000004' }, 2, '23NO00000000000004'],
    ] as const;

    for (const [level, reference, houseConsignments, mrn] of levels) {
      test(`a ${level} presents every house consignment under it`, async () => {
        const before = await signalsOf('express');
        const requestId = randomUUID();
        assert.equal(
          (await playground.present(level, 'express', reference, requestId)).status,
          202,
        );
        const status = (await playground.get(`${STATUS}/${requestId}`, 'express'))
          .body as ValidationStatus;
        assert.equal(status.status, 'SUCCESS');
        assert.equal(status.level, level.toUpperCase().replaceAll('-', '_'));
        assert.equal(status.houseConsignments, houseConsignments);
        assert.equal(status.mrn, mrn);
        const signals = (await signalsOf('express')).slice(before.length);
        const select: Record<string, (consignment: PlaygroundConsignment) => boolean> = {
          receptacle: ({ receptacleId }) => receptacleId !== undefined,
          'master-consignment': ({ masterDocument }) =>
            masterDocument?.documentNumber === 'MAWB0003',
          container: ({ containerId }) => containerId === 'JARU0000026',
          'entry-summary-declaration': (consignment) => consignment.mrn === '23NO00000000000004',
        };
        assert.deepEqual(documentsOf(signals), expected(select[level] ?? (() => false)));
      });
    }

    test('no organisation reads what another presented, nor that it did', async () => {
      const requestId = randomUUID();
      await playground.present(
        'receptacle',
        'carrier',
        { receptacleId: 'GBASFZMLBKONAUN30001001019999' },
        requestId,
      );
      assert.deepEqual(await signalsOf('forwarder'), []);
      assert.deepEqual((await playground.get(STATUS, 'forwarder')).body, []);
      assert.deepEqual(
        (await playground.get(`${STATUS}/23NO00000000000001`, 'forwarder')).body,
        [],
      );
      assert.equal((await playground.get(`${STATUS}/${requestId}`, 'forwarder')).status, 404);
      const signal = (await signalsOf('carrier'))[0];
      const stolen = await playground.get(
        `${ROUTING}?marker=${signal?.routingResult.id}`,
        'forwarder',
      );
      assert.deepEqual(reportedErrors(stolen), ['marker UNKNOWN_MARKER']);
    });

    test('a requestId is consumed by its first use, by one of several concurrent requests', async () => {
      const requestId = randomUUID();
      const reference = { mrn: '23NO00000000000005' };
      const responses = await Promise.all(
        Array.from({ length: 5 }, () =>
          playground.present('entry-summary-declaration', 'forwarder', reference, requestId),
        ),
      );
      assert.deepEqual(responses.map(({ status }) => status).sort(), [202, 400, 400, 400, 400]);
      const refused = responses.find(({ status }) => status === 400);
      assert(refused);
      assert.deepEqual(reportedErrors(refused), ['requestId REQUEST_ID_REUSED']);
      const upperCase = await playground.present(
        'container',
        'forwarder',
        { containerId: 'JARU0000010' },
        requestId.toUpperCase(),
      );
      assert.deepEqual(reportedErrors(upperCase), ['requestId REQUEST_ID_REUSED']);
      // Another organisation has its own requestIds.
      assert.equal(
        (await playground.present('entry-summary-declaration', 'express', reference, requestId))
          .status,
        202,
      );
    });
  });
}
