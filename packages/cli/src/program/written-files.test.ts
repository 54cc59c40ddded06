// What commands write into files, on a disk that is full and by several at once: exit code 0 says that it is written, an error is
// one line, and what was there before stays. A new option that names a file has to be added here.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import type { Playground } from '@landfall/playground';
import { isReading } from '../input/only-reads.js';
import { houseMessage } from '../testing/movement-messages.js';
import { landfallScript, type Run, testEnvironment } from '../testing/run-landfall.js';
import { startPlayground } from '../testing/start-playground.js';
import { makeSubcommands } from '../testing/subcommands.js';
import { makeTemporaryFolder } from '../testing/temporary-folder.js';
import { findSubcommands } from './command-reference.js';
import { makeProgram } from './program.js';

const folder = await makeTemporaryFolder();
const data = join(folder, 'data');
const configuration = join(folder, 'configuration');
let playground: Playground;
let documentId = '';

before(async () => {
  playground = await startPlayground(data);
  const document = join(folder, 'document.txt');
  writeFileSync(document, 'a document\n');
  const words = `document upload ${document} --declaration-id 974760673-10082022-1 --type invoice`;
  const { stdout } = await run([...words.split(' '), '--data', data, '--json']);
  documentId = JSON.parse(stdout).documentId;
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
});
after(() => {
  receiver.closeAllConnections();
  receiver.close();
  return playground.close();
});

/** Repeats challenges, and confirms everything. */
const receiver = createServer(async (request, response) => {
  response.end(JSON.stringify({ challenge: JSON.parse(await text(request)).challenge }));
});
// The cast is true because the server listens on a port.
const receiverPort = () => (receiver.address() as AddressInfo).port;

