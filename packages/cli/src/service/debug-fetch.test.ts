// --debug shows each request and response of a command, and no secret; the result is unchanged.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import type { Playground } from '@landfall/playground';
import { runCommand } from '../testing/run-command.js';
import { runLandfall } from '../testing/run-landfall.js';
import { startPlayground } from '../testing/start-playground.js';
import { makeTemporaryFolder } from '../testing/temporary-folder.js';

const data = await makeTemporaryFolder();
let playground: Playground;
before(async () => {
  playground = await startPlayground(data);
});
after(() => playground.close());

const run = (line: string, input = '') =>
  runCommand([...line.split(' '), '--data', data], { input });

/** Nothing of a token, a grant or a key that this playground gave. */
async function assertNoSecrets(text: string): Promise<void> {
  assert.doesNotMatch(text, /eyJ|PRIVATE KEY|Bearer \S{10}/);
  const folder = join(data, 'tokens');
  for (const file of await readdir(folder).catch(() => [])) {
    const { token } = JSON.parse(await readFile(join(folder, file), 'utf8'));
    for (const part of String(token).split('.')) assert.ok(!text.includes(part.slice(0, 30)));
  }
}

it('shows the grant, the exchange and the call, with their bodies', async () => {
  const { code, stdout, stderr } = await run(
    'present house-consignment --document HC001 --type N740 --json --debug',
  );
  assert.equal(code, 0, stderr);
  const { requestId } = JSON.parse(stdout);
  await assertNoSecrets(stderr);
  assert.match(stderr, /^1 > POST http:\S+\/idp\/token$/m);
  assert.match(stderr, /^1 > grant_type=\S+&assertion=\[redacted\]$/m);
  assert.match(stderr, /^1 < 200 OK \(\d+ ms\)$/m);
  assert.match(stderr, /^1 < \{"access_token":"\[redacted\]","token_type":"Bearer"/m);
  assert.match(stderr, /^2 > POST http:\S+\/oauth\/token$/m);
  assert.match(stderr, /subject_token=\[redacted\]/);
  assert.match(stderr, /^3 > POST http:\S+\/house-consignment$/m);
  assert.match(stderr, /^3 > authorization: \[redacted\]$/m);
  assert.match(stderr, /^3 > \{.*"HC001"/m);
  assert.match(stderr, new RegExp(`^3 > \\{.*"requestId":"${requestId}"`, 'm'));
  assert.match(stderr, /^3 < 202 Accepted \(\d+ ms\)$/m);
  assert.match(stderr, new RegExp(`^3 < \\{"requestId":"${requestId}"\\}$`, 'm'));
});

it('shows a token that a command prints only where it is printed', async () => {
  const { code, stdout, stderr } = await run('token create --raw --debug');
  assert.equal(code, 0);
  assert.match(stdout, /^eyJ[\w.-]+\n$/);
  await assertNoSecrets(stderr);
  for (const part of stdout.trim().split('.')) assert.ok(!stderr.includes(part.slice(0, 20)));
});

it('shows the beginning of long bodies, and uploads that are streamed', async () => {
  const messages = await runLandfall(['feed', 'generate', '--declarations', '30', '--seed', '1']);
  const imported = await run('feed import - --as authority --debug', messages.stdout);
  assert.equal(imported.code, 0, imported.stderr);
  assert.match(imported.stderr, /> POST \S+goods-items\n/);
  const plain = await run('feed list --as authority --json');
  const { stdout, stderr, code } = await run('feed list --as authority --json --debug');
  assert.equal(code, 0);
  assert.equal(stdout, plain.stdout);
  assert.match(stderr, /^\d < \(more\)$/m);
  assert.ok(stderr.length < 10_000);
  await assertNoSecrets(stderr + imported.stderr);
});

it('shows a refusal, and that there was no response', async () => {
  const refused = await run('consignment view 4a3ff6a0-6d0c-4f5a-9b1f-3f1d9d4f0a01 --debug');
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^\d < 404 Not Found .*\n[\s\S]*"status":404/m);
  const unreachable = await run('status list --debug --url http://127.0.0.1:9');
  assert.equal(unreachable.code, 3);
  assert.match(unreachable.stderr, /^1 < no response after \d+ ms: \S+/m);
});

it('--timeout limits how long a response may take', async () => {
  const { createServer } = await import('node:net');
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const address = silent.address();
  assert.ok(typeof address === 'object' && address !== null);
  const { code, stderr } = await run(
    `status list --timeout 1 --url http://127.0.0.1:${address.port}`,
  );
  silent.close();
  assert.equal(code, 3);
  assert.match(stderr, /1(?:\.0|,000)? ?m?s/);
  const wrong = await run('status list --timeout 0');
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /--timeout.*from 1 to 3600/);
});
