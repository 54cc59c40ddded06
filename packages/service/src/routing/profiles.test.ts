// Routing profiles over HTTP: versions, a dry run, one live, and what it decides of what is undecided.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type {
  AppliedRoutingProfile,
  DryRun,
  HouseConsignment,
  Problem,
  RoutingProfile,
  RoutingSignal,
  StoredRoutingProfile,
} from '@landfall/contract';
import type { Database } from '../database/database.js';
import { checkSignals } from '../testing/check-signals.js';
import { testDatabases } from '../testing/databases.js';
import { TestPlayground } from '../testing/playground-client.js';
import { compileProfile } from './compile-profile.js';

const PROFILES = '/api/authority/v1/routing-profiles';
const LIVE = '/api/authority/v1/live-routing-profile';

const profile: RoutingProfile = {
  salt: 'a',
  rules: [
    {
      name: 'some of the post',
      when: { transportDocumentType: ['N750'] },
      share: 0.5,
      routing: 'TO_CONTROL',
      routingControlLocation: 'ON_ENTRY',
    },
    { name: 'the rest of the post', when: { modeOfTransport: ['5'] }, routing: 'TO_ENTRY' },
    { name: 'air', when: { modeOfTransport: ['4'] }, routing: 'TO_ENTRY' },
  ],
};

