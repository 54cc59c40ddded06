// Following hands out each entry once: through lost connections, from run to run, and after `kill -9`.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { AuditTrail } from '../../../service/dist/audit/audit-trail.js';
import { expireFeed } from '../../../service/dist/retention/expire-entries.js';
import { routingSignals } from '../../../service/dist/routing/signal-feed.js';
import { startBreakableConnection } from '../testing/breakable-connection.js';
import {
  landfallScript,
  runLandfall,
  startLandfall,
  testEnvironment,
} from '../testing/run-landfall.js';
import {
  databases,
  documentsIn,
  issueSignals,
  listDocuments,
  startService,
} from '../testing/start-service.js';

const parseLines = (text: string) =>
  documentsIn(
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line)),
  );

for (const { name: database, skip } of databases) {
  describe(`following, on ${database}`, { skip }, async () => {
    const service = await startService(database);
    const follow = (line: string) =>
      runLandfall([...`routing follow ${line}`.split(' '), '--data', service.data]);

    it('resumes after a lost connection, which is reported once', async () => {
      const connection = await startBreakableConnection(service.baseUrl);
      const url = connection.url.replace(/\/$/, '');
      const words = 'routing follow --limit 4 --json --url'.split(' ');
      const following = startLandfall([...words, url, '--data', service.data]);
      await following.printed(/following/);
      const earlier = await issueSignals(service, ['TO_ENTRY', 'TO_CONTROL']);
      await following.printed(new RegExp(`${earlier[1]}`));
      await connection.interrupt();
      await following.printed(/reconnecting, then resuming after the last signal/);
      const later = await issueSignals(service, ['TO_ENTRY', 'TO_ENTRY']);
      await connection.restore();
      const { code, stdout, stderr } = await following.ended;
      await connection.interrupt();
      assert.equal(code, 0, stderr);
      assert.deepEqual(parseLines(stdout), [...earlier, ...later]);
      assert.equal(stderr.match(/reconnecting/g)?.length, 1);
      assert.doesNotMatch(stderr, /trying again/);
    });

    it('continues in the next run after the last entry of the store', async () => {
      await issueSignals(service, ['TO_ENTRY', 'TO_ENTRY', 'TO_CONTROL']);
      const all = await listDocuments(service);
      const store = join(service.data, 'signals.position');
      const first = await follow(`--store ${store} --limit 2 --json`);
      assert.deepEqual(parseLines(first.stdout), all.slice(0, 2));
      assert.match(first.stderr, /the position is saved in .*signals\.position/);
      const second = await follow(`--store ${store} --limit ${all.length - 2} --json`);
      assert.deepEqual(parseLines(second.stdout), all.slice(2));
      assert.equal(second.code, 0);
    });

    it('begins after --marker only if the store has no position, and then saves it', async () => {
      const signals = JSON.parse(await service.run('routing list --json'));
      const idOf = (index: number) => signals[index].routingResult.id;
      const store = join(service.data, 'begun.position');
      const waiting = startLandfall([
        ...`routing follow --marker ${idOf(1)} --store ${store} --json`.split(' '),
        ...['--exec', 'exit 3', '--data', service.data],
      ]);
      assert.equal((await waiting.ended).code, 1);
      const next = await follow(`--marker ${idOf(3)} --store ${store} --limit 1 --json`);
      assert.deepEqual(parseLines(next.stdout), documentsIn(signals.slice(2, 3)));
    });

    it('refuses a store of another feed, one in use, and one that cannot be written', async () => {
      const store = join(service.data, 'signals.position');
      const line = `status follow --store ${store} --data ${service.data}`;
      const other = await runLandfall(line.split(' '));
      assert.equal(other.code, 1);
      assert.match(other.stderr, /^error: .* has the marker of readRoutingSignals at http/m);
      const holder = startLandfall([
        ...`routing follow --store ${store}`.split(' '),
        ...['--data', service.data],
      ]);
      await holder.printed(/document +type/);
      const second = await follow(`--store ${store}`);
      holder.process.kill('SIGINT');
      assert.equal((await holder.ended).code, 130);
      assert.equal(second.code, 1);
      assert.match(second.stderr, /^error: .* is in use \(by process \d+\)/m);
      const missing = await follow(`--store ${join(service.data, 'none', 'file')}`);
      assert.equal(missing.code, 1);
      assert.match(missing.stderr, /^error: cannot write .*none.file \(ENOENT\)$/m);
    });

    it('is killed again and again, and misses and repeats nothing', async () => {
      const many = Array.from({ length: 100 }, () => 'TO_ENTRY');
      const store = join(service.data, 'killed.position');
      const seen: string[] = [];
      for (let run = 0; run < 4; run++) {
        await issueSignals(service, many);
        const following = startLandfall([
          ...`routing follow --store ${store} --json`.split(' '),
          ...['--data', service.data],
        ]);
        let lines = 0;
        following.process.stdout?.on('data', (text: string) => {
          lines += text.split('\n').length - 1;
          // One of them may be printed again by the next run.
          if (lines > 20) following.process.kill('SIGKILL');
        });
        const { stdout } = await following.ended;
        const printed = parseLines(stdout);
        // A signal may be printed and the process killed before its position is saved.
        seen.push(...(printed[0] === seen.at(-1) ? printed.slice(1) : printed));
      }
      const all = await listDocuments(service);
      assert.deepEqual(seen, all.slice(0, seen.length));
      assert.ok(seen.length >= 80, `${seen.length}`);
    });

    it('follows statuses, with the errors of a refusal below its row', async () => {
      const line = `present container --container JARU0000089 --data ${service.data}`;
      assert.equal((await runLandfall(line.split(' '))).code, 1);
      const statuses = JSON.parse(await service.run('status list --limit 1000 --json'));
      const { requestId } = statuses.at(-2);
      const { stdout } = await runLandfall([
        ...`status follow --marker ${requestId} --limit 1`.split(' '),
        ...['--data', service.data],
      ]);
      const [heading, row, reason] = stdout.split('\n');
      assert.match(heading ?? '', /^requestId +status +level/);
      assert.match(row ?? '', new RegExp(`^${statuses.at(-1).requestId} +FAILURE +CONTAINER `));
      assert.match(reason ?? '', /^ {4}containerId: .* \(REFERENCE_NOT_FOUND\)$/);
    });

    it('ends without an error when the reader of the pipe closes it', async () => {
      const command = `'${process.execPath}' '${landfallScript}' routing follow --json --data '${service.data}'`;
      const { stdout, stderr } = await promisify(execFile)(
        'bash',
        ['-o', 'pipefail', '-c', `${command} | head -1`],
        { env: testEnvironment },
      );
      assert.equal(parseLines(stdout).length, 1);
      assert.doesNotMatch(stderr, /error/i);
    });

    it('says how to start again when entries after the position are no longer kept', async () => {
      await issueSignals(service, ['TO_ENTRY', 'TO_ENTRY', 'TO_ENTRY']);
      const store = join(service.data, 'expired.position');
      await follow(`--store ${store} --limit 1 --json`);
      const context = {
        database: service.database,
        audit: new AuditTrail(),
        clock: () => new Date(),
      };
      const later = new Date(Date.now() + 3_600_000);
      for await (const _ of expireFeed(context, routingSignals, later));
      const { code, stderr } = await follow(`--store ${store}`);
      assert.equal(code, 1);
      assert.match(stderr, /no longer kept: start again without a marker/);
      assert.match(
        stderr,
        new RegExp(`To start again: delete ${store}, then .*routing follow --marker start`),
      );
      const [, last] = await issueSignals(service, ['TO_ENTRY', 'TO_CONTROL']);
      const again = await follow('--marker start --limit 3 --json');
      assert.equal(parseLines(again.stdout).at(-1), last, again.stderr);
    });
  });
}
