// `landfall playground` for clients on other hosts: what it prints, its health addresses, and the commands that control it.
import assert from 'node:assert/strict';
import { chmod, readdir, writeFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type RunningCommand, runLandfall, startLandfall } from '../../testing/run-landfall.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

const folder = await makeTemporaryFolder();
const secret = 'a-secret-of-the-command';
const file = join(folder, 'secret');
/** An address of this machine that is not loopback is as one of another host. */
const outside = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === 'IPv4' && !address.internal)?.address;
const host = outside ?? 'localhost';

let playground: RunningCommand;
let port: string;
before(async () => {
  await writeFile(file, `${secret}\n`, { mode: 0o600 });
  const options = [
    '--temporary',
    '--host',
    '0.0.0.0',
    '--port',
    '0',
    '--control-secret-file',
    file,
  ];
  playground = startLandfall(['playground', ...options], {
    TMPDIR: folder,
    LANDFALL_PUBLIC_URL: `http://playground:8080, http://${host}:*`,
  });
  // Programs in any language wait for this line: it never changes.
  await playground.printed(/^Landfall is running\.$/m);
  port = await findPort();
});

after(() => playground.process.kill());

/** The port at which the process listens, as it is not in an address that was configured. */
async function findPort(): Promise<string> {
  const [, found = ''] = await playground.printed(/^ {2}listening on +0\.0\.0\.0:(\d+)$/m);
  return found;
}

const run = (words: readonly string[], environment = {}) =>
  runLandfall([...words, '--url', `http://${host}:${port}`], { environment });

test('the line of a playground that is ready, and its health addresses', async () => {
  for (const path of ['/livez', '/readyz']) {
    assert.equal((await fetch(`http://${host}:${port}${path}`)).status, 200);
  }
});

test('commands control it from another host with the secret, and without TLS only if they may', async () => {
  const LANDFALL_CONTROL_SECRET = secret;
  const created = ['scenario', 'create', 'lost-response'];
  if (outside !== undefined) {
    const plain = await run(created, { LANDFALL_CONTROL_SECRET });
    assert.equal(plain.code, 2);
    assert.match(plain.stderr, /over http.*--allow-http/);
  }
  const allowed = await run([...created, '--allow-http'], { LANDFALL_CONTROL_SECRET });
  assert.equal(allowed.code, 0, allowed.stderr);
  const listed = await run([
    'scenario',
    'list',
    '--json',
    '--allow-http',
    '--control-secret-file',
    file,
  ]);
  assert.equal(JSON.parse(listed.stdout).length, 1, listed.stderr);
  for (const [environment, message] of [
    [{}, /refused \(401.*--control-secret-file/s],
    [{ LANDFALL_CONTROL_SECRET: `${secret}x` }, /refused \(401/],
    [{ LANDFALL_CONTROL_SECRET: secret, LANDFALL_CONTROL_SECRET_FILE: file }, /only one of/],
  ] as const) {
    const { code, stderr, stdout } = await run(['snapshot', 'list', '--allow-http'], environment);
    assert.notEqual(code, 0, stdout);
    assert.match(stderr, message);
    assert(!stderr.includes(secret));
  }
  const debug = await run(['scenario', 'list', '--allow-http', '--debug'], {
    LANDFALL_CONTROL_SECRET,
  });
  assert.match(debug.stderr, /authorization/i);
  assert(!debug.stderr.includes(secret));
});

test('a secret that others can read, or that is too short, is refused at the start', async () => {
  const open = join(folder, 'open');
  await writeFile(open, secret);
  await chmod(open, 0o644);
  for (const [environment, message] of [
    [{ LANDFALL_CONTROL_SECRET_FILE: open }, /LANDFALL_CONTROL_SECRET_FILE .*is open to others/],
    [{ LANDFALL_CONTROL_SECRET: 'short' }, /LANDFALL_CONTROL_SECRET.* 16 /],
    [{ LANDFALL_PUBLIC_URL: 'playground:8080' }, /LANDFALL_PUBLIC_URL.*http:\/\/playground:8080/],
  ] as const) {
    const words = ['playground', '--temporary', '--port', '0'];
    const { code, stderr } = await runLandfall(words, { environment });
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
  }
  const both = await runLandfall(['playground', '--temporary', '--data', folder]);
  assert.equal(both.code, 2, both.stderr);
});

test('SIGTERM ends it with 0, and leaves nothing', async () => {
  playground.process.kill('SIGTERM');
  const { code } = await playground.ended;
  assert.equal(code, 0);
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith('landfall')),
    [],
  );
});
