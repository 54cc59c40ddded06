// A declaration of an office that has left the list of customs offices: it may be sent again, and changed.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { drawnDatabases } from '../testing/databases.js';
import {
  DECLARATIONS,
  declaration,
  errorsOf,
  house,
  TestRegistry,
} from '../testing/registry-client.js';

const LEFT = 'NO341001';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`an office that has left the list on ${name}`, { skip }, () => {
    let registry: TestRegistry;
    before(async () => {
      registry = await TestRegistry.start(await open());
    });
    after(() => registry.close());

    /** @param offices reference numbers, with `,` and the last day where there is one */
    const importOffices = async (removed: number, ...offices: string[]) => {
      const path = `/api/authority/v1/code-lists/cl141?expectedRemovals=${removed}`;
      const response = await registry.playground.call(path, {
        as: 'authority',
        method: 'PUT',
        headers: { 'content-type': 'text/csv' },
        raw: `reference_number,valid_to,name\n${offices
          .map((office) => `${office.includes(',') ? office : `${office},`},Office\n`)
          .join('')}`,
      });
      assert.equal(response.status, 200, response.text);
    };

    test('what GET gave is put and uploaded again, with other goods too; a new office must be in the list', async () => {
      await importOffices(47, 'NO351001', LEFT);
      const mrn = registry.nextMrn();
      const other = registry.nextMrn();
      const entry = declaration([house('A')], { customsOfficeOfFirstEntry: LEFT });
      assert.equal((await registry.put(mrn, entry)).status, 201);
      assert.equal((await registry.put(other, declaration([house('A')]))).status, 201);
      await importOffices(1, 'NO351001');
      const read = await registry.get(mrn);
      assert.match((await registry.put(mrn, read.body)).text, /UNCHANGED/);
      const upload = async (body: string) =>
        (
          await registry.playground.call(DECLARATIONS, {
            as: 'authority',
            method: 'POST',
            headers: { 'content-type': 'application/x-ndjson' },
            raw: body,
          })
        ).text;
      assert.match(await upload(read.text), /UNCHANGED/);
      const more = { ...entry, houseConsignments: [house('A'), house('B')] };
      assert.match((await registry.put(mrn, more)).text, /CHANGED/);
      const before = await registry.snapshot();
      for (const refused of [
        await registry.put(registry.nextMrn(), entry),
        await registry.put(other, entry),
      ]) {
        assert.equal(refused.status, 400);
        assert.deepEqual(errorsOf(refused), ['customsOfficeOfFirstEntry UNKNOWN_CODE']);
      }
      const mrnOfRefused = registry.nextMrn();
      const lines = [
        { ...entry, mrn: mrnOfRefused, houseConsignments: [] },
        { mrn: mrnOfRefused, houseConsignment: house('C') },
      ];
      assert.match(
        await upload(lines.map((line) => JSON.stringify(line)).join('\n')),
        /REFUSED.*UNKNOWN_CODE.*\n.*REFUSED.*REFERENCE_NOT_FOUND/,
      );
      assert.deepEqual(await registry.snapshot(), before);
    });

    test('what GET gave is put again after the last day of its office', async () => {
      await importOffices(0, 'NO351001', LEFT);
      const mrn = registry.nextMrn();
      const entry = declaration([house('A')], { customsOfficeOfFirstEntry: LEFT });
      assert.equal((await registry.put(mrn, entry)).status, 201);
      await importOffices(1, 'NO351001', `${LEFT},2020-12-31`);
      const { body } = await registry.get(mrn);
      assert.match((await registry.put(mrn, body)).text, /UNCHANGED/);
      assert.equal((await registry.put(registry.nextMrn(), entry)).status, 400);
    });
  });
}
