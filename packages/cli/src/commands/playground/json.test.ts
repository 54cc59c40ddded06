// `landfall playground --json`: for programs that start it, in any language.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { landfallScript, startLandfall, testEnvironment } from '../../testing/run-landfall.js';

/** The folder for temporary files of the commands. */
const temporary = await mkdtemp(join(tmpdir(), 'landfall-test-'));
/** Playgrounds with data in the folder. */
const others: ReturnType<typeof startLandfall>[] = [];
after(async () => {
  for (const other of others) {
    other.process.kill();
    await other.ended;
  }
  await rm(temporary, { recursive: true });
});

test('prints one line of JSON with addresses and credentials, and stops when stdin closes', async () => {
  // Whatever is logged.
  const options = ['--port', '0', '--json', '--log-level', 'info'];
  const command = startLandfall(['playground', ...options], { TMPDIR: temporary });
  after(() => command.process.kill());
  await command.printed(/^\{.*\}\n/);
  assert.equal((await readdir(temporary)).length, 1);
  command.process.stdin?.end();
  const { code, stdout } = await command.ended;
  assert.equal(code, 0);
  const { baseUrl, idpUrl, identities } = JSON.parse(stdout);
  assert.equal(stdout.split('\n').length, 2);
  assert.equal(idpUrl, `${baseUrl}/idp`);
  const carrier = identities.find(({ name }: { name: string }) => name === 'carrier');
  assert.match(carrier.private_key, /^-----BEGIN PRIVATE KEY-----/);
  assert.equal(carrier.base_url, baseUrl);
  await assert.rejects(fetch(`${baseUrl}/livez`));
  assert.deepEqual(await readdir(temporary), []);
});

test('stops when its parent is killed, although nothing closes its stdin', async () => {
  // The parent starts the command with /dev/null as stdin, hands its output on, and waits.
  const script = `
    const { spawn } = require('node:child_process');
    spawn(process.execPath, ${JSON.stringify([landfallScript, 'playground', '--port', '0', '--json'])}, {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    setInterval(() => undefined, 1000);`;
  const parent = spawn(process.execPath, ['-e', script], {
    env: testEnvironment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { baseUrl } = await new Promise<{ baseUrl: string }>((resolve) => {
    let text = '';
    parent.stdout.on('data', (part: Buffer) => {
      text += part.toString();
      if (text.includes('\n')) resolve(JSON.parse(text));
    });
  });
  assert.equal((await fetch(`${baseUrl}/livez`)).status, 200);
  parent.kill('SIGKILL');
  // Its output ends when the command, which has inherited it, has ended.
  await new Promise((resolve) => parent.stdout.once('close', resolve));
  await assert.rejects(fetch(`${baseUrl}/livez`));
});

/** Everything that keeps a playground from starting: the options, and what the error says. */
const failures: Record<
  string,
  () => Promise<{ options: string[]; error: RegExp; exitCode?: number }>
> = {
  'no address to listen on': async () => ({
    options: ['--port', '0', '--host', ''],
    error: /host must not be empty/,
    exitCode: 2,
  }),
  'an address that is none of a database': async () => ({
    options: ['--port', '0', '--database-url', 'nope'],
    error: /--database-url is not an address such as postgresql:/,
    exitCode: 2,
  }),
  'a database that does not respond': async () => ({
    options: ['--port', '0', '--database-url', 'postgresql://landfall@127.0.0.1:1/none'],
    error: /cannot connect to the database at --database-url \(.*ECONNREFUSED/,
  }),
  'a decision of a dataset on goods that are in no line': async () => {
    const file = join(temporary, 'decision.ndjson');
    const lines = [
      {
        mrn: '26NO00000000000001',
        customsOfficeOfFirstEntry: 'NO351001',
        declarant: '0192:310000086',
        houseConsignments: [],
      },
      {
        decision: {
          mrn: '26NO00000000000001',
          transportDocumentHouseLevel: { documentNumber: 'H1', type: 'N703' },
          routing: 'TO_ENTRY',
        },
      },
    ];
    await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'));
    return {
      options: ['--port', '0', '--dataset', file],
      error: /line 2: decision\.transportDocumentHouseLevel: .* \(REFERENCE_NOT_FOUND\)/,
    };
  },
  'a dataset that does not exist': async () => ({
    options: ['--port', '0', '--dataset', 'none.ndjson'],
    error: /the dataset none\.ndjson is none of/,
  }),
  'a dataset that is refused': async () => {
    const file = join(temporary, 'refused.ndjson');
    await writeFile(file, '{"mrn":"x"}\n');
    return { options: ['--port', '0', '--dataset', file], error: /refused\.ndjson/ };
  },
  'a port that is in use': async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    after(() => server.close());
    // The cast is true because the server listens on a port.
    const { port } = server.address() as AddressInfo;
    return { options: ['--port', String(port)], error: /is in use|EADDRINUSE/ };
  },
  'a data folder that is a file': async () => {
    const file = join(temporary, 'file');
    await writeFile(file, '');
    return { options: ['--port', '0', '--data', file], error: /file/ };
  },
  'a data folder that cannot be written to': async () => {
    // The superuser may write everywhere but in what is no place for files.
    const isSuperuser = process.getuid?.() === 0;
    const folder = isSuperuser
      ? '/dev/null/landfall'
      : await mkdtemp(join(temporary, 'read-only-'));
    if (!isSuperuser) await chmod(folder, 0o555);
    return {
      options: ['--port', '0', '--data', folder],
      error: /cannot write to the data folder .+ \((EACCES|ENOTDIR)\); choose another with --data/,
    };
  },
  'a data folder in use': async () => {
    const folder = join(temporary, 'used');
    const other = startLandfall(['playground', '--port', '0', '--data', folder, '--json']);
    others.push(other);
    await other.printed(/^\{.*\}\n/);
    return { options: ['--port', '0', '--data', folder], error: /is already open in process/ };
  },
};
for (const [failure, prepare] of Object.entries(failures)) {
  test(`ends with ${failure}, while its stdin is an open pipe`, async () => {
    const { options, error, exitCode = 1 } = await prepare();
    const command = startLandfall(['playground', '--json', ...options], { TMPDIR: temporary });
    after(() => command.process.kill());
    const { code, stderr, stdout } = await command.ended;
    assert.equal(code, exitCode, stderr);
    assert.doesNotMatch(stderr, /\n +at |unexpected error/);
    assert.equal(stdout, '');
    assert.match(stderr, error);
  });
}
