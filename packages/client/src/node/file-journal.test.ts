// The journal in a file: what is in it after crashes.
import assert from 'node:assert/strict';
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { ConfigurationError } from '../errors/landfall-error.js';
import type { JournalEntry } from '../settling/journal.js';
import { startFaultyProxy } from '../testing/faulty-proxy.js';
import { startTestPlayground } from '../testing/playground.js';
import { FileJournal } from './file-journal.js';

const folder = await mkdtemp(join(tmpdir(), 'landfall-journal-'));
after(() => rm(folder, { recursive: true, force: true }));

const error = { field: 'mrn', error: 'is unknown: Ø', code: 'REFERENCE_NOT_FOUND' } as const;
const opened: JournalEntry = { key: 'a\nb', digest: 'd', requestId: 'r' };
const presented: JournalEntry = { key: 'p', digest: 'd', requestId: 's', outcome: 'presented' };
const refused: JournalEntry = {
  key: 'ø',
  digest: 'd',
  requestId: 't',
  outcome: 'refused',
  errors: [error],
};

const lodged: JournalEntry = {
  key: 'l',
  digest: 'd',
  requestId: 'u',
  outcome: 'lodged',
  status: {
    requestId: 'u',
    status: 'SUCCESS',
    notificationDate: '2026-05-04T07:00:00Z',
    mrn: '26NO7K2M4Q9XWR5HT0',
    mode: 'road',
    level: 'TRANSPORT',
    operation: 'LODGE',
  },
};

async function readAll(file: string): Promise<(JournalEntry | undefined)[]> {
  const journal = await FileJournal.open(file);
  const entries = await Promise.all(
    [opened, presented, refused].map(({ key }) => journal.read(key)),
  );
  await journal.close();
  return entries;
}

test('entries are read again, the last of each key', async () => {
  const file = join(folder, 'entries');
  const journal = await FileJournal.open(file);
  await Promise.all([
    journal.write({ ...presented, outcome: undefined }),
    journal.write(opened),
    journal.write(refused),
  ]);
  await journal.write(presented);
  await journal.write(lodged);
  assert.deepEqual(await journal.read('p'), presented);
  await journal.close();
  assert.deepEqual(await readAll(file), [opened, presented, refused]);
  const again = await FileJournal.open(file);
  assert.deepEqual(await again.read('l'), lodged);
  await again.close();
});

test('the journal of another owner is refused, wherever its first line was cut', async () => {
  const file = join(folder, 'owned');
  const owner = { service: 'https://customs.example', client: 'carrier' };
  const open = (client: string) => FileJournal.open(file, { owner: { ...owner, client } });
  const header = `${JSON.stringify(owner)}\n`;
  for (let length = 0; length <= header.length; length++) {
    await writeFile(file, header.slice(0, length));
    const journal = await open('carrier');
    await journal.write(presented);
    await journal.close();
  }
  assert.equal(await readFile(file, 'utf8'), `${header}${JSON.stringify(presented)}\n`);
  const again = await open('carrier');
  assert.deepEqual(await again.read('p'), presented);
  await again.close();
  await assert.rejects(open('forwarder'), /is a journal of .*carrier.*, not of .*forwarder/);
  await assert.rejects(FileJournal.open(file), /line 1 is not an entry/);
  await writeFile(file, `${JSON.stringify(presented)}\n`);
  await assert.rejects(open('carrier'), /is a journal of no owner/);
});

test('an incomplete last line is removed, wherever it was cut', async () => {
  const file = join(folder, 'torn');
  const first = { ...refused, key: opened.key };
  const whole = `${JSON.stringify(first)}\n`;
  const last = Buffer.from(`${JSON.stringify(refused)}\n`);
  for (let length = 0; length < last.length; length++) {
    await writeFile(file, Buffer.concat([Buffer.from(whole), last.subarray(0, length)]));
    const journal = await FileJournal.open(file);
    assert.equal(await journal.read(refused.key), undefined);
    await journal.write(presented);
    await journal.close();
    assert.deepEqual(await readAll(file), [first, presented, undefined]);
  }
});

