// What was lodged and decided is kept: withdrawn goods come back as the same, with their decisions, and nobody overrides
// a decision that stands above.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type {
  DecisionOrigin,
  HouseConsignment,
  HouseConsignmentEvent,
  KeptDecision,
  RoutingDecision,
} from '@landfall/contract';
import { FeedWatch } from '../feed/watch-feeds.js';
import { DecisionCommits } from '../routing/commit-decisions.js';
import { postRoutingDecisions } from '../routing/post-routing-decisions.js';
import { drawnDatabases } from '../testing/databases.js';
import { DECLARATIONS, declaration, house, TestRegistry } from '../testing/registry-client.js';

const GOODS = '/api/authority/v1/house-consignments';
const PROFILES = '/api/authority/v1/routing-profiles';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`the kept record on ${name}`, { skip }, () => {
    let registry: TestRegistry;
    let watch: FeedWatch;
    let commits: DecisionCommits;

    before(async () => {
      registry = await TestRegistry.start(await open());
      watch = new FeedWatch(registry.database);
      commits = new DecisionCommits(registry.database, watch);
    });
    after(async () => {
      await watch.close();
      await registry.close();
    });

    const get = async <Body>(path: string) => {
      const response = await registry.playground.get(path, 'authority');
      assert.equal(response.status, 200, response.text);
      // The cast is true because the response was checked against openapi.json.
      return response.body as Body;
    };
    const find = (mrn: string, filter = '') =>
      get<HouseConsignment[]>(`${GOODS}?mrn=${mrn}${filter}`);
    const findOne = async (mrn: string) => {
      const [found] = await find(mrn);
      assert(found !== undefined);
      return found;
    };
    const decisionsOf = ({ id }: HouseConsignment) =>
      get<KeptDecision[]>(`${GOODS}/${id}/decisions`);
    const short = ({ number, origin, routing, takesEffect }: KeptDecision) =>
      `${number} ${origin} ${routing}${takesEffect ? '' : ' (no effect)'}`;

    const decide = async (
      origin: DecisionOrigin,
      mrn: string,
      decision: Omit<RoutingDecision, 'mrn' | 'transportDocumentHouseLevel'>,
      documentNumber = 'H1',
    ) => {
      const [outcome] = await postRoutingDecisions(
        commits,
        [{ decision: { mrn, ...house(documentNumber), ...decision } }],
        {
          at: new Date(),
          origin,
          organisationId: 1,
          organisation: '0192:310000043',
          clientId: origin.toLowerCase(),
          requestId: randomUUID(),
        },
      );
      return outcome;
    };
    const put = async (mrn: string, ...houses: Parameters<typeof declaration>[0]) => {
      const response = await registry.put(mrn, declaration(houses));
      assert(response.status < 300, response.text);
      return response;
    };
    const uploadLines = async (lines: readonly object[]) => {
      const { text } = await registry.playground.call(DECLARATIONS, {
        as: 'authority',
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson' },
        raw: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
      });
      return text;
    };
    const TIP = { routing: 'TO_CONTROL', reason: 'tip from the police' } as const;

    test('the same lines sent again keep the ids and the decisions of everything', async () => {
      const mrn = registry.nextMrn();
      const lines = [
        { mrn, ...declaration([house('A1')]) },
        { mrn, houseConsignment: house('H1') },
      ];
      const upload = () => uploadLines(lines);
      await upload();
      await decide('OFFICER', mrn, TIP);
      const before = await find(mrn);
      const again = await upload();
      assert.match(again, /"status":"REGISTERED"/);
      const after = await find(mrn);
      assert.deepEqual(
        after.map(({ id, routing }) => [id, routing]),
        before.map(({ id, routing }) => [id, routing]),
      );
      assert.equal(after.find(({ routing }) => routing === 'TO_CONTROL')?.decision?.number, 1);
    });

    test('a line that is removed and sent again has its decisions, and its history says everything', async () => {
      const mrn = registry.nextMrn();
      await put(mrn, house('H1'), house('H2'));
      await decide('OFFICER', mrn, TIP);
      const { id } = await findOne(mrn);
      await put(mrn, house('H2'));
      assert.deepEqual(
        (await find(mrn)).map((each) => each.transportDocumentHouseLevel.documentNumber),
        ['H2'],
      );
      assert.equal((await decide('ENGINE', mrn, { routing: 'TO_ENTRY' }))?.status, 'REFUSED');
      assert.equal((await registry.present('H1', mrn)).status, 400);
      const [withdrawn] = await find(mrn, '&state=WITHDRAWN');
      assert.equal(withdrawn?.id, id);
      assert.equal(withdrawn.state, 'WITHDRAWN');
      assert.equal(withdrawn.withdrawn?.by, '0192:310000043');
      assert.deepEqual(await get(`${GOODS}/${id}`), withdrawn);
      assert.deepEqual((await decisionsOf(withdrawn)).map(short), ['1 OFFICER TO_CONTROL']);

      await put(mrn, house('H1', { routing: 'TO_ENTRY' }), house('H2'));
      const back = await findOne(mrn);
      assert.deepEqual([back.id, back.routing], [id, 'TO_CONTROL']);
      assert.equal(back.difference?.routing, 'TO_ENTRY');
      assert.deepEqual(await find(mrn, '&state=WITHDRAWN'), []);
      assert.deepEqual((await decisionsOf(back)).map(short), [
        '1 OFFICER TO_CONTROL',
        '2 REGISTRATION TO_ENTRY (no effect)',
      ]);
      const history = await get<HouseConsignmentEvent[]>(`${GOODS}/${id}/history`);
      assert.deepEqual(
        history.map(({ event }) => event),
        ['PRE_NOTIFIED', 'DECIDED', 'WITHDRAWN', 'RETURNED', 'DECIDED'],
      );
      assert.equal(history[1]?.details?.reason, TIP.reason);
    });

    test('a withdrawn declaration is the same when it is sent again', async () => {
      const mrn = registry.nextMrn();
      await put(mrn, house('H1', { containerId: ['JARU0000010'] }));
      await decide('OFFICER', mrn, TIP);
      const { id } = await findOne(mrn);
      assert.equal((await registry.withdraw(mrn)).status, 200);
      assert.equal((await registry.withdraw(mrn)).status, 404);
      assert.equal((await registry.get(mrn)).status, 404);
      const presented = await registry.playground.present(
        'entry-summary-declaration',
        'forwarder',
        { mrn },
      );
      assert.equal(presented.status, 400);
      const refused = await uploadLines([{ mrn, houseConsignment: house('H9') }]);
      assert.match(refused, /REFERENCE_NOT_FOUND/);
      const [found] = await find(mrn, '&state=WITHDRAWN&containerId=JARU0000010');
      assert.equal(found?.id, id);

      assert.equal((await put(mrn, house('H1'))).status, 201);
      const back = await findOne(mrn);
      assert.deepEqual([back.id, back.routing], [id, 'TO_CONTROL']);
    });

    test('a registration replaces what a registration decided, and nothing that stands above', async () => {
      const mrn = registry.nextMrn();
      await put(mrn, house('H1', { routing: 'TO_ENTRY' }));
      await put(mrn, house('H1', { routing: 'TO_CONTROL', routingControlLocation: 'ON_ENTRY' }));
      await put(mrn, house('H1'));
      assert.equal((await findOne(mrn)).routing, undefined);
      await put(mrn, house('H1', { routing: 'TO_ENTRY' }));
      await decide('ENGINE', mrn, { routing: 'TO_CONTROL' });
      await put(mrn, house('H1'));
      await put(mrn, house('H1', { routing: 'TO_ENTRY' }));
      const found = await findOne(mrn);
      assert.equal(found.routing, 'TO_CONTROL');
      assert.equal(found.difference?.number, 6);
      assert.deepEqual((await decisionsOf(found)).map(short), [
        '1 REGISTRATION TO_ENTRY',
        '2 REGISTRATION TO_CONTROL',
        '3 REGISTRATION UNDECIDED',
        '4 REGISTRATION TO_ENTRY',
        '5 ENGINE TO_CONTROL',
        '6 REGISTRATION TO_ENTRY (no effect)',
      ]);
      // The next decision settles the difference.
      await decide('OFFICER', mrn, { routing: 'TO_CONTROL' });
      assert.equal((await findOne(mrn)).difference, undefined);
    });

    test('a retry undoes nothing, and a confirmation protects', async () => {
      const mrn = registry.nextMrn();
      await put(mrn, house('H1'));
      const engine = { routing: 'TO_ENTRY', decisionId: randomUUID() } as const;
      const first = await decide('ENGINE', mrn, engine);
      assert.deepEqual([first?.status, first?.number], ['DECIDED', 1]);
      await decide('OFFICER', mrn, TIP);
      const again = await decide('ENGINE', mrn, engine);
      assert.deepEqual(again, { ...first, status: 'REPEATED' });
      const without = await decide('ENGINE', mrn, { routing: 'TO_ENTRY' });
      assert.equal(without?.status, 'CONFLICT');
      assert.deepEqual(
        [without?.current?.number, without?.current?.origin, without?.current?.routing],
        [2, 'OFFICER', 'TO_CONTROL'],
      );
      assert.equal((await findOne(mrn)).routing, 'TO_CONTROL');
      const seen = await decide('ENGINE', mrn, { routing: 'TO_ENTRY', expected: 2 });
      assert.equal(seen?.status, 'DECIDED');
      const confirmed = await decide('OFFICER', mrn, {
        routing: 'TO_ENTRY',
        reason: 'as I see it',
      });
      assert.deepEqual([confirmed?.status, confirmed?.number], ['UNCHANGED', 4]);
      assert.equal((await decide('ENGINE', mrn, { routing: 'TO_CONTROL' }))?.status, 'CONFLICT');
      const other = { ...engine, routing: 'TO_CONTROL' } as const;
      assert.equal(
        (await decide('ENGINE', mrn, other))?.validationErrors?.[0]?.code,
        'DECISION_ID_REUSED',
      );
    });

    test('what an officer or an engine has taken back waits for them, and a registration is only recorded', async () => {
      for (const origin of ['OFFICER', 'ENGINE'] as const) {
        const mrn = registry.nextMrn();
        await put(mrn, house('H1'));
        await decide(origin, mrn, { routing: 'TO_ENTRY' });
        await decide(origin, mrn, { routing: 'UNDECIDED', reason: 'hold on' });
        await put(mrn, house('H1', { routing: 'TO_ENTRY' }));
        const found = await findOne(mrn);
        assert.deepEqual([found.routing, found.difference?.routing], [undefined, 'TO_ENTRY']);
        assert.deepEqual((await decisionsOf(found)).map(short), [
          `1 ${origin} TO_ENTRY`,
          `2 ${origin} UNDECIDED`,
          '3 REGISTRATION TO_ENTRY (no effect)',
        ]);
        assert.equal((await decide('ENGINE', mrn, { routing: 'TO_CONTROL' }))?.status, 'DECIDED');
      }
    });

    test('a confirmation by an engine is found again by its decisionId, and replaces nothing, whatever was decided since', async () => {
      const mrn = registry.nextMrn();
      await put(mrn, house('H1'));
      await decide('OFFICER', mrn, { routing: 'TO_ENTRY', reason: 'ok' });
      const engine = { routing: 'TO_ENTRY', decisionId: randomUUID() } as const;
      const first = await decide('ENGINE', mrn, engine);
      assert.deepEqual([first?.status, first?.number], ['UNCHANGED', 2]);
      assert.equal((await decide('ENGINE', mrn, { routing: 'TO_CONTROL' }))?.status, 'CONFLICT');
      await decide('OFFICER', mrn, { routing: 'UNDECIDED', reason: 'hold on' });
      assert.deepEqual(await decide('ENGINE', mrn, engine), { ...first, status: 'REPEATED' });
      const found = await findOne(mrn);
      assert.equal(found.routing, undefined);
      assert.deepEqual((await decisionsOf(found)).map(short), [
        '1 OFFICER TO_ENTRY',
        '2 ENGINE TO_ENTRY (no effect)',
        '3 OFFICER UNDECIDED',
      ]);
    });

    test('decisions are found by who made them, when and why, page by page, as JSON and as lines', async () => {
      const mrn = registry.nextMrn();
      const from = new Date().toISOString();
      await put(mrn, house('H1'), house('H2', { routing: 'TO_ENTRY' }));
      for (const reason of ['Tip A', 'tip b', 'none']) {
        await decide('OFFICER', mrn, { routing: 'TO_CONTROL', reason });
      }
      await decide('ENGINE', mrn, { routing: 'TO_CONTROL' }, 'H2');
      const list = (filter: string) =>
        get<KeptDecision[]>(`/api/authority/v1/routing-decisions?from=${from}${filter}`);
      const all = await list('');
      assert.deepEqual(all.map(short).sort(), [
        '1 OFFICER TO_CONTROL',
        '1 REGISTRATION TO_ENTRY',
        '2 ENGINE TO_CONTROL',
        '2 OFFICER TO_CONTROL',
        '3 OFFICER TO_CONTROL',
      ]);
      const reasons = (await list('&reason=TIP&origin=OFFICER')).map(({ reason }) => reason);
      assert.deepEqual(reasons, ['Tip A', 'tip b']);
      assert.equal((await list('&client=engine')).length, 1);
      assert.equal((await list('&decidedBy=0192:999999999')).length, 0);
      assert.equal((await list(`&to=${from}`)).length, 0);

      const paged: string[] = [];
      let path = `/api/authority/v1/routing-decisions?from=${from}&limit=2`;
      for (let pages = 0; path !== ''; pages++) {
        assert(pages < 5);
        const page = await registry.playground.call(path, {
          as: 'authority',
          headers: { accept: 'application/x-ndjson' },
        });
        paged.push(...page.text.split('\n').filter((line) => line !== ''));
        const next = /<[^>]*?(\/api[^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '');
        path = next?.[1] ?? '';
      }
      assert.deepEqual(
        paged.map((line) => JSON.parse(line)),
        all,
      );
      const unknown = await registry.playground.get(
        `/api/authority/v1/routing-decisions?marker=${randomUUID()}.1`,
        'authority',
      );
      assert.match(unknown.text, /UNKNOWN_MARKER/);
    });

    test('presented goods wait for a decision again, and what may be released does not', async () => {
      const mrn = registry.nextMrn();
      await put(mrn, house('H1', { routing: 'TO_CONTROL' }), house('H2', { routing: 'TO_ENTRY' }));
      await registry.present('H1', mrn);
      await registry.present('H2', mrn);
      const reopen = { routing: 'UNDECIDED', reason: 'other goods were meant' } as const;
      assert.equal((await decide('OFFICER', mrn, reopen))?.status, 'DECIDED');
      assert.equal((await findOne(mrn)).state, 'PRESENTED');
      const undecided = await get<{ houseConsignment: HouseConsignment }[]>(
        '/api/authority/v1/undecided-arrivals?limit=1000',
      );
      assert.match(JSON.stringify(undecided), new RegExp(mrn));
      assert.equal((await decide('ENGINE', mrn, { routing: 'TO_ENTRY' }))?.status, 'DECIDED');
      const released = await decide('OFFICER', mrn, reopen, 'H2');
      assert.equal(released?.validationErrors?.[0]?.code, 'RELEASED');
    });

    test('a profile decides again when the facts that its rules name change', async () => {
      const profile = {
        salt: 'facts',
        rules: [
          { name: 'shoes', when: { harmonizedSystemChapter: ['64'] }, routing: 'TO_ENTRY' },
          {
            name: 'alcohol and Oslo',
            when: { harmonizedSystemChapter: ['22'] },
            routing: 'TO_CONTROL',
          },
          {
            name: 'from the United States',
            when: { originCountry: ['US'] },
            routing: 'TO_CONTROL',
          },
          {
            name: 'office',
            when: { customsOfficeOfFirstEntry: ['NO361001'] },
            routing: 'TO_CONTROL',
          },
        ],
      };
      const call = (path: string, method: string, body?: unknown) =>
        registry.playground.call(path, { as: 'authority', method, body });
      assert.equal((await call(`${PROFILES}/facts`, 'PUT', profile)).status, 200);
      await call('/api/authority/v1/live-routing-profile', 'PUT', { name: 'facts', version: 1 });
      const mrn = registry.nextMrn();
      const of = (...codes: string[]) => house('H1', { harmonizedSystemSubheadingCode: codes });
      await put(mrn, of('640399'));
      assert.equal((await findOne(mrn)).routing, 'TO_ENTRY');
      await put(mrn, of('220421'));
      assert.equal((await findOne(mrn)).routing, 'TO_CONTROL');
      await put(mrn, of('010121'));
      assert.equal((await findOne(mrn)).routing, undefined);
      // A fact of the declaration.
      const other = { customsOfficeOfFirstEntry: 'NO361001' };
      await registry.put(mrn, declaration([of('010121')], other));
      assert.equal((await findOne(mrn)).routing, 'TO_CONTROL');
      // What an officer has decided stays.
      await decide('OFFICER', mrn, { routing: 'TO_ENTRY' });
      await registry.put(mrn, declaration([of('220421')], other));
      const found = await findOne(mrn);
      assert.equal(found.routing, 'TO_ENTRY');
      assert.deepEqual((await decisionsOf(found)).map(short), [
        '1 PROFILE TO_ENTRY',
        '2 PROFILE TO_CONTROL',
        '3 PROFILE UNDECIDED',
        '4 PROFILE TO_CONTROL',
        '5 OFFICER TO_ENTRY',
      ]);
      for (const documentNumber of ['RR123456785US', 'rr123456785us', 'RR 1234 5678 5 US']) {
        const postal = registry.nextMrn();
        await put(postal, { transportDocumentHouseLevel: { documentNumber, type: 'N750' } });
        assert.equal((await findOne(postal)).routing, 'TO_CONTROL', documentNumber);
      }
      await call('/api/authority/v1/live-routing-profile', 'DELETE');
    });
  });
}
