// Exported months of the audit trail: they are verified without a database, removed by retention, and continued.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Database } from '../database/database.js';
import { followClock } from '../database/removal-clock.js';
import { feedKinds } from '../feed-kinds.js';
import { drawnDatabases } from '../testing/databases.js';
import { AuditCheckpoints } from './audit-checkpoints.js';
import { AuditPartitions } from './audit-partitions.js';
import { AuditTrail } from './audit-trail.js';
import { exportMonths } from './export-months.js';
import { FeedAccessLog } from './feed-access-log.js';
import { verifyAudit } from './verify-audit.js';
import { verifyMonths } from './verify-months.js';

const unexpected = (error: unknown) => assert.ifError(error);
const DAY_MS = 86_400_000;
const forEver = { auditRetention: 0, feedAccessRetention: 0 };

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`months of the audit trail on ${name}`, { skip }, () => {
    let database: Database;
    let folder: string;
    const audit = new AuditTrail();
    const now = new Date();
    /** A time in the first partition, which is closed now, as the next two are. */
    const past = new Date(now.getTime() - 150 * DAY_MS);
    /** The end of the first partition. */
    const firstEnd = new Date(Date.UTC(past.getUTCFullYear(), past.getUTCMonth() + 2, 1));

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'landfall-audit-'));
      database = await open();
      await maintain(forEver, past);
    });
    afterEach(async () => {
      await database.close();
      await rm(folder, { recursive: true });
    });

    const run = (script: string) => database.transact((transaction) => transaction.run(script));
    const maintain = (retention: typeof forEver, at: Date) =>
      new AuditPartitions(
        database,
        retention,
        followClock(() => at),
        unexpected,
      ).run();
    /** Records of every kind, and a checkpoint, as if they were recorded at a time. */
    const recordSome = async (recordedAt = past) => {
      for (let number = 0; number < 4; number++) {
        await database.transact((transaction) =>
          audit.record(
            transaction,
            {
              at: now,
              actor: undefined,
              requestId: undefined,
              action: 'test.done',
              details: { number },
            },
            number === 1
              ? [{ houseConsignmentId: '00000000-0000-0000-0000-000000000000', action: 'changed' }]
              : [],
          ),
        );
      }
      const log = new FeedAccessLog(database, { failed: unexpected, dropped: unexpected });
      log.add({ kind: 2, owner: 1, organisation: 'o', clientId: 'c', first: 1, last: 2, at: now });
      await log.close();
      await new AuditCheckpoints(database, unexpected).write(now);
      for (const table of ['audit_record', 'consignment_event', 'feed_access']) {
        await run(`
          update ${table} set recorded_at = '${recordedAt.toISOString()}'
          where recorded_at >= now() - interval '1 hour'`);
      }
    };
    const exportAll = () => exportMonths(database, { folder, before: now, now });
    const verify = async (exported: Parameters<typeof verifyAudit>[2] = {}) =>
      verifyAudit(database, feedKinds, exported);
    const count = async (table: string) => {
      const [row] = await database.query<{ rows: number }>({
        name: '',
        text: `select count(*) as rows from ${table}`,
        values: [],
      });
      return row?.rows;
    };
    const rejectsFile = (work: Promise<unknown>, message: RegExp) =>
      assert.rejects(work, { code: 'AUDIT_FILE', message });
    /** Changes the lines of the first file, and its manifest so that it describes the file. */
    const forge = async (change: (text: string) => string) => {
      const { createHash } = await import('node:crypto');
      const [file = ''] = (await readdir(folder)).filter((each) => each.endsWith('.gz')).sort();
      const path = join(folder, file);
      const text = gunzipSync(await readFile(path)).toString();
      assert.notEqual(change(text), text);
      const forged = gzipSync(change(text));
      await writeFile(path, forged);
      const manifestPath = path.replace('.ndjson.gz', '.json');
      const manifest = JSON.parse(await readFile(manifestPath, 'utf8'));
      manifest.sha256 = createHash('sha256').update(forged).digest('hex');
      await writeFile(manifestPath, JSON.stringify(manifest));
    };
    const codes = async () => [
      ...new Set((await verifyMonths(folder)).breaks.map(({ code }) => code)),
    ];

    test('are exported once, verified, and continue each other and the database', async () => {
      await recordSome();
      await recordSome(firstEnd);
      assert.equal(await exportAll(), 3);
      const files = (await readdir(folder)).sort();
      assert.equal(files.length, 6);
      // A file that was written again would have the same content.
      const written = () =>
        Promise.all(
          files.map(async (file) => {
            const { ino, mtimeMs } = await stat(join(folder, file));
            return { file, ino, mtimeMs };
          }),
        );
      const before = await written();
      assert.equal(await exportAll(), 3);
      assert.deepEqual(await written(), before);
      const { months, records, events, ends, breaks } = await verifyMonths(folder);
      assert.deepEqual(
        { months, records, events, breaks },
        { months: 3, records: 12, events: 2, breaks: [] },
      );
      await recordSome(now);
      assert.deepEqual((await verify({ exported: ends })).breaks, []);
      const forged = ends.map((end) => ({ ...end, digest: 'ff' }));
      const found = (await verify({ exported: forged })).breaks;
      assert.deepEqual([...new Set(found.map(({ code }) => code))], ['SEAL_MISMATCH']);
    });

    test('an interrupted export is continued, and a file of another trail is refused', async () => {
      await recordSome();
      await exportAll();
      const [manifest = '', file = ''] = (await readdir(folder)).sort();
      await rm(join(folder, manifest));
      await writeFile(join(folder, `${file}.partial`), 'x');
      assert.equal(await exportAll(), 3);
      await rm(join(folder, manifest));
      await writeFile(join(folder, file), gzipSync(''));
      await rejectsFile(exportAll(), /is another file/);
    });

    test('a month that was changed after its export is not taken for exported', async () => {
      await recordSome();
      await exportAll();
      await run('truncate audit_export');
      await forge((text) => text.replace('0000-000000000000', '0000-000000000001'));
      await rejectsFile(exportAll(), /does not continue the audit trail/);
      assert.equal(await count('audit_export'), 0);
    });

    test('only closed months are exported', async () => {
      await recordSome();
      assert.equal(await exportMonths(database, { folder, before: now, now: past }), 0);
      assert.equal(await exportMonths(database, { folder, before: past, now }), 0);
    });

    test('a changed, removed or damaged file is found', async () => {
      await recordSome();
      await exportAll();
      const [manifest = '', file = ''] = (await readdir(folder)).sort();
      const original = await readFile(join(folder, file));
      const described = await readFile(join(folder, manifest));
      const restore = async () => {
        await writeFile(join(folder, file), original);
        await writeFile(join(folder, manifest), described);
      };
      await forge((text) => text.replace('\\"number\\":2', '\\"number\\":3'));
      assert.deepEqual((await codes())[0], 'DIGEST_MISMATCH');
      await restore();
      await forge((text) => text.replace('0000-000000000000', '0000-000000000001'));
      assert.deepEqual(await codes(), ['CONTENT_CHANGED']);
      await restore();
      await forge((text) => text.trimEnd().split('\n').slice(1).join('\n'));
      assert.ok((await codes()).includes('RECORD_MISSING'));
      await restore();
      await forge((text) => text.trimEnd().split('\n').slice(0, -1).join('\n'));
      assert.ok((await codes()).includes('RECORD_MISSING'), 'the end of a chain');
      await restore();
      await writeFile(join(folder, file), gzipSync('{}\n'));
      await rejectsFile(verifyMonths(folder), /has a line that is not a record/);
      await writeFile(join(folder, file), gzipSync(''));
      await rejectsFile(verifyMonths(folder), /is not the file that its manifest describes/);
      await restore();
      await truncate(join(folder, file), original.length - 20);
      await rejectsFile(verifyMonths(folder), /cannot be read, or is damaged/);
      await rm(join(folder, file));
      await rejectsFile(verifyMonths(folder), /cannot be read, or is damaged/);
      await restore();
      const [, , second = ''] = (await readdir(folder)).sort();
      await rm(join(folder, second));
      await rejectsFile(verifyMonths(folder), /a month is missing/);
    });

    test('a trail that is broken is not exported', async () => {
      await recordSome();
      await run('delete from consignment_event');
      await rejectsFile(exportAll(), /events .* were changed/);
      assert.equal(await count('audit_export'), 0);
    });

    test('are removed when they are older than retention, and only after their export', async () => {
      await recordSome();
      const retention = { auditRetention: 30, feedAccessRetention: 0 };
      await maintain(retention, now);
      assert.equal(await count('audit_record'), 6);
      await exportAll();
      await maintain(retention, new Date(firstEnd.getTime() + 29 * DAY_MS));
      assert.equal(await count('audit_record'), 6, 'retention is not over');
      const { ends: before } = await verifyMonths(folder);
      await maintain(retention, now);
      assert.equal(await count('audit_record'), 1, 'the record that says so');
      assert.equal(await count('consignment_event'), 0);
      assert.equal(await count('feed_access'), 0);
      await recordSome(now);
      const { records, breaks, removed } = await verify({ exported: before, expected: before });
      assert.deepEqual([records, breaks, removed[0]?.what], [7, [], 'records']);
      const [chain] = before;
      assert.ok(chain !== undefined);
      const other = [{ ...chain, position: chain.position - 1 }];
      assert.deepEqual(
        (await verify({ exported: other })).breaks.map(({ code }) => code),
        ['RECORD_MISSING'],
        'records that are in neither',
      );
      assert.deepEqual((await verify({ expected: other })).breaks, []);
      const forged = [{ ...chain, digest: 'ff' }];
      assert.deepEqual(
        (await verify({ expected: forged })).breaks.map(({ code }) => code),
        ['SEAL_MISMATCH'],
      );
    });

    test('records that are removed otherwise are found, also when the table of removals says so', async () => {
      await recordSome();
      await exportAll();
      await run(
        `insert into audit_removal select 'records', until, ends from audit_export limit 1; truncate audit_record`,
      );
      const [first] = (await verify()).breaks;
      assert.equal(first?.code, 'REMOVAL_UNKNOWN');
    });

    test('feed accesses are removed by a retention of their own; others that are missing are found', async () => {
      await recordSome();
      await maintain({ auditRetention: 0, feedAccessRetention: 30 }, now);
      assert.equal(await count('feed_access'), 0);
      const { breaks, removed } = await verify();
      assert.deepEqual([breaks, removed.map(({ what }) => what)], [[], ['feed accesses']]);
      await run(`
        update audit_record set recorded_at = '${now.toISOString()}';
        update consignment_event set recorded_at = '${now.toISOString()}';
        truncate feed_access`);
      assert.deepEqual(
        (await verify()).breaks.map(({ code }) => code),
        ['CONTENT_CHANGED'],
      );
    });
  });
}