test('closing waits for what is being written', async () => {
  const file = join(folder, 'closed');
  const journal = await FileJournal.open(file);
  const writing = journal.write(presented);
  await journal.close();
  await writing;
  assert.deepEqual(await readAll(file), [undefined, presented, undefined]);
});

test('a file with anything else is refused and not changed', async () => {
  const file = join(folder, 'other');
  for (const line of [
    '{"name":"carrier"}',
    'text',
    JSON.stringify({ ...presented, outcome: 'x' }),
    JSON.stringify({ ...lodged, status: undefined }),
  ]) {
    const text = `${JSON.stringify(opened)}\n${line}\nrest`;
    await writeFile(file, text);
    await assert.rejects(
      FileJournal.open(file),
      (thrown) => thrown instanceof ConfigurationError && thrown.message.includes('line 2'),
    );
    assert.equal(await readFile(file, 'utf8'), text);
  }
});

/** Limits the size of the files that this process writes. */
function limitFileSize(bytes: number | 'unlimited'): void {
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`]);
}

test('a journal that is open is not opened again', async () => {
  const file = join(folder, 'locked');
  const journal = await FileJournal.open(file);
  await assert.rejects(FileJournal.open(file), ConfigurationError);
  await journal.close();
  await (await FileJournal.open(file)).close();
});

/** The limit of a process can be changed while it runs only on Linux. */
const skip = process.platform !== 'linux' && 'needs prlimit';

test('after a failed write, every later one fails, and what was written before remains', {
  skip,
}, async () => {
  const file = join(folder, 'full');
  const journal = await FileJournal.open(file);
  await journal.write(opened);
  limitFileSize(100);
  await assert.rejects(journal.write(refused), { code: 'EFBIG' });
  limitFileSize('unlimited');
  await assert.rejects(journal.write(presented), { code: 'EFBIG' });
  assert.equal(await journal.read(refused.key), undefined);
  await journal.close();
  assert.deepEqual(await readAll(file), [opened, undefined, undefined]);
});

test('a process that is killed again and again presents each item exactly once', async () => {
  const playground = await startTestPlayground({ rateLimit: 0 });
  const proxy = await startFaultyProxy(playground.baseUrl);
  const file = join(folder, 'killed');
  const entry = new URL('../testing/present-many-process.js', import.meta.url);
  const count = 400;
  let kills = 0;
  for (;;) {
    const argv = [playground.dataFolder, proxy.url, file, String(count)];
    const child = fork(entry, argv);
    const outcomes: { requestId: string; outcome: string }[] = [];
    const presentedBefore = proxy.requests.length;
    // Killed after some items were sent: their responses are on their way.
    const timer = setInterval(() => {
      const sent = proxy.requests.length - presentedBefore;
      if (kills < 4 && sent > 60) child.kill('SIGKILL');
    }, 1);
    child.on('message', (outcome: (typeof outcomes)[number]) => outcomes.push(outcome));
    const [code, signal] = await once(child, 'close');
    clearInterval(timer);
    if (signal === 'SIGKILL') {
      kills++;
      // What the disk may have of the next line.
      await appendFile(file, '{"key":"');
      continue;
    }
    assert.equal(code, 0);
    assert.equal(kills, 4);
    assert.equal(outcomes.length, count);
    assert(outcomes.every(({ outcome }) => outcome === 'presented'));

    const carrier = await playground.client('carrier');
    const recorded: string[] = [];
    let query: { marker?: string | undefined } | undefined = {};
    while (query !== undefined) {
      const page = await carrier.listValidationStatuses(query);
      recorded.push(...page.entries.map(({ requestId }) => requestId));
      query = page.next;
    }
    assert.deepEqual(recorded.sort(), outcomes.map(({ requestId }) => requestId).sort());
    return;
  }
});
