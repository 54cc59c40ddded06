// Versions of the source of a declaration: what is older than what is kept changes nothing, in whatever order it arrives.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeRandom } from '@landfall/samples';
import { drawnDatabases } from '../testing/databases.js';
import {
  DECLARATIONS,
  declaration,
  errorsOf,
  house,
  TestRegistry,
} from '../testing/registry-client.js';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`versions of declarations on ${name}`, { skip }, () => {
    let registry: TestRegistry;
    before(async () => {
      registry = await TestRegistry.start(await open());
    });
    after(() => registry.close());

    const upload = async (...lines: object[]): Promise<Record<string, unknown>[]> => {
      const { text } = await registry.playground.call(DECLARATIONS, {
        as: 'authority',
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson' },
        raw: lines.map((line) => JSON.stringify(line)).join('\n'),
      });
      return text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    };
    const documentsOf = async (mrn: string) => {
      const { status, body } = await registry.get(mrn);
      if (status === 404) return undefined;
      const { version, houseConsignments } = body as ReturnType<typeof declaration>;
      const documents = houseConsignments.map((each) => each.transportDocumentHouseLevel);
      return { version, documents: documents.map(({ documentNumber }) => documentNumber).sort() };
    };

    test('any order of versions, repeated and with withdrawals between, keeps the newest', async () => {
      const seed = Math.floor(Math.random() * 2 ** 31);
      const random = makeRandom(seed);
      for (let run = 0; run < 12; run++) {
        const mrn = registry.nextMrn();
        let kept: number | undefined;
        let isCurrent = false;
        const log: string[] = [];
        for (let step = 0; step < 8; step++) {
          if (isCurrent && random.chance(0.2)) {
            log.push('withdrawn');
            assert.equal((await registry.withdraw(mrn)).status, 200);
            isCurrent = false;
            continue;
          }
          const version = random.integer(0, 4);
          const body = declaration([house(`V${version}`), house('BOTH')], { version });
          const before = await registry.snapshot();
          const [result] = random.chance(0.5)
            ? [(await registry.put(mrn, body)).body as { status: string }]
            : await upload({ mrn, ...body });
          log.push(`${version}: ${result?.status}`);
          const where = `seed ${seed}, run ${run}: ${log.join(', ')}`;
          const isOutdated = kept !== undefined && (isCurrent ? version < kept : version <= kept);
          if (isOutdated) {
            assert.equal(result?.status, 'OUTDATED', where);
            assert.deepEqual(await registry.snapshot(), before, where);
            continue;
          }
          const expected: string = !isCurrent
            ? 'REGISTERED'
            : version === kept
              ? 'UNCHANGED'
              : 'CHANGED';
          assert.equal(result?.status, expected, where);
          kept = version;
          isCurrent = true;
          assert.deepEqual(
            await documentsOf(mrn),
            { version, documents: ['BOTH', `V${version}`] },
            where,
          );
        }
      }
    });

    test('what comes without a version is taken, and keeps the version', async () => {
      const mrn = registry.nextMrn();
      await registry.put(mrn, declaration([house('A')], { version: 7 }));
      const changed = await registry.put(mrn, declaration([house('B')]));
      assert.equal((changed.body as { status: string }).status, 'CHANGED');
      assert.deepEqual(await documentsOf(mrn), { version: 7, documents: ['B'] });
      const old = await registry.put(mrn, declaration([house('A')], { version: 6 }));
      assert.deepEqual([old.status, (old.body as { status: string }).status], [200, 'OUTDATED']);
      const read = await registry.get(mrn);
      const again = await registry.put(mrn, read.body);
      assert.equal((again.body as { status: string }).status, 'UNCHANGED', 'what was read');
    });

    test('a newer version with the same content is a change of the version alone, also of presented goods', async () => {
      const mrn = registry.nextMrn();
      await registry.put(mrn, declaration([house('SAME')], { version: 1 }));
      assert.equal((await registry.present('SAME', mrn)).status, 202);
      const newer = await registry.put(mrn, declaration([house('SAME')], { version: 3 }));
      const { status, changed } = newer.body as { status: string; changed: string[] };
      assert.deepEqual([status, changed], ['CHANGED', ['version']]);
      const between = await registry.put(mrn, declaration([], { version: 2 }));
      assert.equal((between.body as { status: string }).status, 'OUTDATED');
      const conflict = await registry.put(mrn, declaration([], { version: 4 }));
      assert.deepEqual(errorsOf(conflict), ['houseConsignments PRESENTED']);
    });

    test('lines of house consignments with the version of their declaration', async () => {
      const mrn = registry.nextMrn();
      const lines = (version: number, ...documents: string[]) => [
        { mrn, ...declaration([], { version }) },
        ...documents.map((document) => ({ mrn, version, houseConsignment: house(document) })),
      ];
      const statusesOf = async (...sent: object[]) =>
        (await upload(...sent)).map(({ status }) => status);
      assert.deepEqual(await statusesOf(...lines(2, 'A', 'B')), Array(3).fill('REGISTERED'));
      assert.deepEqual(await statusesOf(...lines(2, 'A', 'B')), Array(3).fill('UNCHANGED'));
      assert.deepEqual(await statusesOf(...lines(1, 'OLD')), ['OUTDATED', 'OUTDATED']);
      // Of both in one transaction, the house consignment gets nothing of the outdated declaration.
      const mixed = [
        { mrn, ...declaration([], { version: 1, estimatedTimeOfArrival: '2026-01-01T00:00:00Z' }) },
        { mrn, version: 3, houseConsignment: house('NEW') },
      ];
      assert.deepEqual(await statusesOf(...mixed), ['OUTDATED', 'REGISTERED']);
      assert.deepEqual(await documentsOf(mrn), { version: 2, documents: ['A', 'B', 'NEW'] });
      await registry.present('NEW', mrn);
      const [signal] = await registry.database.query<{ head: string }>({
        name: 'test-head',
        text: "select signal_head as head from house_consignment where document_number = 'NEW'",
        values: [],
      });
      assert.doesNotMatch(signal?.head ?? '', /estimatedTimeOfArrival/);
    });

    test('a house consignment does not enter a declaration that is withdrawn beside an outdated line', async () => {
      const mrn = registry.nextMrn();
      await registry.put(mrn, declaration([], { version: 5 }));
      await registry.withdraw(mrn);
      const results = await upload(
        { mrn, ...declaration([], { version: 4 }) },
        { mrn, houseConsignment: house('LATE') },
      );
      assert.deepEqual(
        results.map(({ status }) => status),
        ['OUTDATED', 'REFUSED'],
      );
    });

    test('an outdated line is not refused for its office or its contents', async () => {
      const mrn = registry.nextMrn();
      await registry.put(mrn, declaration([house('X')], { version: 5 }));
      const body = declaration([house('X')], { version: 4, customsOfficeOfFirstEntry: 'NO000000' });
      const old = await registry.put(mrn, body);
      assert.equal((old.body as { status: string }).status, 'OUTDATED');
    });

    test('a version is a whole number', async () => {
      for (const version of [-1, 1.5, 2 ** 53, '1', '2026-01-01T00:00:00Z', true]) {
        const body = { ...declaration([]), version };
        const refused = await registry.put(registry.nextMrn(), body);
        assert.equal(refused.status, 400, `${version}`);
        assert.match(errorsOf(refused)[0] ?? '', /^version /);
      }
    });
  });
}
