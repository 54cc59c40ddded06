// Reading code lists: what is in force, page by page, on both databases.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  builtInLists,
  type CodeListEntry,
  type CodeListQuery,
  CodeListSummary,
  compileCheck,
  operations,
} from '@landfall/contract';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { drawnDatabases } from '../testing/databases.js';
import { CustomsOffices } from './customs-offices.js';
import { getCodeList } from './get-code-list.js';
import { importCustomsOffices } from './import-customs-offices.js';
import { importUnloCodes } from './import-unlo-codes.js';
import { listCodeLists } from './list-code-lists.js';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`code lists on ${name}`, { skip }, () => {
    let database: Database;
    const audit = new AuditTrail();
    const at = (time: string) => ({ at: new Date(time), actor: undefined, requestId: undefined });
    before(async () => {
      database = await open();
    });
    after(() => database?.close());

    const codesOf = async (list: string, query: CodeListQuery = {}) =>
      (await getCodeList(database, list, query))?.page.map(({ code }) => code);

    /** All pages of a list, which must be of one list. */
    async function readAll(list: string, query: CodeListQuery): Promise<CodeListEntry[]> {
      const found: CodeListEntry[] = [];
      const etags = new Set<string>();
      let marker: string | undefined;
      do {
        const page = await getCodeList(database, list, { ...query, ...(marker && { marker }) });
        assert(page !== undefined);
        found.push(...page.page);
        etags.add(page.etag);
        marker = page.next;
      } while (marker !== undefined);
      assert.equal(etags.size, 1);
      return found;
    }

    test('every built-in list is listed and read whole, in pages of any size', async () => {
      const lists = await listCodeLists(database);
      assert.deepEqual(
        lists.map(({ list }) => list),
        [...builtInLists.keys()],
      );
      const check = compileCheck(CodeListSummary);
      for (const summary of lists) {
        assert.equal(check(summary).valid, true, summary.list);
        assert.equal(summary.source, 'BUILT_IN');
        const codes = await readAll(summary.list, { limit: 7 });
        assert.deepEqual(codes, builtInLists.get(summary.list)?.codes);
        assert.equal(codes.length, summary.entries);
        assert.equal((await getCodeList(database, summary.list, {}))?.etag, summary.etag);
      }
      assert.equal(new Set(lists.map(({ etag }) => etag)).size, lists.length);
      assert.equal(await getCodeList(database, 'cl999', {}), undefined);
      assert.equal(await getCodeList(database, 'constructor', {}), undefined);
    });

    test('codes are found by their start and by a part of the code or the name', async () => {
      assert.deepEqual(await codesOf('cl141', { code: 'NO3410' }), [
        'NO341001',
        'NO341002',
        'NO341003',
        'NO341004',
      ]);
      assert.deepEqual(await codesOf('cl141', { text: 'åleSUND air' }), ['NO341002']);
      assert.deepEqual(await codesOf('cl754', { text: 'n740' }), ['N740']);
      assert.deepEqual(await codesOf('countries', { text: '%' }), []);
    });

    test('an imported list has its time, another etag, and the same filters', async () => {
      const offices = new CustomsOffices(database, 'UTC');
      const [before] = await listCodeLists(database).then((lists) =>
        lists.filter(({ list }) => list === 'cl141'),
      );
      const list = [
        { referenceNumber: 'SE003030', name: 'Stockholm 100%', validTo: '2030-12-31' },
        { referenceNumber: 'NO341002', name: 'Ålesund lufthavn' },
        { referenceNumber: 'NO351001', name: 'Gardermoen' },
      ];
      await importCustomsOffices(
        { database, audit, offices },
        list,
        { expectedRemovals: 47 },
        at('2026-11-01T10:00:00Z'),
      );
      const imported = (await listCodeLists(database)).find((each) => each.list === 'cl141');
      assert.deepEqual(
        { ...imported, etag: '' },
        {
          list: 'cl141',
          title: 'customs offices',
          source: 'IMPORTED',
          entries: 3,
          inForceSince: '2026-11-01T10:00:00.000Z',
          etag: '',
        },
      );
      assert.notEqual(imported?.etag, before?.etag);
      const page = await getCodeList(database, 'cl141', {});
      assert.equal(page?.etag, imported?.etag);
      assert.equal(page?.importedAt?.toISOString(), '2026-11-01T10:00:00.000Z');
      assert.deepEqual(await readAll('cl141', { limit: 1 }), [
        { code: 'NO341002', name: 'Ålesund lufthavn' },
        { code: 'NO351001', name: 'Gardermoen' },
        { code: 'SE003030', name: 'Stockholm 100%', validTo: '2030-12-31' },
      ]);
      assert.deepEqual(await codesOf('cl141', { code: 'NO34' }), ['NO341002']);
      assert.deepEqual(await codesOf('cl141', { text: 'ÅLESUNDlu' }), ['NO341002']);
      assert.deepEqual(await codesOf('cl141', { text: '100%' }), ['SE003030']);
      assert.deepEqual(await codesOf('cl141', { text: '_' }), []);
    });

    test('the places are read in pages and by their start', async () => {
      assert.deepEqual(await codesOf('cl144'), []);
      const list = ['SEGOT', 'NOOSL', 'NOBGO', 'NOBOO', 'NOAES', 'GBLON'].map((code) => ({
        code,
        ...(code === 'NOAES' ? { name: 'Ålesund' } : {}),
      }));
      await importUnloCodes({ database, audit }, list, {}, at('2026-11-02T10:00:00Z'));
      const sorted = ['GBLON', 'NOAES', 'NOBGO', 'NOBOO', 'NOOSL', 'SEGOT'];
      for (const limit of [1, 2, 6, 7]) {
        assert.deepEqual(
          (await readAll('cl144', { limit })).map(({ code }) => code),
          sorted,
        );
      }
      for (const code of ['N', 'NO', 'NOB', 'NOBG', 'NOBGO', 'NOBGOX', 'X']) {
        const expected = sorted.filter((each) => each.startsWith(code));
        assert.deepEqual(await codesOf('cl144', { code }), expected, code);
      }
      assert.deepEqual(await codesOf('cl144', { code: 'NO', marker: 'NOBGO' }), ['NOBOO', 'NOOSL']);
      assert.deepEqual(await codesOf('cl144', { text: 'ålesund' }), ['NOAES']);
      assert.deepEqual((await getCodeList(database, 'cl144', { code: 'NOAES' }))?.page, [
        { code: 'NOAES', name: 'Ålesund' },
      ]);
      assert.equal(operations.getCodeList.access, 'any-token');
    });
  });
}
