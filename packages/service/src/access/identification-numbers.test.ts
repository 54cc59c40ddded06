// Identification numbers of organisations: each belongs to one, and whom they name.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { OrganisationEntry } from '@landfall/contract';
import { AuditTrail } from '../audit/audit-trail.js';
import { verifyAudit } from '../audit/verify-audit.js';
import type { Database } from '../database/database.js';
import { feedKinds } from '../feed-kinds.js';
import { drawnDatabases } from '../testing/databases.js';
import { getOrganisation } from './get-organisation.js';
import { listOrganisations } from './list-organisations.js';
import { findNumberedOrganisations } from './numbered-party-queries.js';
import { patchOrganisation } from './patch-organisation.js';
import { putOrganisation } from './put-organisation.js';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`identification numbers on ${name}`, { skip }, () => {
    let database: Database;
    const audit = new AuditTrail();
    const context = { at: new Date(), actor: undefined, requestId: 'r' };
    before(async () => {
      database = await open();
    });
    after(() => database?.close());

    const put = (id: string, identificationNumbers: string[]) => {
      const entry: OrganisationEntry = { name: id, kind: 'foreign', identificationNumbers };
      return putOrganisation(database, audit, id, entry, context);
    };
    const numbersOf = async (id: string) =>
      (await getOrganisation(database, id))?.identificationNumbers;
    const errorsOf = (result: Awaited<ReturnType<typeof put>>) =>
      'errors' in result ? result.errors.map(({ field, code }) => `${field} ${code}`) : [];
    const named = async (...numbers: string[]) => {
      const rows = await database.query(findNumberedOrganisations(numbers));
      return rows.map(({ organisation }) => organisation?.identifier);
    };

    test('they are stored in capitals, without blanks, and sorted', async () => {
      assert.deepEqual(errorsOf(await put('A', ['se 2', 'DE1'])), []);
      assert.deepEqual(await numbersOf('A'), ['DE1', 'SE2']);
      const { page } = await listOrganisations(database, { marker: '', limit: 10 });
      const listed = page.find(({ id }) => id === 'A');
      assert.deepEqual(listed?.identificationNumbers, ['DE1', 'SE2']);
    });

    test('those that are left out are removed, and a change that does not name them keeps them', async () => {
      await put('A', ['DE1', 'SE2', 'FR3']);
      const merge = (stored: OrganisationEntry) => ({ ...stored, name: 'Renamed' });
      await patchOrganisation(database, audit, 'A', merge, context, 'any');
      assert.deepEqual(await numbersOf('A'), ['DE1', 'FR3', 'SE2']);
      await put('A', ['SE2']);
      assert.deepEqual(await numbersOf('A'), ['SE2']);
      const changes = await database.query<{ before: string; after: string }>({
        name: '',
        text: `select entry::jsonb #>> '{details,before,identificationNumbers}' as before,
            entry::jsonb #>> '{details,after,identificationNumbers}' as after
          from audit_record where entry like '%organisation.put%'`,
        values: [],
      });
      const change = changes.find(({ after }) => after === '["SE2"]');
      assert.equal(change?.before, '["DE1", "FR3", "SE2"]');
    });

    test('a number of another organisation is refused, and nothing is changed', async () => {
      await put('A', ['SE2']);
      assert.deepEqual(errorsOf(await put('B', ['FR9', 'se2'])), ['identificationNumbers.1 TAKEN']);
      assert.equal(await numbersOf('B'), undefined);
    });

    test('of two organisations that get the same numbers at once, in any order, one does', async () => {
      const numbers = Array.from({ length: 20 }, (_, index) => `IT${index}`);
      const results = await Promise.all(
        ['C', 'D', 'E', 'F'].map((id, index) =>
          put(id, index % 2 === 0 ? numbers : [...numbers].reverse()),
        ),
      );
      assert.equal(results.filter((result) => 'organisation' in result).length, 1);
      const stored = await Promise.all(['C', 'D', 'E', 'F'].map(numbersOf));
      assert.deepEqual(
        stored.flatMap((each) => (each === undefined ? [] : [each.length])),
        [20],
      );
    });

    test('a number that one organisation gives up is free for another one', async () => {
      await put('G', ['PL1']);
      const results = await Promise.all([put('G', []), put('H', ['PL1'])]);
      assert.deepEqual(errorsOf(results[0]), []);
      await put('H', ['PL1']);
      assert.deepEqual([await numbersOf('G'), await numbersOf('H')], [[], ['PL1']]);
    });

    test('numbers name organisations, in the order in which they are asked for', async () => {
      await put('G', ['ES1']);
      const domestic = { name: 'Domestic', kind: 'domestic' } as const;
      await putOrganisation(database, audit, '0192:974760673', domestic, context);
      assert.deepEqual(
        await named('unknown', 'es 1', 'NO974760673', '974760673', 'ES1', '310000000'),
        [undefined, 'G', '0192:974760673', '0192:974760673', 'G', undefined],
      );
      assert.deepEqual(await named(), []);
    });

    test('the audit trail covers them', async () => {
      const verified = await verifyAudit(database, feedKinds);
      assert.deepEqual(verified.breaks, []);
    });
  });
}
