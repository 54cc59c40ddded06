// Validation statuses over HTTP: the list with its pages and filters, and errors of queries.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { ValidationStatus } from '@landfall/contract';
import { drawnDatabases } from '../testing/databases.js';
import { TestPlayground } from '../testing/playground-client.js';
import { reportedErrors } from '../testing/reported-errors.js';

const STATUS = '/api/movement/presentation/v1/validation-status';
const ROUTING = '/api/movement/routing/v1/house-consignment';
const MRN = '23NO00000000000005';
const OTHER_MRN = '23NO00000000000004';
const UNKNOWN_MRN = '23NO00000000000099';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`validation statuses on ${name}`, { skip }, () => {
    let playground: TestPlayground;
    before(async () => {
      playground = await TestPlayground.start(await open());
      const present = (mrn: string) =>
        playground.present('entry-summary-declaration', 'forwarder', { mrn });
      for (const mrn of [MRN, UNKNOWN_MRN, MRN, OTHER_MRN, UNKNOWN_MRN]) await present(mrn);
    });
    after(() => playground.close());

    test('statuses are listed oldest first, paged by marker, and filtered', async () => {
      const all = (await playground.get(STATUS, 'forwarder')).body as ValidationStatus[];
      assert.equal(all.length, 5);
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
      const ofEns = all.filter(({ mrn }) => mrn === MRN);
      assert.equal(ofEns.length, 2);
      assert.deepEqual(await list(`mrn=${MRN}`), ofEns);
      assert.deepEqual((await playground.get(`${STATUS}/${MRN}`, 'forwarder')).body, ofEns);
      assert.deepEqual(await list(`mrn=${MRN}&status=FAILURE`), []);
    });

    test('a request that reached several declarations is found under each of their MRNs', async () => {
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

    test('errors of queries name the parameter and the rule', async () => {
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
        assert.deepEqual(reportedErrors(await playground.get(address, 'carrier')), errors, address);
      }
    });
  });
}
