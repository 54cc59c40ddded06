// Changing a declaration only in the state in which it was read.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { drawnDatabases } from '../testing/databases.js';
import { DECLARATIONS, declaration, house, TestRegistry } from '../testing/registry-client.js';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`conditional changes of a declaration on ${name}`, { skip }, () => {
    let registry: TestRegistry;
    before(async () => {
      registry = await TestRegistry.start(await open());
    });
    after(() => registry.close());

    const call = (method: string, mrn: string, headers: Record<string, string>, body?: unknown) =>
      registry.playground.call(`${DECLARATIONS}/${mrn}`, {
        as: 'authority',
        method,
        headers,
        body,
      });

    const etagOf = async (mrn: string): Promise<string> => {
      const etag = (await registry.get(mrn)).headers.get('etag');
      assert.match(etag ?? '', /^"\d+"$/);
      return etag ?? '';
    };

    const register = async () => {
      const mrn = registry.nextMrn();
      const response = await registry.put(mrn, declaration([house('A'), house('B')]));
      assert.equal(response.status, 201, response.text);
      return mrn;
    };

    test('every kind of change gives another entity tag, and what changes nothing gives none', async () => {
      const mrn = await register();
      const line = (documentNumber: string, more: object = {}) =>
        registry.playground.call(DECLARATIONS, {
          as: 'authority',
          method: 'POST',
          headers: { 'content-type': 'application/x-ndjson' },
          raw: JSON.stringify({ mrn, houseConsignment: house(documentNumber, more) }),
        });
      const changes = [
        () =>
          registry.put(mrn, declaration([house('A'), house('B')], { carrier: '0192:310000027' })),
        () => registry.put(mrn, declaration([house('A')])),
        () => registry.put(mrn, declaration([house('A', { routing: 'TO_ENTRY' })])),
        () => line('ADDED'),
        () => line('ADDED', { containerId: ['JARU0000026'] }),
        () => line('ADDED', { harmonizedSystemSubheadingCode: ['640399'] }),
      ];
      const seen = [await etagOf(mrn)];
      for (const change of changes) {
        assert.equal((await change()).status, 200);
        seen.push(await etagOf(mrn));
        assert.equal((await registry.put(mrn, (await registry.get(mrn)).body)).status, 200);
        assert.equal(await etagOf(mrn), seen.at(-1), 'the same again is no change');
      }
      assert.equal(new Set(seen).size, seen.length, String(seen));
    });

    test('another state than the one that was read is neither replaced nor withdrawn', async () => {
      const mrn = await register();
      const read = await etagOf(mrn);
      await registry.put(mrn, declaration([house('A'), house('B'), house('C')]));
      const before = await registry.snapshot();
      for (const ifMatch of [read, '"0"', `${read}, "1"`]) {
        for (const response of [
          await call('PUT', mrn, { 'if-match': ifMatch }, declaration([house('A')])),
          await call('DELETE', mrn, { 'if-match': ifMatch }),
        ]) {
          assert.equal(response.status, 412, response.text);
        }
      }
      assert.equal(
        (await call('PUT', mrn, { 'if-none-match': '*' }, declaration([house('A')]))).status,
        412,
      );
      assert.deepEqual(await registry.snapshot(), before);
    });

    test('the state that was read is replaced once, and the same request again is not refused', async () => {
      const mrn = await register();
      const headers = { 'if-match': await etagOf(mrn) };
      const put = (number: string) => call('PUT', mrn, headers, declaration([house(number)]));
      const responses = await Promise.all([put('C'), put('D'), put('E')]);
      const statuses = responses.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [200, 412, 412]);
      const winner = ['C', 'D', 'E'][responses.findIndex(({ status }) => status === 200)] ?? '';
      assert.match((await put(winner)).text, /UNCHANGED/);
      const withdrawn = await call('DELETE', mrn, { 'if-match': await etagOf(mrn) });
      assert.equal(withdrawn.status, 200, withdrawn.text);
    });

    test('what was withdrawn comes back without a condition only, and has another entity tag then', async () => {
      const mrn = await register();
      const read = await etagOf(mrn);
      await registry.withdraw(mrn);
      const put = (headers: Record<string, string>) =>
        call('PUT', mrn, headers, declaration([house('A'), house('B')]));
      // Each may be sent again after its response was lost, and after somebody else has withdrawn the declaration.
      for (const headers of [{ 'if-match': '*' }, { 'if-match': read }, { 'if-none-match': '*' }]) {
        const refused = await put(headers);
        assert.equal(refused.status, 412, `${JSON.stringify(headers)}: ${refused.text}`);
        assert.equal((await registry.get(mrn)).status, 404);
      }
      assert.equal((await put({})).status, 201);
      assert.notEqual(await etagOf(mrn), read);
    });

    test('what does not exist is registered with If-None-Match, and not with If-Match', async () => {
      const mrn = registry.nextMrn();
      const put = (headers: Record<string, string>) =>
        call('PUT', mrn, headers, declaration([house('A')]));
      assert.equal((await put({ 'if-match': '*' })).status, 412);
      assert.equal((await put({ 'if-none-match': '*' })).status, 201);
      assert.equal((await put({ 'if-none-match': '*' })).status, 200);
      assert.equal((await put({ 'if-match': 'unquoted' })).status, 400);
    });
  });
}
