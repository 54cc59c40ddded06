// Many changes of one declaration, and uploads that need it: whoever waits for it takes the session of nobody.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../database/database.js';
import { openPostgresql } from '../database/postgresql.js';
import { testDatabases } from '../testing/databases.js';
import { createMigratedPostgresql } from '../testing/migrated-postgresql.js';
import type { ReceivedResponse } from '../testing/openapi-responses.js';
import { TestPlayground } from '../testing/playground-client.js';
import { DECLARATIONS, declaration, house } from '../testing/registry-client.js';

const ROUTING = '/api/movement/routing/v1/house-consignment';
const MRN = '26NO00000000WAITS1';
const OTHER_MRN = '26NO00000000WAITS2';

const [, { skip } = { skip: false }] = await testDatabases();

describe('changes of one declaration on two servers', { skip }, () => {
  let servers: TestPlayground[];
  let databases: Database[];
  let drop: () => Promise<void>;
  before(async () => {
    const created = await createMigratedPostgresql();
    drop = created.drop;
    // The last one is a client of the database that holds a lock.
    databases = Array.from({ length: 3 }, () => openPostgresql(created.url));
    servers = [];
    for (const database of databases.slice(0, 2))
      servers.push(await TestPlayground.start(database));
    // A server knows the identities of its own playground only.
    for (const server of servers) await server.token('authority');
  });
  after(async () => {
    for (const server of servers) await server.close();
    await databases[2]?.close();
    await drop();
  });

  const server = (index: number): TestPlayground => {
    const found = servers[index % servers.length];
    assert(found);
    return found;
  };

  const put = (index: number, mrn: string, body: unknown) =>
    server(index).call(`${DECLARATIONS}/${mrn}`, { as: 'authority', method: 'PUT', body });

  const withdraw = (index: number) =>
    server(index).call(`${DECLARATIONS}/${MRN}`, { as: 'authority', method: 'DELETE' });

  const upload = (index: number, mrn: string) =>
    server(index).call(DECLARATIONS, {
      as: 'authority',
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      raw: JSON.stringify({ mrn, houseConsignment: house('UPLOADED') }),
    });

  /** Holds the row of a declaration for a time, as a large change does. */
  const hold = (mrn: string, milliseconds: number, held: () => void) => {
    const database = databases[2];
    assert(database);
    return database.transact(async (transaction) => {
      await transaction.query({
        name: '',
        text: 'select from entry_summary_declaration where mrn = $1 for update',
        values: [mrn],
      });
      held();
      await delay(milliseconds);
    });
  };

  /** Holds a declaration while the work runs, and reads feeds on both servers; returns the longest read. */
  const readWhileHeld = async (milliseconds: number, work: () => Promise<unknown>[]) => {
    let release: () => void = () => undefined;
    const isHeld = new Promise<void>((resolve) => {
      release = resolve;
    });
    const holding = hold(MRN, milliseconds, release);
    await isHeld;
    let working = true;
    let slowest = 0;
    const read = async (index: number) => {
      while (working) {
        const began = performance.now();
        const response = await server(index).get(ROUTING, 'carrier');
        assert.equal(response.status, 200, response.text);
        slowest = Math.max(slowest, performance.now() - began);
        await delay(5);
      }
    };
    const reading = [read(0), read(1)];
    try {
      await Promise.all([holding, ...work()]);
    } finally {
      working = false;
    }
    await Promise.all(reading);
    return slowest;
  };

  for (const count of [9, 25]) {
    test(`${count} at each server neither fail nor delay readers of feeds while it is held`, async () => {
      assert.ok((await put(0, MRN, declaration([house('A')]))).status < 300);
      const responses: ReceivedResponse[] = [];
      const slowest = await readWhileHeld(6000, () =>
        Array.from({ length: 2 * count }, async (_, number) => {
          const response =
            number % 7 === 6
              ? await withdraw(number)
              : await put(number, MRN, declaration([house('A'), house(`N${number}`)]));
          responses.push(response);
        }),
      );
      const statuses = new Set(responses.map(({ status }) => status));
      assert.deepEqual(
        [...statuses].filter((status) => ![200, 201, 404].includes(status)),
        [],
      );
      // While readers wait for a session, a read takes as long as the lock is held.
      assert.ok(slowest < 4000, `a read took ${slowest} ms`);
    });
  }

  test('many changes of several declarations that are held do not delay the change of another', async () => {
    await put(0, MRN, declaration([house('A')]));
    await put(0, OTHER_MRN, declaration([house('A')]));
    let other = 0;
    await readWhileHeld(6000, () => [
      ...Array.from({ length: 20 }, async (_, number) => {
        const response = await put(0, MRN, declaration([house('A'), house(`N${number}`)]));
        assert.equal(response.status, 200, response.text);
      }),
      delay(200).then(async () => {
        const began = performance.now();
        const response = await put(0, OTHER_MRN, declaration([house('A'), house('B')]));
        assert.equal(response.status, 200, response.text);
        other = performance.now() - began;
      }),
    ]);
    assert.ok(other < 4000, `the other change took ${other} ms`);
  });

  test('an upload that waits for a declaration holds up no other upload', async () => {
    await put(0, MRN, declaration([house('A')]));
    await put(0, OTHER_MRN, declaration([house('A')]));
    let other = 0;
    await readWhileHeld(6000, () => [
      upload(0, MRN).then((response) => assert.match(response.text, /REGISTERED/)),
      delay(200).then(async () => {
        const began = performance.now();
        assert.match((await upload(0, OTHER_MRN)).text, /REGISTERED/);
        other = performance.now() - began;
      }),
    ]);
    assert.ok(other < 4000, `the other upload took ${other} ms`);
  });
});
