import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import {
  type PlaygroundConsignment,
  playgroundConsignments,
  type RoutingSignal,
  type ValidationError,
  type ValidationStatus,
} from '@landfall/contract';
import { testDatabases } from '../testing/databases.js';
import type { Answer } from '../testing/openapi-answers.js';
import { TestPlayground } from '../testing/playground-client.js';

const ROUTING = '/api/movement/routing/v1/house-consignment';
const STATUS = '/api/movement/presentation/v1/validation-status';

/** What refusals say, as `field CODE`. */
function refusals(answer: Answer): string[] {
  assert.equal(answer.status, 400, answer.text);
  const { validationErrors } = answer.body as { validationErrors: ValidationError[] };
  return validationErrors.map(({ field, code }) => `${field} ${code}`).sort();
}

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

for (const { name, skip, open } of await testDatabases()) {
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
        const answer = await playground.present(
          'house-consignment',
          'carrier',
          referenceTo(consignment),
          requestId,
        );
        assert.equal(answer.status, 202, answer.text);
        assert.deepEqual(answer.body, { requestId });
        const location = `${playground.playground.baseUrl}${STATUS}/${requestId}`;
        assert.equal(answer.headers.get('location'), location);

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

    test('presenting again with a new requestId succeeds and gives no signal twice', async () => {
      const already = await signalsOf('carrier');
      const answer = await playground.present('entry-summary-declaration', 'carrier', {
        mrn: '23NO00000000000003',
      });
      assert.equal(answer.status, 202);
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
      assert.deepEqual(refusals(stolen), ['marker UNKNOWN_MARKER']);
    });

    test('a requestId is spent by its first use, by one of two at the same time', async () => {
      const requestId = randomUUID();
      const reference = { mrn: '23NO00000000000005' };
      const answers = await Promise.all(
        Array.from({ length: 5 }, () =>
          playground.present('entry-summary-declaration', 'forwarder', reference, requestId),
        ),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [202, 400, 400, 400, 400]);
      const refused = answers.find(({ status }) => status === 400);
      assert(refused);
      assert.deepEqual(refusals(refused), ['requestId REQUEST_ID_REUSED']);
      const upperCase = await playground.present(
        'container',
        'forwarder',
        { containerId: 'JARU0000010' },
        requestId.toUpperCase(),
      );
      assert.deepEqual(refusals(upperCase), ['requestId REQUEST_ID_REUSED']);
      // Another organisation has its own requestIds.
      assert.equal(
        (await playground.present('entry-summary-declaration', 'express', reference, requestId))
          .status,
        202,
      );
    });

    const wrong: [string, string, Record<string, unknown>, string[]][] = [
      [
        'nothing at all',
        'house-consignment',
        { requestId: null, customsOfficeOfPresentation: null },
        [
          'customsOfficeOfPresentation REQUIRED',
          'requestId REQUIRED',
          'transportDocumentHouseLevel REQUIRED',
        ],
      ],
      [
        'blank texts',
        'house-consignment',
        {
          requestId: ' ',
          customsOfficeOfPresentation: '',
          transportDocumentHouseLevel: { documentNumber: '  ', type: '' },
        },
        [
          'customsOfficeOfPresentation REQUIRED',
          'requestId REQUIRED',
          'transportDocumentHouseLevel.documentNumber REQUIRED',
          'transportDocumentHouseLevel.type REQUIRED',
        ],
      ],
      [
        'wrong types',
        'house-consignment',
        {
          requestId: 7,
          customsOfficeOfPresentation: {},
          transportDocumentHouseLevel: { documentNumber: [], type: true },
        },
        [
          'customsOfficeOfPresentation FORMAT',
          'requestId FORMAT',
          'transportDocumentHouseLevel.documentNumber FORMAT',
          'transportDocumentHouseLevel.type FORMAT',
        ],
      ],
      [
        'an unknown type and office, and a number too long',
        'house-consignment',
        {
          customsOfficeOfPresentation: 'XX000000',
          transportDocumentHouseLevel: { documentNumber: 'x'.repeat(71), type: 'N999' },
        },
        [
          'customsOfficeOfPresentation UNKNOWN_CODE',
          'transportDocumentHouseLevel.documentNumber SIZE',
          'transportDocumentHouseLevel.type UNKNOWN_CODE',
        ],
      ],
      [
        'an unknown office and an unknown document',
        'house-consignment',
        {
          customsOfficeOfPresentation: 'XX000000',
          transportDocumentHouseLevel: { documentNumber: 'HC999', type: 'N740' },
        },
        [
          'customsOfficeOfPresentation UNKNOWN_CODE',
          'transportDocumentHouseLevel REFERENCE_NOT_FOUND',
        ],
      ],
      [
        'the right document under another MRN',
        'house-consignment',
        {
          transportDocumentHouseLevel: { documentNumber: 'HC001', type: 'N740' },
          mrn: '23NO00000000000004',
        },
        ['transportDocumentHouseLevel REFERENCE_NOT_FOUND'],
      ],
      [
        'an unreadable requestId and an unknown reference',
        'entry-summary-declaration',
        { requestId: 'one', mrn: '23NO00000000000099' },
        ['mrn REFERENCE_NOT_FOUND', 'requestId FORMAT'],
      ],
      [
        'an MRN in small letters',
        'entry-summary-declaration',
        { mrn: '23no00000000000001' },
        ['mrn FORMAT'],
      ],
      [
        'a container with a wrong check digit',
        'container',
        { containerId: 'JARU0000011' },
        ['containerId FORMAT'],
      ],
      [
        'a container that is too short',
        'container',
        { containerId: 'JARU000001' },
        ['containerId SIZE'],
      ],
      [
        'a container that is not pre-notified',
        'container',
        { containerId: 'CSQU3054383' },
        ['containerId REFERENCE_NOT_FOUND'],
      ],
      [
        'a receptacle of 28 characters',
        'receptacle',
        { receptacleId: 'GBASFZMLBKONAUN3000100101999' },
        ['receptacleId SIZE'],
      ],
      [
        'a receptacle that is not pre-notified',
        'receptacle',
        { receptacleId: 'GBASFZMLBKONAUN30001001019998' },
        ['receptacleId REFERENCE_NOT_FOUND'],
      ],
      [
        'a master document that is not pre-notified',
        'master-consignment',
        { transportDocumentMasterLevel: { documentNumber: 'MAWB0004', type: 'N741' } },
        ['transportDocumentMasterLevel REFERENCE_NOT_FOUND'],
      ],
    ];

    for (const [what, level, body, errors] of wrong) {
      test(`${what}: every error is told, and the status records the same`, async () => {
        const requestId = randomUUID();
        const answer = await playground.present(level, 'forwarder', body, requestId);
        assert.deepEqual(refusals(answer), errors);
        const status = await playground.get(`${STATUS}/${requestId}`, 'forwarder');
        if ('requestId' in body) {
          assert.equal(status.status, 404, 'what has no readable requestId is not recorded');
          return;
        }
        const { validationErrorList, ...rest } = status.body as ValidationStatus;
        assert.equal(rest.status, 'FAILURE');
        assert.deepEqual(
          validationErrorList
            ?.map(({ code, pointer }) => `${pointer.messageElementPath} ${code}`)
            .sort(),
          errors,
        );
        const again = await playground.present(level, 'forwarder', body, requestId);
        assert.deepEqual(refusals(again), [...errors, 'requestId REQUEST_ID_REUSED'].sort());
      });
    }

    test('statuses are listed oldest first, paged by marker, and filtered', async () => {
      const all = (await playground.get(STATUS, 'forwarder')).body as ValidationStatus[];
      assert(all.length > 5);
      const paged: ValidationStatus[] = [];
      let next = `${STATUS}?limit=2`;
      while (next !== '') {
        const page = await playground.get(next, 'forwarder');
        paged.push(...(page.body as ValidationStatus[]));
        next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
        next = next.replace(playground.playground.baseUrl, '');
      }
      assert.deepEqual(paged, all);

      const list = async (query: string) =>
        (await playground.get(`${STATUS}?${query}`, 'forwarder')).body;
      assert.deepEqual(
        await list('status=FAILURE'),
        all.filter(({ status }) => status === 'FAILURE'),
      );
      assert.deepEqual(
        await list('status=SUCCESS'),
        all.filter(({ status }) => status === 'SUCCESS'),
      );
      assert.deepEqual(await list(`requestId=${all[3]?.requestId}`), [all[3]]);
      const ofEns = all.filter(({ mrn }) => mrn === '23NO00000000000005');
      assert.deepEqual(await list('mrn=23NO00000000000005'), ofEns);
      assert.deepEqual(
        (await playground.get(`${STATUS}/23NO00000000000005`, 'forwarder')).body,
        ofEns,
      );
      assert.deepEqual(await list('mrn=23NO00000000000005&status=FAILURE'), []);
    });

    test('a request that reached several ENS is found under each of them', async () => {
      const requestId = randomUUID();
      await playground.present(
        'receptacle',
        'express',
        { receptacleId: 'GBASFZMLBKONAUN30001001019999' },
        requestId,
      );
      for (const mrn of ['23NO00000000000001', '23NO00000000000002']) {
        const found = (await playground.get(`${STATUS}/${mrn}`, 'express'))
          .body as ValidationStatus[];
        assert(found.some((status) => status.requestId === requestId));
      }
    });

    test('wrong queries name the parameter and the rule', async () => {
      const cases: [string, string[]][] = [
        [`${STATUS}?limit=0`, ['limit FORMAT']],
        [`${STATUS}?limit=1001`, ['limit FORMAT']],
        [`${STATUS}?limit=many`, ['limit FORMAT']],
        [`${STATUS}?requestId=urn:uuid:${randomUUID()}`, ['requestId FORMAT']],
        [`${STATUS}?limit=1&limit=2`, ['limit FORMAT']],
        [
          `${STATUS}?marker=x&status=MAYBE&mrn=1&requestId=2`,
          ['marker FORMAT', 'mrn FORMAT', 'requestId FORMAT', 'status UNKNOWN_CODE'],
        ],
        [`${STATUS}?marker=${randomUUID()}`, ['marker UNKNOWN_MARKER']],
        [`${STATUS}/not-a-reference`, ['reference FORMAT']],
        [`${ROUTING}?marker=${randomUUID()}`, ['marker UNKNOWN_MARKER']],
        [`${ROUTING}?marker=00000000-0001-8d3d-9180-5af1a7d5dedf`, ['marker UNKNOWN_MARKER']],
      ];
      for (const [address, errors] of cases) {
        assert.deepEqual(refusals(await playground.get(address, 'carrier')), errors, address);
      }
    });
  });
}
