// Importing the list of customs offices (CL141): all of it or nothing, on every server.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { nationalCustomsOffices, type ValidationError } from '@landfall/contract';
import type { FastifyInstance } from 'fastify';
import { oneAddress } from '../access/addresses.js';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { RateLimit } from '../http/rate-limit.js';
import { makeServer } from '../http/server.js';
import { drawnDatabases, testDatabases } from '../testing/databases.js';
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
  const offices = new CustomsOffices(database, 'UTC');
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
      ownAddresses: oneAddress('http://localhost:8080'),
    },
    { database, offices, audit: new AuditTrail() },
  );
  after(async () => {
    offices.stop();
    await app.close();
  });
  return { app, offices };
}

type Sent = { contentType?: string; query?: Record<string, string> };

function put(
  app: FastifyInstance,
  payload: string | Buffer,
  { contentType = 'text/csv', query = {} }: Sent = {},
) {
  return app.inject({
    method: 'PUT',
    url: '/api/authority/v1/code-lists/cl141',
    headers: { 'content-type': contentType },
    query,
    payload,
  });
}

const removing = (offices: number): Sent => ({ query: { expectedRemovals: String(offices) } });

/** The national offices as CSV, or some of them. */
const nationalCsv = (offices = nationalCustomsOffices) =>
  `reference_number,name\n${offices.map((office) => `${office.referenceNumber},${office.name}\n`).join('')}`;

