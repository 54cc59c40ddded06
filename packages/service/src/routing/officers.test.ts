// Who counts as an officer over HTTP: people in the console, and the clients that are configured for them.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { RoutingDecisionResult } from '@landfall/contract';
import type { Config } from '../config.js';
import type { Caller } from '../http/caller.js';
import { drawnDatabases } from '../testing/databases.js';
import { signInAsAuthority } from '../testing/officer-session.js';
import { TestPlayground } from '../testing/playground-client.js';
import { makeDecisionContexts } from './decision-context.js';

const DECISIONS = '/api/authority/v1/routing-decisions';

const decision = (routing: string) => ({
  transportDocumentHouseLevel: { documentNumber: 'HC001', type: 'N740' },
  routing,
});

/** The fields of a result that say what became of a decision. */
const outcomeOf = ({ status, current }: Partial<RoutingDecisionResult> = {}) => [
  status,
  current?.origin,
];

test('capitals of a client do not decide whether it is of a person', () => {
  const caller = { organisationId: 1, organisation: 'NTRDE-1', isPerson: false };
  const originOf = (configured: string, clientId: string) =>
    // The cast is true for what is read of a caller.
    makeDecisionContexts(configured, false, false)(
      { ...caller, clientId } as Caller,
      'r',
      undefined,
    ).origin;
  assert.equal(originOf('other, eidas-4D2a', 'EIDAS-4d2A'), 'OFFICER');
  assert.equal(originOf('other, eidas-4d2a', 'eidas-4d2b'), 'ENGINE');
});

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`officers and systems on ${name}`, { skip }, () => {
    const started: TestPlayground[] = [];
    after(() => Promise.all(started.map((playground) => playground.close())));

    /** How a system and a person decide on goods of a playground, which its data releases. */
    const start = async (config: Partial<Config>) => {
      const playground = await TestPlayground.start(await open(), config);
      started.push(playground);
      const results = (body: unknown) => (body as RoutingDecisionResult[])[0];
      const bySystem = async (members: object) =>
        results((await playground.post(DECISIONS, 'authority', [members])).body);
      const headers = await signInAsAuthority(playground);
      const byPerson = async (members: object) => {
        const response = await fetch(`${playground.playground.baseUrl}/console/api${DECISIONS}`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify([members]),
        });
        return results(await response.json());
      };
      const origins = async () => {
        const search = '/api/authority/v1/house-consignment-search?identifier=HC001';
        const found = await playground.get(search, 'authority');
        const { id } =
          (found.body as { houseConsignments: { id: string }[] }).houseConsignments[0] ?? {};
        const path = `/api/authority/v1/house-consignments/${id}/decisions`;
        const made = (await playground.get(path, 'authority')).body as { origin: string }[];
        return made.map(({ origin }) => origin);
      };
      return { bySystem, byPerson, origins };
    };

    test('a token decides as a system, a session as an officer, whom a system must name', async () => {
      const { bySystem, byPerson, origins } = await start({});
      assert.deepEqual(outcomeOf(await bySystem(decision('TO_ENTRY'))), ['UNCHANGED', undefined]);
      const decided = await byPerson(decision('TO_CONTROL'));
      assert.deepEqual(outcomeOf(decided), ['DECIDED', undefined]);
      const refused = await bySystem(decision('TO_ENTRY'));
      assert.deepEqual(outcomeOf(refused), ['CONFLICT', 'OFFICER']);
      const named = { ...decision('TO_ENTRY'), expected: refused?.current?.number };
      assert.deepEqual(outcomeOf(await bySystem(named)), ['DECIDED', undefined]);
      assert.deepEqual((await origins()).slice(-3), ['ENGINE', 'OFFICER', 'ENGINE']);
    });

    test('the clients of LANDFALL_OFFICER_CLIENTS decide as officers', async () => {
      const unknown = await start({ officerClients: 'another' });
      await unknown.bySystem(decision('TO_CONTROL'));
      assert.equal((await unknown.origins()).at(-1), 'ENGINE');
      const [playground] = started;
      const client = playground?.credentials('authority').client_id;
      const { bySystem, origins } = await start({ officerClients: `another, ${client}` });
      await bySystem(decision('TO_CONTROL'));
      assert.equal((await origins()).at(-1), 'OFFICER');
      assert.deepEqual(outcomeOf(await bySystem(decision('TO_ENTRY'))), ['DECIDED', undefined]);
    });

    test('with LANDFALL_ENGINES_ABOVE_OFFICERS a system replaces what an officer decided', async () => {
      const { bySystem, byPerson, origins } = await start({ enginesAboveOfficers: 'on' });
      await byPerson(decision('TO_CONTROL'));
      assert.deepEqual(outcomeOf(await bySystem(decision('TO_ENTRY'))), ['DECIDED', undefined]);
      assert.deepEqual((await origins()).slice(-2), ['OFFICER', 'ENGINE']);
    });
  });
}
