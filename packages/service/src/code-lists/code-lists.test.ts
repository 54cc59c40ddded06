// Importing the list of customs offices (CL141): all of it or nothing, on every server.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { nationalCustomsOffices } from '@landfall/contract';
import type { FastifyInstance } from 'fastify';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { RateLimit } from '../http/rate-limit.js';
import { makeServer } from '../http/server.js';
import { testDatabases } from '../testing/databases.js';
import { wideLimits } from '../testing/wide-limits.js';
import { CustomsOffices } from './customs-offices.js';
import { importCustomsOffices } from './import-customs-offices.js';
import { addCodeListRoutes } from './routes.js';

const today = new Date('2026-11-21T23:59:59Z');
const header = 'reference_number,name,valid_from,valid_to\n';

/** 4,000 offices of a made-up country, as CSV. */
const manyOffices = `reference_number,name\n${Array.from(
  { length: 4000 },
  (_, index) => `XX${String(index).padStart(6, '0')},"Office ${index}"\n`,
).join('')}`;

/** A server with this module only, for a caller who may import. */
async function serve(database: Database) {
  const { app } = await makeServer({ logLevel: 'silent' });
  const offices = new CustomsOffices(database);
  await offices.load((error) => assert.ifError(error));
  addCodeListRoutes(
    {
      app,
      authenticate: async () => ({
        organisationId: 1,
        organisation: '0192:310000043',
        clientId: 'authority-client',
        isPerson: false,
        scopes: [{ name: 'authority/registry', foreign: false }],
        expiresAt: Number.POSITIVE_INFINITY,
        stillAllowed: async () => true,
      }),
      rateLimit: new RateLimit(0),
      ...wideLimits(),
      clock: () => new Date(),
      scopePrefix: 'customs:',
      baseUrl: 'http://localhost:8080',
    },
    { database, offices, audit: new AuditTrail() },
  );
  after(async () => {
    offices.stop();
    await app.close();
  });
  return { app, offices };
}

function put(app: FastifyInstance, payload: string | Buffer, contentType = 'text/csv') {
  return app.inject({
    method: 'PUT',
    url: '/api/authority/v1/code-lists/cl141',
    headers: { 'content-type': contentType },
    payload,
  });
}

for (const { name, skip, open } of await testDatabases()) {
  test(`${name}: the list is replaced on every server`, { skip }, async () => {
    const database = await open();
    after(() => database.close());
    const { app, offices } = await serve(database);
    const elsewhere = new CustomsOffices(database);
    await elsewhere.refresh();
    for (const { referenceNumber } of nationalCustomsOffices) {
      assert.equal(offices.isValid(referenceNumber, today), true);
    }

    const first = await put(app, manyOffices, 'text/csv; charset=utf-8');
    assert.equal(first.statusCode, 200, first.body);
    const { importedAt, ...counts } = first.json();
    assert.deepEqual(counts, { codeList: 'cl141', entries: 4000, replaced: 49 });
    assert.ok(Math.abs(Date.parse(importedAt) - Date.now()) < 60_000);
    assert.equal(offices.isValid('XX003999', today), true);
    assert.equal(offices.isValid('NO351001', today), false);

    assert.equal(elsewhere.isValid('XX003999', today), false);
    await elsewhere.refresh();
    assert.equal(elsewhere.isValid('XX003999', today), true);

    const second = await put(app, `${header}NO351001,Gardermoen,,\n`);
    assert.equal(second.json().entries, 1);
    assert.equal(second.json().replaced, 4000);
    assert.equal(offices.isValid('XX003999', today), false);
  });

  test(`${name}: a refused list changes nothing`, { skip }, async () => {
    const database = await open();
    after(() => database.close());
    const { app, offices } = await serve(database);
    const broken = Array.from({ length: 150 }, (_, index) => `X${index},Broken,,\n`).join('');
    const response = await put(app, `${header}NO999999,Good,,\n${broken}`);
    assert.equal(response.statusCode, 400);
    const { detail, validationErrors } = response.json();
    assert.equal(
      detail,
      'The list has more than 100 errors; the first 100 are reported. Nothing was changed.',
    );
    assert.equal(validationErrors.length, 100);
    assert.equal(validationErrors[0].field, 'line 3: reference_number');
    await offices.refresh();
    assert.equal(offices.isValid('NO999999', today), false);
    assert.equal(offices.isValid('NO351001', today), true);
  });

  test(`${name}: an office is valid from its first day to its last`, { skip }, async () => {
    const database = await open();
    after(() => database.close());
    const { app, offices } = await serve(database);
    const csv = `${header}NO000001,Past,,2026-11-20\nNO000002,Last day,,2026-11-21\nNO000003,First day,2026-11-21,\nNO000004,To come,2026-11-22,\n`;
    assert.equal((await put(app, csv)).statusCode, 200);
    const valid = ['NO000001', 'NO000002', 'NO000003', 'NO000004'].filter((office) =>
      offices.isValid(office, today),
    );
    assert.deepEqual(valid, ['NO000002', 'NO000003']);
  });

  test(`${name}: concurrent imports each replace the whole list`, { skip }, async () => {
    const database = await open();
    after(() => database.close());
    const lists = Array.from({ length: 8 }, (_, list) =>
      Array.from({ length: 50 }, (_, index) => ({
        referenceNumber: `L${'ABCDEFGH'[list]}${String(index).padStart(6, '0')}`,
        name: 'Office',
      })),
    );
    const offices = new CustomsOffices(database);
    const codeLists = { database, offices, audit: new AuditTrail() };
    const context = { at: new Date(), actor: undefined, requestId: undefined };
    const results = await Promise.all(
      lists.map((list) => importCustomsOffices(codeLists, list, context)),
    );
    assert.deepEqual(
      results.map(({ replaced }) => replaced).sort((one, other) => one - other),
      [49, 50, 50, 50, 50, 50, 50, 50],
    );
    await offices.refresh();
    const inForce = lists.filter((list) =>
      list.every(({ referenceNumber }) => offices.isValid(referenceNumber, today)),
    );
    assert.equal(inForce.length, 1);
  });
}

test('only UTF-8 CSV of at most 4 MB is read', async () => {
  const [embedded] = await testDatabases();
  const database = await embedded?.open();
  assert(database);
  after(() => database.close());
  const { app } = await serve(database);
  const statusOf = async (...sent: [string | Buffer, string?]) =>
    (await put(app, ...sent)).statusCode;
  assert.equal(await statusOf(Buffer.from([0x61, 0xff])), 400);
  assert.equal(await statusOf('{}', 'application/json'), 415);
  assert.equal(await statusOf(manyOffices, 'application/x-www-form-urlencoded'), 415);
  assert.equal(await statusOf('x'.repeat(4 * 1024 * 1024 + 1)), 413);
  assert.equal(await statusOf(''), 400);
});
