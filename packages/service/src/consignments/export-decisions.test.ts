// Exported decisions are verified without the database: the bytes of each have the digest that its record has.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { KeptDecision } from '@landfall/contract';
import { drawnDatabases } from '../testing/databases.js';
import { declaration, house, TestRegistry } from '../testing/registry-client.js';
import { exportDecisions } from './export-decisions.js';

type Line = {
  decision: KeptDecision;
  row: string;
  digest: string;
  record: { chain: number; position: number; digest: string } | null;
};

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`exporting decisions on ${name}`, { skip }, () => {
    let registry: TestRegistry;
    let folder: string;
    before(async () => {
      registry = await TestRegistry.start(await open());
      folder = await mkdtemp(join(tmpdir(), 'landfall-decisions-'));
    });
    after(async () => {
      await registry.close();
      await rm(folder, { recursive: true });
    });

    const exportAll = async (file: string) => {
      const path = join(folder, file);
      const [from, to] = [new Date(0), new Date(Date.now() + 60_000)];
      const summary = await exportDecisions(registry.database, { from, to, file: path });
      const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
      // The casts are true because the file is that of the export.
      const last = JSON.parse(lines.pop() ?? '') as { summary: object };
      assert.deepEqual(last.summary, JSON.parse(JSON.stringify(summary)));
      return { summary, lines: lines.map((line) => JSON.parse(line) as Line) };
    };

    test('each decision has the record whose digests include that of its bytes', async () => {
      const mrn = registry.nextMrn();
      const documents = Array.from({ length: 600 }, (_, index) => house(`D${index}`));
      await registry.put(mrn, declaration(documents));
      const decide = (routing: string, from: number, to: number) =>
        registry.playground.post(
          '/api/authority/v1/routing-decisions',
          'authority',
          documents.slice(from, to).map((one) => ({ mrn, ...one, routing, reason: 'because' })),
        );
      await decide('TO_CONTROL', 0, 600);
      await decide('TO_ENTRY', 0, 10);
      const { lines, summary } = await exportAll('all.ndjson');
      const made = lines.filter(({ decision }) => decision.reason === 'because');
      assert.equal(made.length, 610);
      assert.equal(summary.decisions, lines.length);
      assert.equal(summary.withoutRecord, 0);
      const breaks: string[] = [];
      for (const { row, digest, record, decision } of lines) {
        const bytes = Buffer.from(row, 'base64');
        const computed = createHash('sha256').update(bytes).digest().subarray(0, 24);
        if (computed.toString('base64') !== digest) breaks.push('digest');
        if (!bytes.includes(decision.routing)) breaks.push('routing');
        const [stored] = await registry.database.query<{ entry: string; digest: string }>({
          name: '',
          text: `select entry, encode(digest, 'hex') as digest from audit_record where chain = $1 and position = $2`,
          values: [record?.chain, record?.position],
        });
        if (stored?.digest !== record?.digest) breaks.push('record');
        if (!stored?.entry.includes(digest)) breaks.push('no digest');
      }
      assert.deepEqual(breaks, []);
    });

    test('a decision that was altered has no record, and a file that exists is not written', async () => {
      await registry.database.transact((transaction) =>
        transaction.run(`
          set local session_replication_role = replica;
          update routing_decision set reason = 'another' where reason = 'because' and number = 2`),
      );
      const { lines, summary } = await exportAll('altered.ndjson');
      assert.equal(summary.withoutRecord, 10);
      for (const { decision, record } of lines) {
        assert.equal(record === null, decision.reason === 'another');
      }
      const before = await stat(join(folder, 'altered.ndjson'));
      await assert.rejects(exportAll('altered.ndjson'), /exists: nothing was changed/);
      assert.equal((await stat(join(folder, 'altered.ndjson'))).mtimeMs, before.mtimeMs);
    });
  });
}
