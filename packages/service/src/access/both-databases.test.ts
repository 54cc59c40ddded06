// Access on both databases: concurrent use, changes on another server, and deleting expired grants.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { JWT_BEARER_GRANT, type ScopeName } from '@landfall/contract';
import { openIdentityProvider } from '../../../playground/dist/identity-provider/identity-provider.js';
import { deleteExpiredGrants } from '../../../playground/dist/identity-provider/queries.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { verifyAudit } from '../audit/verify-audit.js';
import type { Database } from '../database/database.js';
import { feedKinds } from '../feed-kinds.js';
import { drawnDatabases } from '../testing/databases.js';
import {
  call,
  getCustomsToken,
  goodGrant,
  makeClock,
  type Running,
  sendGrant,
  signGrant,
  startAccess,
} from '../testing/running-access.js';
import { oneAddress } from './addresses.js';
import { grantScopes } from './grant-scopes.js';
import { OrganisationChangedError, OrganisationExistsError } from './store-organisation.js';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`access on ${name}`, { skip }, () => {
    const clock = makeClock();
    let database: Database;
    let running: Running;
    before(async () => {
      database = await open();
      running = await startAccess({ database, clock });
    });
    after(async () => {
      await running?.close();
      await database?.close();
    });

    test('an identity gets a customs token that is accepted', async () => {
      for (const identity of ['carrier', 'express']) {
        const token = await getCustomsToken(running, identity);
        assert.equal((await call(running, token)).status, 200);
      }
    });

    test('of several concurrent requests with the same grant, one gets a token', async () => {
      const assertion = await signGrant(goodGrant(running.credentials('carrier')));
      const responses = await Promise.all(
        Array.from({ length: 8 }, () => sendGrant(running, assertion)),
      );
      assert.equal(responses.filter(({ status }) => status === 200).length, 1);
    });

    test('of two servers that receive the same grants at once, one accepts each', async () => {
      const { baseUrl, dataFolder } = running;
      const startAnother = () =>
        openIdentityProvider({
          database,
          addresses: oneAddress(baseUrl),
          scopePrefix: 'customs:',
          keys: { folder: join(dataFolder, 'keys') },
          trustedIssuers: [],
          clock,
        });
      const second = await startAnother();
      const servers = [running.identityProvider, second];
      const grants = await Promise.all(
        Array.from({ length: 40 }, () => signGrant(goodGrant(running.credentials('carrier')))),
      );
      const outcomes = await Promise.all(
        grants.map((assertion) =>
          Promise.allSettled(
            servers.map((server) =>
              server.requestAccessToken(
                { grant_type: JWT_BEARER_GRANT, assertion },
                randomUUID(),
                () => undefined,
                baseUrl,
              ),
            ),
          ),
        ),
      );
      for (const outcome of outcomes) {
        const refused = outcome.filter(({ status }) => status === 'rejected');
        assert.equal(refused.length, 1);
        const [first] = refused;
        assert.ok(first?.status === 'rejected' && first.reason.code === 'MP-012');
      }
      second.close();
      // Another server that starts later does not take them either.
      const later = await startAnother();
      const form = { grant_type: JWT_BEARER_GRANT, assertion: grants[0] };
      await assert.rejects(
        async () => later.requestAccessToken(form, 'x', () => undefined, running.baseUrl),
        {
          code: 'MP-012',
        },
      );
      later.close();
    });

    /** Changes the registration of the carrier as another server would. */
    const change = (script: string) => database.transact((transaction) => transaction.run(script));
    const carrier =
      "organisation_id = (select id from organisation where identifier = '0192:310000019')";
    const changes: Record<string, { first?: string; away: string; back: string }> = {
      'its client is blocked': {
        away: `update client set blocked = true where ${carrier}`,
        back: `update client set blocked = false where ${carrier}`,
      },
      'it is blocked': {
        away: "update organisation set blocked = true where identifier = '0192:310000019'",
        back: "update organisation set blocked = false where identifier = '0192:310000019'",
      },
      'it may no longer request the scope': {
        away: `update client set scopes = array(select 'x-' || unnest(scopes)) where ${carrier}`,
        back: `update client set scopes = array(select substr(unnest(scopes), 3)) where ${carrier}`,
      },
      'its organisation is no longer granted the scope': {
        // From here on its client may request whatever that is granted.
        first: `update client set scopes = null where ${carrier}`,
        away: `update organisation_scope set scope = 'x-' || scope where ${carrier}`,
        back: `update organisation_scope set scope = substr(scope, 3) where ${carrier}`,
      },
      'its client is gone': {
        away: `create table gone as select * from client where ${carrier}; delete from client where ${carrier}`,
        back: 'insert into client select * from gone; drop table gone',
      },
    };
    for (const [what, { first = '', away, back }] of Object.entries(changes)) {
      test(`a change on another server applies to the next grant: ${what}`, async () => {
        const grant = () => signGrant(goodGrant(running.credentials('carrier'), clock()));
        const statusOf = async (assertion: string) => (await sendGrant(running, assertion)).status;
        await change(first);
        assert.equal(await statusOf(await grant()), 200);
        const refused = await grant();
        await change(away);
        assert.notEqual(await statusOf(refused), 200);
        await change(back);
        // A refused grant is not consumed.
        assert.equal(await statusOf(refused), 200);
        assert.equal(await statusOf(refused), 400);
      });

      test(`a change on another server applies to the next grant without a jti: ${what}`, async () => {
        const { claims, ...grant } = goodGrant(running.credentials('carrier'), clock());
        const { jti, ...others } = claims;
        assert.ok(jti);
        const assertion = await signGrant({ ...grant, claims: others });
        const statusOf = async () => (await sendGrant(running, assertion)).status;
        assert.equal(await statusOf(), 200);
        await change(away);
        assert.notEqual(await statusOf(), 200);
        await change(back);
        assert.equal(await statusOf(), 200);
      });
    }

    test('a grant of scopes directly in the database is recorded in the audit trail, which verifies', async () => {
      // Other tests of this file have changed clients in SQL.
      await database.query({ name: '', text: 'select accept_audited_rows()', values: [] });
      const audit = new AuditTrail();
      const id = '0192:310000086';
      const grant = (...scopes: ScopeName[]) =>
        grantScopes(database, audit, clock(), id, { scopes });
      const records = () =>
        database.query<{ entry: string }>({
          name: 'grants-recorded',
          text: "select entry from audit_record where entry like '%organisation.grant%'",
          values: [],
        });
      await grant('authority/registry');
      await grant('authority/registry');
      await grant('authority/routing', 'authority/registry');
      const details = (await records()).map(({ entry }) => JSON.parse(entry).details);
      assert.deepEqual(
        details.map(({ before, after }) => [before?.grantedScopes, after.grantedScopes]),
        [
          [undefined, ['authority/registry']],
          [['authority/registry'], ['authority/registry', 'authority/routing']],
        ],
      );
      assert.equal(details[0].after.id, id);
      assert.deepEqual((await verifyAudit(database, feedKinds)).breaks, []);

      const forge = (from: string, to: string) =>
        database.transact((transaction) =>
          transaction.run(
            `update audit_record set entry = replace(entry, '${from}', '${to}') where entry like '%organisation.grant%'`,
          ),
        );
      await forge('authority/routing', 'authority/nothing');
      assert.equal((await verifyAudit(database, feedKinds)).breaks.length > 0, true);
      await forge('authority/nothing', 'authority/routing');
      assert.deepEqual((await verifyAudit(database, feedKinds)).breaks, []);
    });

    test('concurrent changes of organisations do not mix', async () => {
      const put = (number: number, version: number) =>
        running.access.putOrganisation(`NTRSE-${number}`, {
          name: `Version ${version}`,
          kind: 'foreign',
          grantedScopes: version === 1 ? ['movement/air'] : ['movement/entry', 'movement/rail'],
          clients: [{ client_id: `client-${number}-${version}`, blocked: version === 1 }],
        });
      await Promise.all([1, 2, 3].flatMap((number) => [put(number, 1), put(number, 2)]));
      for (const number of [1, 2, 3]) {
        const organisation = await running.access.getOrganisation(`NTRSE-${number}`);
        const first = organisation?.name === 'Version 1';
        assert.deepEqual(
          organisation?.grantedScopes,
          first ? ['movement/air'] : ['movement/entry', 'movement/rail'],
        );
        assert.equal(organisation?.clients.length, 1);
        assert.equal(organisation?.clients[0]?.blocked, first);
      }
    });

    test('of concurrent changes of the same state, one is stored and recorded', async () => {
      const id = 'NTRSE-5';
      await running.access.putOrganisation(id, { name: 'Read', kind: 'foreign' });
      const outcomes = await Promise.allSettled(
        Array.from({ length: 8 }, (_, number) =>
          running.access.putOrganisation(
            id,
            { name: `Change ${number}`, kind: 'foreign' },
            undefined,
            (current) => current.name === 'Read',
          ),
        ),
      );
      const refused = outcomes.filter(
        ({ status, ...rest }) =>
          status === 'rejected' &&
          'reason' in rest &&
          rest.reason instanceof OrganisationChangedError,
      );
      assert.equal(refused.length, outcomes.length - 1);
      const stored = outcomes.findIndex(({ status }) => status === 'fulfilled');
      assert.equal((await running.access.getOrganisation(id))?.name, `Change ${stored}`);
      const [records] = await database.query<{ count: number }>({
        name: 'test-count-puts',
        text: `select count(*)::int as count from audit_record where entry like '%"NTRSE-5"%'`,
        values: [],
      });
      assert.equal(records?.count, 2);
    });

    test('of concurrent creations of the same organisation, one is stored and recorded', async () => {
      const id = 'NTRSE-6';
      const outcomes = await Promise.allSettled(
        Array.from({ length: 8 }, (_, number) =>
          running.access.putOrganisation(
            id,
            { name: `Creation ${number}`, kind: 'foreign' },
            undefined,
            'missing',
          ),
        ),
      );
      const refused = outcomes.filter(
        (outcome) =>
          outcome.status === 'rejected' && outcome.reason instanceof OrganisationExistsError,
      );
      assert.equal(refused.length, outcomes.length - 1);
      const stored = outcomes.findIndex(({ status }) => status === 'fulfilled');
      assert.equal((await running.access.getOrganisation(id))?.name, `Creation ${stored}`);
      const [records] = await database.query<{ count: number }>({
        name: 'test-count-creations',
        text: `select count(*)::int as count from audit_record where entry like '%"NTRSE-6"%'`,
        values: [],
      });
      assert.equal(records?.count, 1);
    });

    test('a consumed grant is deleted after it has expired, and not before', async () => {
      const count = async () => {
        const text = 'select client_id from used_grant';
        return (await database.query({ name: 'list-used-grants', text, values: [] })).length;
      };
      await sendGrant(running, goodGrant(running.credentials('carrier')));
      await database.query(deleteExpiredGrants(clock()));
      assert.ok((await count()) > 0);
      clock.moveOn(131);
      await database.query(deleteExpiredGrants(clock()));
      assert.equal(await count(), 0);
    });

    test('every failure to delete expired grants is reported', async () => {
      const lost = await open();
      const provider = await openIdentityProvider({
        database: lost,
        addresses: oneAddress(running.baseUrl),
        scopePrefix: 'customs:',
        keys: { folder: join(running.dataFolder, 'keys') },
        trustedIssuers: [],
      });
      await lost.close();
      const failures: unknown[] = [];
      await new Promise<void>((resolve) => {
        // The timer of the deletion does not keep the process alive.
        const alive = setInterval(() => undefined, 1000);
        provider.deleteExpiredGrants((error) => {
          failures.push(error);
          if (failures.length < 2) return;
          clearInterval(alive);
          resolve();
        }, 10);
      });
      provider.close();
      for (const error of failures) assert.ok(error instanceof Error);
    });
  });
}
