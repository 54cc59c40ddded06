// Importing the list of places (CL144): whole or not at all, and what it finds afterwards.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UnloCode } from '@landfall/contract';
import { AuditTrail } from '../audit/audit-trail.js';
import { verifyAudit } from '../audit/verify-audit.js';
import type { Database } from '../database/database.js';
import { feedKinds } from '../feed-kinds.js';
import { drawnDatabases } from '../testing/databases.js';
import { importUnloCodes } from './import-unlo-codes.js';
import { readUnloCodes } from './read-unlo-codes.js';
import { findUnloCodes } from './unlo-code-queries.js';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ23456789';

/** Codes of 26 made-up countries, in an order that is not theirs. */
const many: UnloCode[] = Array.from({ length: 60_000 }, (_, index) => {
  const at = (divisor: number, size: number) => LETTERS[Math.floor(index / divisor) % size] ?? '';
  return {
    code: `X${at(1, 26)}${at(26 * 34 * 34, 34)}${at(26 * 34, 34)}${at(26, 34)}`,
    name: `Place ${index}`,
  };
});

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`importing places on ${name}`, { skip }, () => {
    let database: Database;
    const audit = new AuditTrail();
    before(async () => {
      database = await open();
    });
    after(() => database?.close());

    const put = (list: UnloCode[], query = {}) =>
      importUnloCodes({ database, audit }, list, query, {
        at: new Date(),
        actor: undefined,
        requestId: undefined,
      });
    const listed = async (...codes: string[]) =>
      (await database.query(findUnloCodes(codes))).map(({ isListed }) => isListed);
    const countsOf = (result: Awaited<ReturnType<typeof put>>) =>
      'errors' in result
        ? result.errors.map(({ field, code }) => `${field} ${code}`)
        : [result.replaced, result.added.count, result.changed.count, result.removed.count];

    test('before an import, no code is in the list or not in it', async () => {
      assert.deepEqual(await listed('NOOSL', 'XXXXX'), [null, null]);
      assert.deepEqual(countsOf(await put([{ code: 'NOOSL' }], { preview: true })), [0, 1, 0, 0]);
      assert.deepEqual(await listed('NOOSL'), [null]);
    });

    test('a list is replaced whole, and codes are found in it', async () => {
      const first = await put([{ code: 'SEGOT', name: 'Gothenburg' }, { code: 'NOOSL' }]);
      assert.deepEqual(countsOf(first), [0, 2, 0, 0]);
      assert.deepEqual(await listed('NOOSL', 'NOOSX', 'SEGOT', 'GBLON', 'NOOSL'), [
        true,
        false,
        true,
        false,
        true,
      ]);
      assert.deepEqual(await listed(), []);
      const second = await put([{ code: 'NOOSL', name: 'Oslo' }, { code: 'NOOSX' }]);
      assert.deepEqual(countsOf(second), [2, 1, 1, 1]);
      assert('added' in second);
      assert.deepEqual(second.added.first, [{ code: 'NOOSX' }]);
      assert.deepEqual(second.changed.first, [{ code: 'NOOSL', name: 'Oslo' }]);
      assert.deepEqual(second.removed.first, [{ code: 'SEGOT', name: 'Gothenburg' }]);
      assert.deepEqual(await listed('NOOSX', 'SEGOT'), [true, false]);
    });

    test('a list of 60,000 that loses many is refused without the number, and other work has its turns', async () => {
      await put(many, { expectedRemovals: 2 });
      // The processor's time, which other processes do not change.
      let longest = 0;
      let last = process.cpuUsage();
      const timer = setInterval(() => {
        const { user, system } = process.cpuUsage(last);
        longest = Math.max(longest, (user + system) / 1000);
        last = process.cpuUsage();
      }, 1);
      const refused = await put(many.slice(0, 1000));
      clearInterval(timer);
      assert.deepEqual(countsOf(refused), ['expectedRemovals REQUIRED']);
      assert.ok(longest < 1000, `${longest} ms of the processor without a turn`);
      assert.deepEqual(countsOf(await put(many.slice(0, 1000), { expectedRemovals: 5 })), [
        'expectedRemovals COUNT_DIFFERS',
      ]);
      assert.deepEqual(countsOf(await put(many)), [60_000, 0, 0, 0]);
      const last1000 = many.slice(-1000).map(({ code }) => code);
      assert.deepEqual(await listed(...last1000), Array(1000).fill(true));
    });

    test('of imports at the same time, each replaces a whole list', async () => {
      const lists = ['AA', 'BB', 'CC', 'DD'].map((country) =>
        many.slice(0, 100).map(({ code }) => ({ code: `${country}${code.slice(2)}` })),
      );
      const unique = lists.map((list) => [
        ...new Map(list.map((each) => [each.code, each])).values(),
      ]);
      await put(unique[0] ?? [], { expectedRemovals: 60_000 });
      const size = unique[0]?.length;
      await Promise.all(unique.map((list) => put(list, { expectedRemovals: size })));
      const inForce = await Promise.all(
        unique.map(async (list) => (await listed(...list.map(({ code }) => code))).every(Boolean)),
      );
      assert.equal(inForce.filter(Boolean).length, 1);
    });

    test('the audit trail covers the places', async () => {
      assert.deepEqual((await verifyAudit(database, feedKinds)).breaks, []);
      await database.transact((transaction) =>
        transaction.run(`update unlo_code_group set codes = codes || '{ZZZZZ}'`),
      );
      assert.equal((await verifyAudit(database, feedKinds)).breaks.length > 0, true);
    });
  });
}

test('broken lines of a list of places are reported', async () => {
  const read = async (csv: string) => {
    const list = await readUnloCodes(Buffer.from(csv));
    return list.valid ? list.entries : list.errors.map(({ field, code }) => `${field} ${code}`);
  };
  assert.deepEqual(await read('code\nNOOSL\nSEGOT\n'), [{ code: 'NOOSL' }, { code: 'SEGOT' }]);
  assert.deepEqual(await read('name,code\nOslo,NOOSL\n,SEGOT\n'), [
    { code: 'NOOSL', name: 'Oslo' },
    { code: 'SEGOT' },
  ]);
  assert.deepEqual(await read('code\nNOOS1\nnoosl\nNOOSL\nNOOSL\n'), [
    'line 2: code FORMAT',
    'line 3: code FORMAT',
    'line 5: code FORMAT',
  ]);
  assert.deepEqual(await read('name\nOslo\n'), ['line 1: code REQUIRED']);
  assert.deepEqual(await read('code\n'), [' REQUIRED']);
});
