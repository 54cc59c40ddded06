// Explaining why there is no signal: every reason, and nothing of others.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { explanations, type RoutingExplanation, type RoutingSignal } from '@landfall/contract';
import { drawnDatabases } from '../testing/databases.js';
import { TestPlayground } from '../testing/playground-client.js';

const EXPLANATION = '/api/movement/routing/v1/explanation';
const SIGNALS = '/api/movement/routing/v1/house-consignment';
const AUTHORITY = '/api/authority/v1';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`explaining on ${name}`, { skip }, () => {
    let playground: TestPlayground;
    before(async () => {
      playground = await TestPlayground.start(await open());
    });
    after(() => playground.close());

    const ask = (parameters: Record<string, string>, as: string) =>
      playground.get(`${EXPLANATION}?${new URLSearchParams(parameters)}`, as);
    const explain = async (documentNumber: string, as: string, mrn?: string) => {
      const response = await ask({ documentNumber, type: 'N740', ...(mrn && { mrn }) }, as);
      assert.equal(response.status, 200, response.text);
      // The cast is true because the response was checked against openapi.json.
      const explained = response.body as RoutingExplanation;
      const { explanation, action } = explained;
      assert.deepEqual({ explanation, action }, explanations[explained.code]);
      return explained;
    };
    const codeFor = async (documentNumber: string, as: string, mrn?: string) =>
      (await explain(documentNumber, as, mrn)).code;
    /** Registers a declaration of the forwarder with these documents. */
    const register = async (mrn: string, ...documents: string[]) => {
      const response = await playground.call(`${AUTHORITY}/entry-summary-declarations/${mrn}`, {
        as: 'authority',
        method: 'PUT',
        body: {
          mrn,
          customsOfficeOfFirstEntry: 'NO351001',
          declarant: playground.credentials('forwarder').organisation,
          houseConsignments: documents.map((documentNumber) => ({
            transportDocumentHouseLevel: { documentNumber, type: 'N740' },
          })),
        },
      });
      assert.equal(response.status, 201, response.text);
    };
    const present = async (documentNumber: string, as: string, mrn: string) => {
      const reference = { mrn, transportDocumentHouseLevel: { documentNumber, type: 'N740' } };
      assert.equal((await playground.present('house-consignment', as, reference)).status, 202);
    };
    const decide = async (documentNumber: string, mrn: string, routing: string) => {
      const response = await playground.post(`${AUTHORITY}/routing-decisions`, 'authority', [
        { mrn, transportDocumentHouseLevel: { documentNumber, type: 'N740' }, routing },
      ]);
      assert.equal(response.status, 200, response.text);
    };
    const lastSignal = async (as: string, documentNumber: string) => {
      const { body } = await playground.get(SIGNALS, as);
      // The cast is true because the response was checked against openapi.json.
      const signals = (body as RoutingSignal[]).filter(
        (signal) => signal.transportDocumentHouseLevel.documentNumber === documentNumber,
      );
      return signals.at(-1)?.routingResult;
    };

    test('each reason follows what happens to the goods, and each party has its own', async () => {
      const mrn = '26NO00000000000EX1';
      assert.equal(await codeFor('EX1', 'forwarder'), 'NOT_PRE_NOTIFIED_OR_NOT_YOURS');
      await register(mrn, 'EX1');
      assert.equal(await codeFor('EX1', 'forwarder'), 'NOT_PRESENTED');
      assert.equal(await codeFor('EX1', 'carrier'), 'NOT_PRE_NOTIFIED_OR_NOT_YOURS');
      await present('EX1', 'forwarder', mrn);
      assert.equal(await codeFor(' ex 1', 'forwarder'), 'NOT_DECIDED');
      assert.equal(await codeFor('EX1', 'carrier'), 'NOT_PRE_NOTIFIED_OR_NOT_YOURS');

      await decide('EX1', mrn, 'TO_CONTROL');
      await present('EX1', 'carrier', mrn);
      const expected = [
        ['forwarder', 'IN_YOUR_FEED'],
        ['carrier', 'DECIDED_BEFORE_YOU'],
      ] as const;
      for (const [as, code] of expected) {
        const explained = await explain('EX1', as, mrn);
        const signal = await lastSignal(as, 'EX1');
        assert.equal(explained.code, code);
        assert.equal(explained.marker, signal?.id);
        assert.equal(explained.documentIssueDate, signal?.documentIssueDate);
        // What the action says.
        const since = await playground.get(`${SIGNALS}?since=${explained.documentIssueDate}`, as);
        assert(since.text.includes(explained.marker ?? '-'), since.text);
      }
      await decide('EX1', mrn, 'TO_ENTRY');
      const changed = await explain('EX1', 'carrier');
      assert.equal(changed.code, 'IN_YOUR_FEED');
      assert.equal(changed.marker, (await lastSignal('carrier', 'EX1'))?.id);
    });

    test('several with one document need the MRN; those of others do not count', async () => {
      const [one, other] = ['26NO00000000000EX2', '26NO00000000000EX3'];
      await register(one, 'EX2');
      await register(other, 'EX2');
      const several = await ask({ documentNumber: 'EX2', type: 'N740' }, 'forwarder');
      assert.equal(several.status, 400);
      const { validationErrors } = several.body as { validationErrors: object[] };
      assert.deepEqual(validationErrors, [
        {
          field: 'mrn',
          error: 'is required: this organisation has several house consignments with this document',
          code: 'REFERENCE_AMBIGUOUS',
        },
      ]);
      assert.equal(await codeFor('EX2', 'forwarder', other), 'NOT_PRESENTED');
      const known = { documentNumber: 'EX2', mrn: other };
      assert.equal((await ask(known, 'forwarder')).status, 200, 'without a type');
      const otherType = await ask({ ...known, type: 'N703' }, 'forwarder');
      assert.match(otherType.text, /NOT_PRE_NOTIFIED_OR_NOT_YOURS/);
      await present('EX2', 'carrier', other);
      assert.equal(await codeFor('EX2', 'carrier'), 'NOT_DECIDED');
      assert.equal(await codeFor('EX2', 'carrier', one), 'NOT_PRE_NOTIFIED_OR_NOT_YOURS');
    });

    test('a number is required, and the caller presents', async () => {
      const empty = await ask({}, 'carrier');
      assert.equal(empty.status, 400);
      const { validationErrors } = empty.body as { validationErrors: { field: string }[] };
      assert.deepEqual(
        validationErrors.map(({ field }) => field),
        ['documentNumber'],
      );
      const known = { documentNumber: 'EX1', type: 'N740' };
      assert.equal((await ask({ ...known, mrn: 'EX' }, 'carrier')).status, 400);
      assert.equal((await ask({ ...known, type: 'X' }, 'carrier')).status, 400);
      assert.equal((await ask(known, 'statistics')).status, 403);
    });
  });
}