/** Runs a command in a shell; `prepare` is done there first. */
function run(words: readonly string[], prepare = 'true', input = ''): Promise<Run> {
  const command = [process.execPath, ...process.execArgv, landfallScript, ...words];
  const env = { ...testEnvironment, XDG_CONFIG_HOME: configuration, XDG_CACHE_HOME: folder };
  return new Promise((resolve) => {
    const child = execFile(
      'sh',
      ['-c', `${prepare}; exec "$@"`, 'sh', ...command],
      { env },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
      },
    );
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

/** No file can have a byte more; pipes and sockets can. */
const FULL_DISK = 'ulimit -f 0';

/** Options that name a file or a folder, and what it is for. */
const fileOptions: Record<string, 'read' | 'written'> = {
  'admin audit decisions --to': 'written',
  'admin audit export --to': 'written',
  'admin audit verify --dir': 'read',
  'admin audit verify --ends': 'read',
  'admin keys change-passphrase --keys': 'written',
  'admin keys change-passphrase --new-passphrase-file': 'read',
  'admin keys list --keys': 'read',
  'admin keys rotate --keys': 'written',
  'dataset generate --output': 'written',
  'document read --output': 'written',
  'feed follow --store': 'written',
  'movement check --offices': 'read',
  'movement check --places': 'read',
  'movement lodge --failed': 'written',
  'movement lodge --file': 'read',
  'movement lodge --journal': 'written',
  'movement replace --file': 'read',
  'movement status follow --store': 'written',
  'organisation add-key --certificate': 'read',
  'organisation create --certificate': 'read',
  'present --failed': 'written',
  'present --file': 'read',
  'present --journal': 'written',
  'push listen --store': 'written',
  'routing follow --store': 'written',
  'routing wait --file': 'read',
  'routing wait --store': 'written',
  'routing-run create --ids': 'read',
  'status follow --store': 'written',
  'token doctor --jwks': 'read',
  'token doctor --trust': 'read',
};

/** Options of many commands; all of them are read. */
const common = ['--credentials', '--data', '--control-secret-file'];

test('what each option is for that names a file', () => {
  const found = findSubcommands(makeProgram()).flatMap(({ name, command }) =>
    command.options
      .filter(({ flags, long }) => /<(file|folder)/.test(flags) && !common.includes(long ?? ''))
      .map(({ long }) => `${name} ${long}`),
  );
  assert.deepEqual(found.sort(), Object.keys(fileOptions).sort());
});

const passphrase = join(folder, 'passphrase');
writeFileSync(passphrase, 'a passphrase of a test\n', { mode: 0o600 });
const parcels = 'containerId\nJARU0000010\nX\n';
/** The second message fails: the document of the first one is in use. */
const messages = [houseMessage('W1'), houseMessage('W1', { goodsDescription: 'Others' })]
  .map((message) => `${JSON.stringify(message)}\n`)
  .join('');

/** What writes the file of each option, or changes data without a service, and its input. */
const writing: [name: string, words: (file: string) => string, input?: string][] = [
  ['profile add', () => 'profile add more --as carrier'],
  ['profile use', () => 'profile use second'],
  ['profile remove', () => 'profile remove second'],
  ['admin keys rotate', () => `admin keys rotate --data ${data}`],
  [
    'admin keys change-passphrase --keys',
    () =>
      `admin keys change-passphrase --keys ${join(data, 'keys')} --new-passphrase-file ${passphrase}`,
  ],
  ['admin keys rotate --keys', () => `admin keys rotate --keys ${join(data, 'keys')}`],
  [
    'dataset generate --output',
    (file) => `dataset generate post-terminal --houses 40 --output ${file}`,
  ],
  [
    'document read --output',
    (file) => `document read ${documentId} --as authority --data ${data} --output ${file}`,
  ],
  [
    'feed follow --store',
    (file) => `feed follow --limit 1 --marker start --data ${data} --store ${file}`,
  ],
  [
    'movement lodge --failed',
    (file) => `movement lodge --file - --mode road --as forwarder --data ${data} --failed ${file}`,
    messages,
  ],
  [
    'movement lodge --journal',
    (file) => `movement lodge --file - --mode road --as forwarder --data ${data} --journal ${file}`,
    messages,
  ],
  [
    'movement status follow --store',
    (file) =>
      `movement status follow --limit 1 --marker start --as forwarder --data ${data} --store ${file}`,
  ],
  [
    'present --failed',
    (file) => `present container --file - --skip-invalid --data ${data} --failed ${file}`,
    parcels,
  ],
  [
    'present --journal',
    (file) => `present container --file - --skip-invalid --data ${data} --journal ${file}`,
    parcels,
  ],
  [
    'push listen --store',
    (file) =>
      `push listen --forward-to http://127.0.0.1:${receiverPort()} --limit 1 --within 20 --data ${data} --store ${file}`,
  ],
  [
    'routing follow --store',
    (file) => `routing follow --limit 1 --marker start --data ${data} --store ${file}`,
  ],
  [
    'routing wait --store',
    (file) => `routing wait --document HC001 --type N740 --within 5 --data ${data} --store ${file}`,
  ],
  [
    'status follow --store',
    (file) => `status follow --limit 1 --marker start --data ${data} --store ${file}`,
  ],
];

/** They read a database that is not there in this test; the files have tests of their own where they are written. */
const elsewhere = ['admin audit decisions --to', 'admin audit export --to'];

test('everything that is written is tried', () => {
  const reading = new Set(
    findSubcommands(makeProgram())
      .filter(({ command }) => isReading(command))
      .map(({ name }) => name),
  );
  const local = makeSubcommands(folder, data)
    .filter(([name, , identity]) => identity === undefined && !reading.has(name))
    .map(([name]) => name);
  const options = Object.keys(fileOptions).filter((name) => fileOptions[name] === 'written');
  const tried = writing.map(([name]) => name);
  assert.deepEqual([...tried, ...elsewhere].sort(), [...local, ...options].sort());
});

/** The files of a folder with their contents. */
function contentsOf(path: string): Record<string, string> {
  if (!existsSync(path)) return {};
  const names = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    names.map(({ name }) => [name, readFileSync(join(path, name), 'utf8')]),
  );
}

for (const [index, [name, words, input]] of writing.entries()) {
  test(`landfall ${name}: the disk is full`, { timeout: 60_000 }, async () => {
    if (index === 0) {
      for (const profile of ['first', 'second']) {
        assert.equal((await run(`profile add ${profile} --as carrier`.split(' '))).code, 0);
      }
    }
    const own = join(folder, `own-${index}`);
    mkdirSync(own);
    const file = join(own, 'file');
    const folders = [own, join(data, 'keys'), join(configuration, 'landfall')];
    const earlier = folders.map(contentsOf);
    const { code, stderr } = await run(words(file).split(' '), FULL_DISK, input);
    assert.equal(code, 1, stderr);
    assert.match(stderr, /^error: .*EFBIG/m);
    assert.doesNotMatch(stderr, /unexpected error|\n {4}at |node:internal/);
    const later = folders.map(contentsOf);
    // An empty file that was begun is no loss.
    if (later[0]?.file === '') delete later[0].file;
    assert.equal(JSON.stringify(later), JSON.stringify(earlier));
  });
}

test('what fails outside of a command prints no code', { timeout: 60_000 }, async () => {
  const preload = join(folder, 'fail.mjs');
  writeFileSync(
    preload,
    `setInterval(() => {
      if (process.listenerCount('uncaughtException') > 0) throw new RangeError('out of the blue');
    }, 10);`,
  );
  const { code, stdout, stderr } = await run(
    `feed follow --data ${data}`.split(' '),
    `export NODE_OPTIONS='--import ${preload}'`,
  );
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /^error: unexpected error: RangeError: out of the blue$/m);
  assert.doesNotMatch(stderr, /throw new|\^/);
});

test('profiles that are added at once are all there', { timeout: 60_000 }, async () => {
  const names = Array.from({ length: 8 }, (_, index) => `at-once-${index}`);
  const runs = await Promise.all(
    names.map((name) => run(`profile add ${name} --as carrier`.split(' '))),
  );
  const { stdout } = await run(['profile', 'list', '--json']);
  for (const [index, name] of names.entries()) {
    const { code, stderr } = runs[index] ?? { code: 1, stderr: '' };
    assert.equal(code, 0, stderr);
    assert(stdout.includes(`"${name}"`), `${name} was added and is not there:\n${stdout}`);
  }
});
