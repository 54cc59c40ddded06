// Members of a presentation that the schema does not have: named in the status, or refused if that is preferred.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { keysOf, presentationLevels, type ValidationStatus } from '@landfall/contract';
import { drawnDatabases } from '../testing/databases.js';
import { TestPlayground } from '../testing/playground-client.js';
import { reportedErrors } from '../testing/reported-errors.js';

const BASE = '/api/movement/presentation/v1';

/** Of each level, a body that finds goods, and one that finds none. */
const references: Record<keyof typeof presentationLevels, [found: object, unknown: object]> = {
  'house-consignment': [
    { transportDocumentHouseLevel: { documentNumber: 'HC001', type: 'N740' } },
    { transportDocumentHouseLevel: { documentNumber: 'NONE', type: 'N740' } },
  ],
  'master-consignment': [
    { transportDocumentMasterLevel: { documentNumber: 'MAWB0003', type: 'N741' } },
    { transportDocumentMasterLevel: { documentNumber: 'NONE', type: 'N741' } },
  ],
  container: [{ containerId: 'JARU0000010' }, { containerId: 'CSQU3054383' }],
  receptacle: [
    { receptacleId: 'GBASFZMLBKONAUN30001001019999' },
    { receptacleId: 'GBASFZMLBKONAUN30001001019998' },
  ],
  'entry-summary-declaration': [{ mrn: '23NO00000000000004' }, { mrn: '23NO00000000000099' }],
};

/** Names that a member may have, and how they are shown. */
const names: [given: string, shown: string][] = [
  ['MRN', 'MRN'],
  ['', ''],
  ['a.b', 'a.b'],
  ['"\\', '"\\'],
  ['\u0000', '\ufffd'],
  ['\ud800', '\ufffd'],
  ['\u202eabc', '\ufffdabc'],
  ['x'.repeat(200), 'x'.repeat(100)],
];

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`ignored members on ${name}`, { skip }, () => {
    let playground: TestPlayground;
    before(async () => {
      playground = await TestPlayground.start(await open());
    });
    after(() => playground.close());

    const send = (level: string, body: object, headers: Record<string, string> = {}) =>
      playground.call(`${BASE}/${level}`, {
        as: 'express',
        method: 'POST',
        body: { customsOfficeOfPresentation: 'NO351001', ...body },
        headers,
      });
    const statusOf = async (requestId: string) => {
      const { body } = await playground.get(`${BASE}/validation-status/${requestId}`, 'express');
      return body as ValidationStatus;
    };

    for (const level of keysOf(presentationLevels)) {
      const unknown = Object.fromEntries(names.map(([given]) => [given, 'zzz']));
      for (const reference of references[level]) {
        test(`a ${level} names them, whatever its outcome: ${JSON.stringify(reference)}`, async () => {
          const requestId = randomUUID();
          const { status } = await send(level, { ...unknown, ...reference, requestId });
          const recorded = await statusOf(requestId);
          assert.equal(recorded.status, status === 202 ? 'SUCCESS' : 'FAILURE');
          assert.deepEqual(
            recorded.ignoredMembers,
            names.map(([, shown]) => shown),
          );
          const without = randomUUID();
          await send(level, { ...reference, requestId: without });
          assert.equal('ignoredMembers' in (await statusOf(without)), false);
        });
      }

      test(`a ${level} with members within its reference, and more than are named`, async () => {
        const [found] = references[level];
        const [member, value] = Object.entries(found)[0] ?? [];
        const requestId = randomUUID();
        const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`z${i}`, null]));
        const inside = typeof value === 'object' ? { [`${member}`]: { ...value, Type: 1 } } : found;
        assert.equal((await send(level, { ...inside, ...many, requestId })).status, 202);
        const named = (await statusOf(requestId)).ignoredMembers;
        assert.equal(named?.length, 20);
        const nested = randomUUID();
        await send(level, { ...inside, requestId: nested });
        assert.deepEqual(
          (await statusOf(nested)).ignoredMembers,
          typeof value === 'object' ? [`${member}.Type`] : undefined,
        );
      });

      test(`a ${level} that prefers strict handling is refused for each of them`, async () => {
        const [found] = references[level];
        const requestId = randomUUID();
        const prefer = 'respond-async, handling=strict; foo, wait=1';
        const refused = await send(level, { ...unknown, ...found, requestId }, { prefer });
        const errors = names.map(([, shown]) => `${shown} UNKNOWN_MEMBER`).sort();
        assert.deepEqual(reportedErrors(refused), errors);
        assert.equal(refused.headers.get('preference-applied'), 'handling=strict');
        const recorded = await statusOf(requestId);
        assert.equal(recorded.status, 'FAILURE');
        assert.deepEqual(
          recorded.validationErrorList?.map(
            ({ code, pointer }) => `${pointer.messageElementPath} ${code}`,
          ),
          names.map(([, shown]) => `${shown} UNKNOWN_MEMBER`),
        );
        const accepted = await send(level, { ...found, requestId: randomUUID() }, { prefer });
        assert.equal(accepted.status, 202);
        assert.equal(accepted.headers.get('preference-applied'), 'handling=strict');
      });
    }

    test('other preferences are not strict', async () => {
      for (const prefer of [
        'handling=lenient',
        'handling=stricter',
        'xhandling=strict',
        'strict',
      ]) {
        const requestId = randomUUID();
        const [found] = references['entry-summary-declaration'];
        const { status, headers } = await send(
          'entry-summary-declaration',
          { ...found, MRN: 'zzz', requestId },
          { prefer },
        );
        assert.equal(status, 202, prefer);
        assert.equal(headers.get('preference-applied'), null, prefer);
      }
    });
  });
}
