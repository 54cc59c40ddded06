// `landfall feed import`, `follow` and `list` against a playground, in order.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Playground } from '@landfall/playground';
import { runCommand } from '../../testing/run-command.js';
import { startLandfall } from '../../testing/run-landfall.js';
import { startPlayground } from '../../testing/start-playground.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

const folder = await makeTemporaryFolder();
const data = join(folder, 'data');
let playground: Playground;
let lines: string[];

before(async () => {
  const made = await runCommand('feed generate --declarations 300'.split(' '));
  // A number that parsing and printing would change.
  lines = made.stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/"GrossMass":(\d+)([,}])/, '"GrossMass":$1.50$2'));
  assert.ok(lines.slice(0, 100).some((line) => line.includes('.50')));
  playground = await startPlayground(data);
});
after(() => playground.close());

async function run(line: string, { code = 0, input = '' } = {}) {
  const result = await runCommand(['feed', ...line.split(' '), '--data', data], { input });
  assert.equal(result.code, code, `feed ${line}\n${result.stdout}${result.stderr}`);
  return result;
}

function idOf(line: string | undefined): string {
  return JSON.parse(line ?? '{}').metadata.eventId;
}

describe('before anything is published', () => {
  it('there are no current items, and the stream starts at its beginning', async () => {
    const { stdout, stderr } = await run('list');
    assert.equal(stdout, '');
    assert.match(stderr, /^No current goods items\. Next: .*feed follow .*--marker start/);
  });
});

describe('feed import', () => {
  it('publishes lines, and counts repeated ones as duplicates', async () => {
    const input = lines.slice(0, 100).join('\n');
    assert.equal((await run('import -', { input })).stdout, 'published 100 messages\n');
    const again = await run('import - --json', { input: lines.slice(0, 101).join('\n') });
    assert.deepEqual(JSON.parse(again.stdout), { accepted: 1, duplicates: 100 });
  });

  it('publishes an array from a file', async () => {
    const file = join(folder, 'messages.json');
    const messages = lines.slice(101, 200).map((line) => JSON.parse(line));
    await writeFile(file, JSON.stringify(messages, null, 2));
    assert.equal((await run(`import ${file}`)).stdout, 'published 99 messages\n');
  });

  it('stores nothing when a message is invalid, and reports its line and eventId', async () => {
    const broken = (lines[201] ?? '').replace('"version":"0.10"', '"version":"1"');
    const { stderr } = await run('import -', { code: 1, input: `${lines[200]}\n\n${broken}` });
    assert.match(stderr, /^nothing was stored$/m);
    assert.match(
      stderr,
      new RegExp(
        `^ {2}line 3 ${idOf(lines[201])}: metadata.version: must be 0.10 \\(UNKNOWN_CODE\\)$`,
        'm',
      ),
    );
  });

  it('stores nothing when an eventId was used with other content', async () => {
    const other = (lines[0] ?? '').replace('landfall-samples', 'elsewhere');
    const { stderr } = await run('import -', { code: 1, input: `${lines[200]}\n${other}` });
    assert.match(stderr, /line 2 \S+: metadata.eventId: .* \(EVENT_ID_REUSED\)/);
  });

  it('reports how many messages are stored, and how to resume', async () => {
    const notUtf8 = join(folder, 'half.ndjson');
    // More than fits in one block, so that the first is stored.
    const many = (await runCommand('feed generate --declarations 2200 --seed 2'.split(' '))).stdout;
    await writeFile(notUtf8, Buffer.concat([Buffer.from(many), Buffer.from([0xff])]));
    const { stderr } = await run(`import ${notUtf8}`, { code: 1 });
    assert.match(
      stderr,
      /^the first 1\d,\d{3} messages are stored\. To resume, run the same command again/,
    );
    assert.match(stderr, /^error: line \d+: must be valid UTF-8 \(FORMAT\)$/m);
    await writeFile(notUtf8, many);
    assert.match(
      (await run(`import ${notUtf8}`)).stdout,
      /^published 0 messages; 1\d,\d{3} were already published$/m,
    );
  });

  it('is refused without the scope', async () => {
    assert.match(
      (await run('import - --as statistics', { code: 1, input: lines[0] ?? '' })).stderr,
      /needs the scope customs:declaration\.publish/,
    );
  });
});

