// What access keeps in the database holds on the embedded one and on PostgreSQL alike.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { JWT_BEARER_GRANT } from '@landfall/contract';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { testDatabases } from '../testing/databases.js';
import { createAccess } from './access.js';
import { forgetUsedGrants } from './queries.js';
import {
  call,
  getCustomsToken,
  goodGrant,
  makeClock,
  type Running,
  sendGrant,
  signGrant,
  startAccess,
} from './running-access.test.part.js';

for (const { name, skip, open } of await testDatabases()) {
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

    test('an identity gets a customs token that is taken', async () => {
      for (const identity of ['carrier', 'express']) {
        const token = await getCustomsToken(running, identity);
        assert.equal((await call(running, token)).status, 200);
      }
    });

    test('of many that send the same grant at once, one gets a token', async () => {
      const assertion = await signGrant(goodGrant(running.credentials('carrier')));
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => sendGrant(running, assertion)),
      );
      assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    });

    test('of two servers that are sent the same grants at once, one takes each', async () => {
      const { baseUrl, idpUrl, dataFolder } = running;
      const startAnother = () =>
        createAccess({
          database,
          audit: new AuditTrail(),
          baseUrl,
          scopePrefix: 'customs:',
          keysFolder: join(dataFolder, 'keys'),
          identityProvider: { kind: 'own', url: idpUrl, trustedIssuers: [] },
          clock,
        });
      const second = await startAnother();
      const servers = [running.access, second];
      const grants = await Promise.all(
        Array.from({ length: 40 }, () => signGrant(goodGrant(running.credentials('carrier')))),
      );
      const outcomes = await Promise.all(
        grants.map((assertion) =>
          Promise.allSettled(
            servers.map(({ identityProvider }) =>
              identityProvider?.requestAccessToken(
                { grant_type: JWT_BEARER_GRANT, assertion },
                randomUUID(),
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
      await second.close();
      // Another server that starts later does not take them either.
      const later = await startAnother();
      const form = { grant_type: JWT_BEARER_GRANT, assertion: grants[0] };
      await assert.rejects(async () => later.identityProvider?.requestAccessToken(form, 'x'), {
        code: 'MP-012',
      });
      await later.close();
    });

    test('many that put organisations at once leave each whole', async () => {
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

    test('a used grant is forgotten when its time is over, and not before', async () => {
      const count = async () => {
        const text = 'select client_id from used_grant';
        return (await database.query({ name: 'list-used-grants', text, values: [] })).length;
      };
      await sendGrant(running, goodGrant(running.credentials('carrier')));
      await database.query(forgetUsedGrants(clock()));
      assert.ok((await count()) > 0);
      clock.moveOn(131);
      await database.query(forgetUsedGrants(clock()));
      assert.equal(await count(), 0);
    });
  });
}