const errorsOf = (response: { json(): { validationErrors: ValidationError[] } }) =>
  response.json().validationErrors.map(({ field, code }) => `${field} ${code}`);

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  test(`${name}: the list is replaced on every server`, { skip }, async () => {
    const database = await open();
    after(() => database.close());
    const { app, offices } = await serve(database);
    const elsewhere = new CustomsOffices(database, 'UTC');
    await elsewhere.refresh();
    for (const { referenceNumber } of nationalCustomsOffices) {
      assert.equal(offices.isValid(referenceNumber, today), true);
    }

    const first = await put(app, manyOffices, {
      ...removing(49),
      contentType: 'text/csv; charset=utf-8',
    });
    assert.equal(first.statusCode, 200, first.body);
    const { importedAt, added, changed, removed, ...counts } = first.json();
    assert.deepEqual(counts, { codeList: 'cl141', entries: 4000, replaced: 49 });
    assert.deepEqual([added.count, changed.count, removed.count], [4000, 0, 49]);
    assert.equal(added.first.length, 100);
    assert.ok(Math.abs(Date.parse(importedAt) - Date.now()) < 60_000);
    assert.equal(offices.isValid('XX003999', today), true);
    assert.equal(offices.isValid('NO351001', today), false);

    assert.equal(elsewhere.isValid('XX003999', today), false);
    await elsewhere.refresh();
    assert.equal(elsewhere.isValid('XX003999', today), true);

    const second = await put(app, `${header}NO351001,Gardermoen,,\n`, removing(4000));
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
    assert.equal((await put(app, csv, removing(49))).statusCode, 200);
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
    const offices = new CustomsOffices(database, 'UTC');
    const codeLists = { database, offices, audit: new AuditTrail() };
    const context = { at: new Date(), actor: undefined, requestId: undefined };
    const importAll = (expectedRemovals: number) =>
      Promise.all(
        lists.map((list) => importCustomsOffices(codeLists, list, { expectedRemovals }, context)),
      );
    // All expect to replace the built-in list, so those that come later are refused.
    const first = await importAll(49);
    assert.equal(first.filter((result) => 'entries' in result && result.replaced === 49).length, 1);
    assert.deepEqual(
      first.flatMap((result) => ('errors' in result ? result.errors.map(({ code }) => code) : [])),
      Array(7).fill('COUNT_DIFFERS'),
    );
    const second = await importAll(50);
    assert.deepEqual(
      second.map((result) => 'entries' in result && result.replaced),
      Array(8).fill(50),
    );
    await offices.refresh();
    const inForce = lists.filter((list) =>
      list.every(({ referenceNumber }) => offices.isValid(referenceNumber, today)),
    );
    assert.equal(inForce.length, 1);
  });
}

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`${name}: an import that would remove many offices`, { skip }, () => {
    let database: Database;
    before(async () => {
      database = await open();
    });
    after(() => database.close());

    /** Everything that an import writes. */
    const snapshot = () =>
      database.query({
        name: '',
        text: `select (select string_agg(o::text, ';' order by reference_number) from customs_office o) as offices,
          (select string_agg(i::text, ';') from code_list_import i) as imports,
          (select count(*) from audit_record) as records`,
        values: [],
      });

    const oneLine = `${header}NO351001,Gardermoen,,\n`;

    test('one line that replaces 49 is refused without the number, or with another one', async () => {
      const { app } = await serve(database);
      const before = await snapshot();
      const refused = await put(app, oneLine);
      assert.equal(refused.statusCode, 400, refused.body);
      assert.deepEqual(errorsOf(refused), ['expectedRemovals REQUIRED']);
      assert.match(refused.body, /would remove 48 of the 49 customs offices/);
      const differs = await put(app, oneLine, removing(47));
      assert.deepEqual(errorsOf(differs), ['expectedRemovals COUNT_DIFFERS']);
      assert.deepEqual(await snapshot(), before);
    });

    test('a preview shows what would be added, changed and removed, and changes nothing', async () => {
      const { app } = await serve(database);
      const before = await snapshot();
      const csv = `${header}NO351001,Oslo airport,2020-01-01,\nNO341001,Ålesund,,\nSE003030,Stockholm,,2030-12-31\n`;
      const response = await put(app, csv, { query: { preview: 'true' } });
      assert.equal(response.statusCode, 200, response.body);
      const { removed, ...preview } = response.json();
      assert.deepEqual(preview, {
        codeList: 'cl141',
        entries: 3,
        replaced: 49,
        added: {
          count: 1,
          first: [{ referenceNumber: 'SE003030', name: 'Stockholm', validTo: '2030-12-31' }],
        },
        changed: {
          count: 1,
          first: [{ referenceNumber: 'NO351001', name: 'Oslo airport', validFrom: '2020-01-01' }],
        },
      });
      assert.equal(removed.count, 47);
      assert.deepEqual(removed.first[0], { referenceNumber: 'NO321002', name: 'Helligskogen' });
      assert.equal(removed.first.length, 47);
      assert.deepEqual(await snapshot(), before);
      for (const query of [{ preview: 'yes' }, { expectedRemovals: '-1' }, { previw: 'true' }]) {
        assert.equal((await put(app, csv, { query })).statusCode, 400);
      }
      assert.deepEqual(await snapshot(), before);
    });

    test('what ends within the next days counts as removed, what ends later does not', async () => {
      const { app } = await serve(database);
      const national = nationalCustomsOffices;
      const day = (days: number) =>
        new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
      const ending = (days: number) =>
        `reference_number,name,valid_to\n${national
          .map(({ referenceNumber }) => `${referenceNumber},Office,${day(days)}\n`)
          .join('')}`;
      for (const days of [-1, 1, 29]) {
        assert.deepEqual(errorsOf(await put(app, ending(days))), ['expectedRemovals REQUIRED']);
      }
      const later = await put(app, ending(40));
      assert.equal(later.statusCode, 200, later.body);
      // What ends soon anyway is not removed by a list that says the same.
      assert.equal((await put(app, ending(1), removing(national.length))).statusCode, 200);
      const same = await put(app, ending(1).replaceAll(',Office,', ',Other,'));
      assert.equal(same.json().removed.count, 0, same.body);
      assert.equal((await put(app, ending(20))).json().removed.count, 0);
      assert.equal((await put(app, nationalCsv())).statusCode, 200);
    });

    test('a tenth, and one of few, may be removed; days that have ended count', async () => {
      const { app } = await serve(database);
      const national = nationalCustomsOffices;
      assert.equal((await put(app, nationalCsv(national.slice(4)))).json().removed.count, 4);
      assert.equal((await put(app, nationalCsv())).json().added.count, 4);
      const five = await put(app, nationalCsv(national.slice(5)));
      assert.deepEqual(errorsOf(five), ['expectedRemovals REQUIRED']);
      const ended = `${header}${national
        .map(
          ({ referenceNumber }, index) =>
            `${referenceNumber},x,,${index < 5 ? '2020-01-01' : ''}\n`,
        )
        .join('')}`;
      assert.deepEqual(errorsOf(await put(app, ended)), ['expectedRemovals REQUIRED']);
      assert.equal((await put(app, ended, removing(5))).statusCode, 200);
      const few = nationalCsv(national.slice(0, 2));
      const toTwo = await put(app, few, removing(47));
      assert.equal(toTwo.json().removed.count, 47, toTwo.body);
      assert.equal((await put(app, nationalCsv(national.slice(0, 1)))).statusCode, 200);
    });

    test('a request that is sent again, because its response was lost, is not refused', async () => {
      const { app } = await serve(database);
      assert.equal((await put(app, nationalCsv())).statusCode, 200);
      for (const _ of [1, 2]) {
        const again = await put(app, oneLine, removing(48));
        assert.equal(again.statusCode, 200, again.body);
      }
    });
  });
}

test('only UTF-8 CSV of at most 4 MB is read', async () => {
  const [embedded] = await testDatabases();
  const database = await embedded?.open();
  assert(database);
  after(() => database.close());
  const { app } = await serve(database);
  const statusOf = async (payload: string | Buffer, contentType?: string) =>
    (await put(app, payload, contentType === undefined ? {} : { contentType })).statusCode;
  assert.equal(await statusOf(Buffer.from([0x61, 0xff])), 400);
  assert.equal(await statusOf('{}', 'application/json'), 415);
  assert.equal(await statusOf(manyOffices, 'application/x-www-form-urlencoded'), 415);
  assert.equal(await statusOf('x'.repeat(4 * 1024 * 1024 + 1)), 413);
  assert.equal(await statusOf(''), 400);
});