describe('feed follow', () => {
  it('prints lines byte for byte from the start', async () => {
    const { stdout, stderr } = await run('follow --marker start --limit 101 --json');
    assert.equal(stdout, `${lines.slice(0, 101).join('\n')}\n`);
    assert.match(stderr, new RegExp(`later messages: .*--marker ${idOf(lines[100])}`));
  });

  it('resumes after a marker, as a table', async () => {
    const { stdout } = await run(`follow --marker ${idOf(lines[3])} --limit 1`);
    const [heading = '', row = ''] = stdout.split('\n');
    assert.match(heading, /^created +event +declaration/);
    assert.ok(row.endsWith(idOf(lines[4])));
  });

  it('prints only new messages from now', async () => {
    const following = startLandfall(['feed', 'follow', '--limit', '1', '--json', '--data', data]);
    await following.printed(/following/);
    // The follower may still be connecting, so one publication could be missed.
    for (const line of lines.slice(200)) {
      await run('import -', { input: line });
      if (following.process.exitCode !== null) break;
    }
    const { code, stdout } = await following.ended;
    assert.equal(code, 0);
    assert.ok(lines.slice(200).includes(stdout.trimEnd()));
  });

  it('refuses an unknown marker', async () => {
    const { stderr } = await run('follow --marker 4a3ff6a0-6d0c-4f5a-9b1f-3f1d9d4f0a01', {
      code: 1,
    });
    assert.match(stderr, /\(UNKNOWN_MARKER\)/);
  });
});

describe('feed list', () => {
  it('pages through all current items: the result of applying every event', async () => {
    const all = await run('list --json');
    const current = all.stdout.trimEnd().split('\n');
    const read = (await run(`follow --marker start --json --limit ${await countPublished()}`))
      .stdout;
    const expected = new Map<string, string>();
    const added = new Map<string, string>();
    for (const line of read.trimEnd().split('\n')) {
      const { metadata, data: content } = JSON.parse(line);
      const { DeclarationIdentification, GoodsItemNumber } = content?.GoodsItem ?? {};
      const key = content && `${DeclarationIdentification} ${GoodsItemNumber}`;
      if (metadata.eventType === 'ITEM_REMOVED') {
        expected.delete(added.get(metadata.relatedEventId) ?? key);
      } else {
        expected.set(key, line);
        added.set(metadata.eventId, key);
      }
    }
    assert.ok(current.length > 1000, 'more than a page');
    assert.deepEqual(current.toSorted(), [...expected.values()].sort());
  });

  it('prints the items of one declaration', async () => {
    const all = (await run('list --json')).stdout.trimEnd().split('\n');
    const declarationOf = (line: string) =>
      JSON.parse(line).data.GoodsItem.DeclarationIdentification;
    const id = declarationOf(all[0] ?? '');
    const { stdout } = await run(`list --declaration ${id} --json`);
    assert.equal(
      stdout,
      all
        .filter((line) => declarationOf(line) === id)
        .map((line) => `${line}\n`)
        .join(''),
    );
    const { stderr } = await run('list --declaration 0-1', { code: 1 });
    assert.match(stderr, /declaration: must be a declaration identifier/);
  });
});

/** Counts the published messages by the line of the last one. */
async function countPublished(): Promise<number> {
  const { stderr } = await run('list --json');
  const marker = /--marker (\S+)/.exec(stderr)?.[1] ?? '';
  const following = startLandfall([
    'feed',
    'follow',
    '--marker',
    'start',
    '--json',
    '--data',
    data,
  ]);
  const until = new RegExp(`"eventId":"${marker}"[^\\n]*\\n`);
  const { input } = await following.printed(until);
  following.process.kill('SIGINT');
  await following.ended;
  return input.split('\n').findIndex((line) => line.includes(`"eventId":"${marker}"`)) + 1;
}
