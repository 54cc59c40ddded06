// Routing profiles over HTTP: versions, dry runs, activation, and decisions for undecided house consignments.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type {
  AppliedRoutingProfile,
  DryRun,
  RoutingProfile,
  RoutingSignal,
  StoredRoutingProfile,
} from '@landfall/contract';
import type { Database } from '../database/database.js';
import { checkSignals } from '../testing/check-signals.js';
import { drawnDatabases } from '../testing/databases.js';
import { signInAsAuthority } from '../testing/officer-session.js';
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

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
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
      const response = await send('PUT', `/api/authority/v1/entry-summary-declarations/${mrn}`, {
        customsOfficeOfFirstEntry: 'NO351001',
        declarant: '0192:310000019',
        houseConsignments,
      });
      assert.equal(response.status, 201, response.text);
    };

    const count = async (what: string) => {
      const text = `select count(*) as rows from ${what}`;
      const [row] = await database.query<{ rows: number }>({ name: '', text, values: [] });
      return row?.rows;
    };

    test('a changed profile is a new version; an unchanged one is not', async () => {
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

    test('a dry run returns counts and examples in comparison with current decisions, and decides nothing', async () => {
      const response = await send('POST', `${PROFILES}/post/dry-run`, { version: 1 });
      assert.equal(response.status, 200, response.text);
      const run = response.body as DryRun;
      // The 8 of the playground are decided, 2 by post and 2 by air. No rule includes ships.
      assert.equal(run.examined, 48);
      assert.equal(run.undecided, 10 + 4);
      const [some, rest, air] = run.rules;
      assert(some && rest && air);
      assert.equal(some.held, 32);
      assert.equal(some.reached, 48);
      assert.deepEqual(some.conditions, [{ condition: 'transportDocumentType', held: 32 }]);
      assert.equal(rest.reached, 48 - some.decided);
      assert.deepEqual(rest.conditions, [{ condition: 'modeOfTransport', held: rest.held }]);
      assert.equal(air.reached, rest.reached - rest.decided);
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
        'a repeated dry run has the same result',
      );
      const few = await send('POST', `${PROFILES}/post/dry-run`, { limit: 7 });
      assert.equal((few.body as DryRun).examined, 7);
      assert.equal(await count(`routing_decision where origin = 'PROFILE'`), 0);
    });

    test('one version is live; applying it decides undecided house consignments and issues signals to presenters', async () => {
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
        const response = await send('POST', `${undecided}?limit=7${marker}`);
        assert.equal(response.status, 200, response.text);
        applied = response.body as AppliedRoutingProfile;
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

    test('house consignments that are pre-notified while it is live are decided at once, unless they have a decision', async () => {
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
        assert.equal(
          compiled.decide(id, facts)?.rule,
          rule,
          'the decision can be verified by the id',
        );
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

    test('what an officer or a system has taken back waits for them, also when it is applied', async () => {
      const mrn = '26NO00000000000099';
      const document = (number: number) => ({
        mrn,
        transportDocumentHouseLevel: { documentNumber: `P${number}`, type: 'N750' },
      });
      await send('DELETE', LIVE);
      await preNotify(mrn);
      const headers = await signInAsAuthority(playground);
      for (const routing of ['TO_CONTROL', 'UNDECIDED']) {
        const body = JSON.stringify([{ ...document(0), routing, reason: 'a tip' }]);
        const url = `${playground.playground.baseUrl}/console/api/api/authority/v1/routing-decisions`;
        const response = await fetch(url, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body,
        });
        assert.match(await response.text(), /"DECIDED"/);
        await playground.post('/api/authority/v1/routing-decisions', 'authority', [
          { ...document(1), routing, reason: 'a list' },
        ]);
      }
      await send('PUT', LIVE, { name: 'post', version: 2 });
      let marker: string | undefined = '00000000-0000-0000-0000-000000000000';
      while (marker !== undefined) {
        const response = await send('POST', `${LIVE}/apply?marker=${marker}`);
        marker = (response.body as AppliedRoutingProfile).marker;
      }
      const goods = `(select h.* from house_consignment h join entry_summary_declaration e on e.id = ens_id
        where e.mrn = '${mrn}' and document_type = 'N750') goods`;
      assert.equal(await count(`${goods} where routing is not null`), 28);
      assert.equal(
        await count(`${goods} where routing is null and document_number in ('P0', 'P1')`),
        2,
      );
    });

    test('applying it to few reads few, however many are decided before the next one', async () => {
      const decided = 25_000;
      const text = `
        insert into house_consignment (id, ens_id, document_number, document_type, signal_head, routing)
        select ('aaaaaaaa-aaaa-7aaa-8aaa-' || lpad(to_hex(number), 12, '0'))::uuid, ens_id, 'DECIDED-' || number, 'N750',
          signal_head, case when number <= ${decided} then 'TO_ENTRY' end
        from generate_series(1, ${decided} + 1) number
        cross join (select ens_id, signal_head from house_consignment order by id desc limit 1) one`;
      await database.query({ name: '', text, values: [] });
      const applied: AppliedRoutingProfile[] = [];
      let marker: string | undefined = 'aaaaaaaa-aaaa-7aaa-8aaa-000000000000';
      do {
        const { body } = await send('POST', `${LIVE}/apply?limit=1&marker=${marker}`);
        applied.push(body as AppliedRoutingProfile);
        marker = applied.at(-1)?.marker;
      } while (marker !== undefined);
      assert.deepEqual(
        applied.map(({ examined }) => examined),
        [0, 0, 1, 0],
      );
      const added = {
        name: '',
        text: `delete from house_consignment where id > 'aaaaaaaa-aaaa-7aaa-8aaa-000000000000'`,
        values: [],
      };
      await database.query(added);
    });

    test('after deactivation no version is live, and its decisions remain', async () => {
      assert.equal((await send('DELETE', LIVE)).status, 204);
      assert.equal((await send('DELETE', LIVE)).status, 204);
      assert.equal((await send('POST', `${LIVE}/apply`)).status, 404);
      // 30 of applying it, 30 of the registration, 28 beside two that were taken back, and the one after many.
      assert.equal(await count(`routing_decision where origin = 'PROFILE'`), 89);
      assert.equal(
        await count(`audit_record where entry like '%"routing-profile.deactivate"%'`),
        2,
      );
    });

    test('requests for missing profiles, invalid profiles and callers without the scope are refused', async () => {
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
        const response = await send(method, path, body);
        assert.equal(response.status, status, `${method} ${path}: ${response.text}`);
      }
      assert.equal((await send('GET', PROFILES, undefined, 'carrier')).status, 403);
    });

    test('with concurrent changes and activations, versions have no gap and one is live', async () => {
      const puts = await Promise.all(
        Array.from({ length: 6 }, (_, salt) =>
          send('PUT', `${PROFILES}/raced`, { ...profile, salt: `salt ${salt}` }),
        ),
      );
      const versions = puts.map(({ body }) => (body as StoredRoutingProfile).version);
      assert.deepEqual(versions.sort(), [1, 2, 3, 4, 5, 6]);
      const responses = await Promise.all(
        versions.map((version) => send('PUT', LIVE, { name: 'raced', version })),
      );
      assert(responses.every(({ status }) => status === 200));
      assert.equal(await count('routing_profile where live_since is not null'), 1);
    });

    test('a version that was replaced in the database decides as it is stored there', async () => {
      const put = async (routing: string) => {
        await send('PUT', `${PROFILES}/replaced`, {
          salt: 'a',
          rules: [{ name: 'all', routing }],
        });
        const live = await send('PUT', LIVE, { name: 'replaced', version: 1 });
        assert.equal(live.status, 200, live.text);
      };
      const decide = async (mrn: string) => {
        await preNotify(mrn);
        const found = await playground.get(
          `/api/authority/v1/house-consignments?mrn=${mrn}&limit=1`,
          'authority',
        );
        return (found.body as { routing: string }[])[0]?.routing;
      };
      await put('TO_ENTRY');
      assert.equal(await decide('26NO00000000009001'), 'TO_ENTRY');
      // As after a restore, or a repair by hand.
      await database.transact((transaction) => transaction.run('delete from routing_profile'));
      await put('TO_CONTROL');
      assert.equal(await decide('26NO00000000009002'), 'TO_CONTROL');
    });

    test('a decision of a profile that no rule makes any more has the profile and its version', async () => {
      const mrn = '26NO00000000009003';
      const put = async (chapter: string) => {
        const response = await send('PUT', `/api/authority/v1/entry-summary-declarations/${mrn}`, {
          customsOfficeOfFirstEntry: 'NO351001',
          declarant: '0192:310000019',
          houseConsignments: [
            {
              transportDocumentHouseLevel: { documentNumber: 'FACTS', type: 'N740' },
              harmonizedSystemSubheadingCode: [`${chapter}0830`],
            },
          ],
        });
        assert.ok(response.status < 300, response.text);
      };
      await send('PUT', `${PROFILES}/facts`, {
        salt: 'a',
        rules: [
          { name: 'spirits', when: { harmonizedSystemChapter: ['22'] }, routing: 'TO_CONTROL' },
        ],
      });
      await send('PUT', LIVE, { name: 'facts', version: 1 });
      await put('22');
      await put('64');
      const found = await playground.get(
        `/api/authority/v1/house-consignments?mrn=${mrn}`,
        'authority',
      );
      const [{ id } = { id: '' }] = found.body as { id: string }[];
      const path = `/api/authority/v1/house-consignments/${id}/decisions`;
      const made = (await playground.get(path, 'authority')).body as {
        routing: string;
        profile: object;
      }[];
      assert.deepEqual(
        made.map(({ routing, profile: by }) => [routing, by]),
        [
          ['TO_CONTROL', { name: 'facts', version: 1, rule: 1 }],
          ['UNDECIDED', { name: 'facts', version: 1 }],
        ],
      );
    });
  });
}