for (const { name, skip, open } of await testDatabases()) {
  describe(`profiles on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;

    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database);
      await preNotify('26NO00000000000001');
    });
    after(() => playground.close());

    const send = (method: string, path: string, body?: unknown, as = 'authority') =>
      playground.call(path, { as, method, ...(body !== undefined && { body }) });

    /** 30 house consignments by post and 10 otherwise, without a decision. */
    const preNotify = async (mrn: string) => {
      const houseConsignments = Array.from({ length: 40 }, (_, house) => ({
        transportDocumentHouseLevel: {
          documentNumber: `P${house}`,
          type: house < 30 ? 'N750' : 'N760',
        },
      }));
      const answer = await send('PUT', `/api/authority/v1/entry-summary-declarations/${mrn}`, {
        customsOfficeOfFirstEntry: 'NO351001',
        declarant: '0192:310000019',
        houseConsignments,
      });
      assert.equal(answer.status, 201, answer.text);
    };

    const count = async (what: string) => {
      const text = `select count(*) as rows from ${what}`;
      const [row] = await database.query<{ rows: number }>({ name: '', text, values: [] });
      return row?.rows;
    };

    test('a profile is kept in versions; the same again makes none', async () => {
      const first = await send('PUT', `${PROFILES}/post`, profile);
      assert.equal(first.status, 200, first.text);
      const again = await send('PUT', `${PROFILES}/post`, profile);
      assert.deepEqual(again.body, first.body);
      const second = await send('PUT', `${PROFILES}/post`, { ...profile, salt: 'b' });
      assert.equal((second.body as StoredRoutingProfile).version, 2);
      const all = (await send('GET', PROFILES)).body as StoredRoutingProfile[];
      assert.deepEqual(
        all.map(({ name: called, version, live, salt }) => [called, version, live, salt]),
        [
          ['post', 1, false, 'a'],
          ['post', 2, false, 'b'],
        ],
      );
      assert.equal(await count(`audit_record where entry like '%"routing-profile.put"%'`), 2);
    });

    test('a dry run tells counts and examples beside what stands, and decides nothing', async () => {
      const answer = await send('POST', `${PROFILES}/post/dry-run`, { version: 1 });
      assert.equal(answer.status, 200, answer.text);
      const run = answer.body as DryRun;
      // The playground's own 8 are decided: 2 by post, 2 by air; ships are in no rule.
      assert.equal(run.examined, 48);
      assert.equal(run.undecided, 10 + 4);
      const [some, rest, air] = run.rules;
      assert(some && rest && air);
      assert.equal(some.held, 32);
      assert.equal(rest.held, some.held - some.decided);
      assert(some.decided > 0 && rest.decided > 0);
      assert.equal(some.decided + rest.decided, 32);
      assert.equal(air.decided, 2);
      const { same, otherwise, new: undecided } = run.comparison;
      assert.equal(undecided, 30);
      assert.equal(same + otherwise, 4);
      assert.equal(some.examples.length, 5);
      assert.deepEqual(
        (await send('POST', `${PROFILES}/post/dry-run`, { version: 1 })).body,
        run,
        'it is the same again',
      );
      const few = await send('POST', `${PROFILES}/post/dry-run`, { limit: 7 });
      assert.equal((few.body as DryRun).examined, 7);
      assert.equal(await count('routing_decision'), 0);
    });

    test('one version is live; applying it decides what is undecided, and tells those who presented', async () => {
      const undecided = `${LIVE}/apply`;
      assert.equal((await send('POST', undecided)).status, 404);
      await send('PUT', LIVE, { name: 'post', version: 1 });
      await send('PUT', LIVE, { name: 'post', version: 1 });
      const live = await send('PUT', LIVE, { name: 'post', version: 2 });
      assert.equal((live.body as StoredRoutingProfile).live, true);
      assert.equal(await count('routing_profile where live_since is not null'), 1);
      assert.equal(await count(`audit_record where entry like '%"routing-profile.activate"%'`), 2);

      await playground.present('entry-summary-declaration', 'forwarder', {
        mrn: '26NO00000000000001',
      });
      let applied: AppliedRoutingProfile | undefined;
      let decided = 0;
      let signals = 0;
      do {
        const marker = applied?.marker === undefined ? '' : `&marker=${applied.marker}`;
        const answer = await send('POST', `${undecided}?limit=7${marker}`);
        assert.equal(answer.status, 200, answer.text);
        applied = answer.body as AppliedRoutingProfile;
        assert(applied.examined <= 7);
        decided += applied.decided;
        signals += applied.signals;
      } while (applied.marker !== undefined);
      assert.equal(decided, 30);
      assert.equal(signals, 60);
      const read = await playground.get('/api/movement/routing/v1/house-consignment', 'forwarder');
      assert.equal((read.body as RoutingSignal[]).length, 30);
      assert.equal(
        await count(`routing_decision where profile = 'post' and profile_version = 2
          and profile_rule = case routing when 'TO_CONTROL' then 1 else 2 end`),
        30,
      );
      assert.deepEqual(await checkSignals(database), []);
      const again = (await send('POST', undecided)).body as AppliedRoutingProfile;
      assert.deepEqual([again.examined, again.decided], [10, 0]);
    });

    test('what is pre-notified while it is live is decided at once, unless it came with a decision', async () => {
      const mrn = '26NO00000000000002';
      await preNotify(mrn);
      const decided = await database.query<{ rule: number; id: string; routing: string }>({
        name: '',
        text: `select h.id, h.routing, d.profile_rule as rule
          from house_consignment h join entry_summary_declaration e on e.id = h.ens_id
          join routing_decision d on d.house_consignment_id = h.id and d.number = 1
          where e.mrn = $1 and d.profile = 'post' and d.profile_version = 2 and h.routing = d.routing
            and h.registered_routing is null`,
        values: [mrn],
      });
      assert.equal(decided.length, 30);
      const compiled = compileProfile({ ...profile, salt: 'b' });
      for (const { id, rule } of decided) {
        const facts = {
          customsOfficeOfFirstEntry: 'NO351001',
          documentNumber: '',
          documentType: 'N750' as const,
        };
        assert.equal(compiled.decide(id, facts)?.rule, rule, 'it can be checked again by the id');
      }
      const path = `/api/authority/v1/entry-summary-declarations/26NO00000000000003`;
      const put = {
        customsOfficeOfFirstEntry: 'NO351001',
        declarant: '0192:310000019',
        houseConsignments: [
          {
            transportDocumentHouseLevel: { documentNumber: 'BEFOREHAND', type: 'N740' },
            routing: 'TO_CONTROL',
          },
        ],
      };
      assert.equal((await send('PUT', path, put)).status, 201);
      const read = (await send('GET', path)).body as typeof put;
      assert.equal(read.houseConsignments[0]?.routing, 'TO_CONTROL');
      const again = await send(
        'PUT',
        '/api/authority/v1/entry-summary-declarations/26NO00000000000002',
        {
          customsOfficeOfFirstEntry: 'NO351001',
          declarant: '0192:310000019',
          houseConsignments: [],
        },
      );
      assert.equal(
        (again.body as { houseConsignments: { removed: number } }).houseConsignments.removed,
        40,
      );
    });

    test('none is live once it is taken off, and what it decided stands', async () => {
      assert.equal((await send('DELETE', LIVE)).status, 204);
      assert.equal((await send('DELETE', LIVE)).status, 204);
      assert.equal((await send('POST', `${LIVE}/apply`)).status, 404);
      assert.equal(await count('routing_decision'), 30);
      assert.equal(
        await count(`audit_record where entry like '%"routing-profile.deactivate"%'`),
        1,
      );
    });

    test('a chapter is gone by in a dry run, when goods are pre-notified, and when it is applied', async () => {
      const declarations = '/api/authority/v1/entry-summary-declarations';
      const codes = [['640399', '240220'], ['030214'], [], undefined];
      const declare = async (mrn: string) => {
        const answer = await send('PUT', `${declarations}/${mrn}`, {
          customsOfficeOfFirstEntry: 'NO351001',
          declarant: '0192:310000019',
          houseConsignments: codes.map((harmonizedSystemSubheadingCode, house) => ({
            transportDocumentHouseLevel: { documentNumber: `HS${house}`, type: 'N740' },
            harmonizedSystemSubheadingCode,
          })),
        });
        assert.equal(answer.status, 201, answer.text);
      };
      const decided = async (mrn: string) => {
        const answer = await send('GET', `/api/authority/v1/house-consignments?mrn=${mrn}`);
        return (answer.body as HouseConsignment[])
          .filter(({ routing }) => routing !== undefined)
          .map(
            ({ transportDocumentHouseLevel: { documentNumber }, routing }) =>
              `${documentNumber} ${routing}`,
          );
      };
      const [before, after] = ['26NO00000000000004', '26NO00000000000005'];
      await declare(before);
      assert.deepEqual(await decided(before), []);

      const tobacco: RoutingProfile = {
        salt: 'a',
        rules: [
          {
            name: 'spirits and tobacco',
            when: { harmonizedSystemChapter: ['22', '24'] },
            routing: 'TO_CONTROL',
          },
        ],
      };
      const put = await send('PUT', `${PROFILES}/tobacco`, tobacco);
      assert.equal(put.status, 200, put.text);
      const tried = await send('POST', `${PROFILES}/tobacco/dry-run`, { limit: codes.length });
      const run = tried.body as DryRun;
      assert.deepEqual([run.rules[0]?.held, run.undecided, run.comparison.new], [1, 3, 1]);
      const [example] = run.rules[0]?.examples ?? [];
      assert.equal(example?.transportDocumentHouseLevel.documentNumber, 'HS0');

      await send('PUT', LIVE, { name: 'tobacco', version: 1 });
      await declare(after);
      assert.deepEqual(await decided(after), ['HS0 TO_CONTROL']);
      const applied = (await send('POST', `${LIVE}/apply`)).body as AppliedRoutingProfile;
      assert.equal(applied.decided, 1);
      assert.deepEqual(await decided(before), ['HS0 TO_CONTROL']);

      const unknown = await send('PUT', `${PROFILES}/tobacco`, {
        ...tobacco,
        rules: [{ ...tobacco.rules[0], when: { harmonizedSystemChapter: ['240220'] } }],
      });
      assert.equal(unknown.status, 400);
      assert.deepEqual((unknown.body as Problem).validationErrors, [
        {
          field: 'rules.0.when.harmonizedSystemChapter.0',
          error: 'must be a chapter of the Harmonized System, 01 to 99',
          code: 'FORMAT',
        },
      ]);
    });

    test('what is not there, not allowed or not a profile is refused', async () => {
      for (const [method, path, body, status] of [
        ['PUT', `${PROFILES}/Post`, profile, 400],
        ['PUT', `${PROFILES}/post`, { ...profile, rules: [] }, 400],
        ['PUT', `${PROFILES}/post`, [], 400],
        ['POST', `${PROFILES}/none/dry-run`, {}, 404],
        ['POST', `${PROFILES}/post/dry-run`, { version: 9 }, 404],
        ['POST', `${PROFILES}/post/dry-run`, { limit: 0 }, 400],
        ['PUT', LIVE, { name: 'post', version: 9 }, 404],
        ['PUT', LIVE, { name: 'post' }, 400],
        ['POST', `${LIVE}/apply?limit=x`, undefined, 400],
        ['GET', LIVE, undefined, 405],
      ] as const) {
        const answer = await send(method, path, body);
        assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`);
      }
      assert.equal((await send('GET', PROFILES, undefined, 'carrier')).status, 403);
    });

    test('when several put and activate at once, versions have no gap and one is live', async () => {
      const puts = await Promise.all(
        Array.from({ length: 6 }, (_, salt) =>
          send('PUT', `${PROFILES}/raced`, { ...profile, salt: `salt ${salt}` }),
        ),
      );
      const versions = puts.map(({ body }) => (body as StoredRoutingProfile).version);
      assert.deepEqual(versions.sort(), [1, 2, 3, 4, 5, 6]);
      const answers = await Promise.all(
        versions.map((version) => send('PUT', LIVE, { name: 'raced', version })),
      );
      assert(answers.every(({ status }) => status === 200));
      assert.equal(await count('routing_profile where live_since is not null'), 1);
    });
  });
}
