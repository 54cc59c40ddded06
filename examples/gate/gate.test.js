// The gate while the service is away, and without credentials: npm test
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Landfall } from '@landfall/client';
import { readCredentials } from '@landfall/client/node';

const WITHIN_MS = 60_000;
const gateProgram = fileURLToPath(new URL('gate.js', import.meta.url));
const landfallProgram = fileURLToPath(import.meta.resolve('landfall/package.json')).replace(
  'package.json',
  'bin/landfall.js',
);

const folder = await mkdtemp(join(tmpdir(), 'gate-'));
const data = join(folder, 'data');
const credentials = join(data, 'credentials', 'carrier.json');
const started = [];
after(async () => {
  for (const process of started) process.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Starts a program in the folder, with the first line that it prints. */
async function start(program, args, env = {}) {
  const running = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  started.push(running);
  const [line] = await once(createInterface(running.stdout), 'line');
  return { running, line };
}

const startPlayground = (port) =>
  start(landfallProgram, ['playground', '--json', '--port', port, '--data', data]);

/** Waits until the response about a document has these members. */
async function awaitRelease(gate, document, expected) {
  const url = `${gate}/release?document=${document}&type=N740`;
  let response;
  for (const end = Date.now() + WITHIN_MS; Date.now() < end; await wait(100)) {
    response = await (await fetch(url)).json();
    if (Object.entries(expected).every(([name, value]) => response[name] === value))
      return response;
  }
  assert.deepEqual(response, expected);
}

async function present(documentNumber) {
  const landfall = new Landfall(await readCredentials(credentials));
  await landfall.presentHouseConsignment({
    customsOfficeOfPresentation: 'NO351001',
    transportDocumentHouseLevel: { documentNumber, type: 'N740' },
  });
}

test('while the connection is lost, the gate says since when, and then catches up', async () => {
  const { running: playground, line } = await startPlayground('0');
  const { port } = new URL(JSON.parse(line).baseUrl);
  const { line: listens } = await start(gateProgram, ['0'], { CREDENTIALS: credentials });
  const gate = `http://127.0.0.1:${listens.split(' ').at(-1)}`;
  await present('HC001');
  await awaitRelease(gate, 'HC001', { release: true, connected: true });

  const ended = once(playground, 'exit');
  playground.kill('SIGKILL');
  await ended;
  const { upToDateAt } = await awaitRelease(gate, 'HC001', { release: true, connected: false });
  assert(Math.abs(Date.now() - Date.parse(upToDateAt)) < WITHIN_MS, upToDateAt);
  assert.equal((await fetch(`${gate}/readyz`)).status, 503);

  await startPlayground(port);
  await awaitRelease(gate, 'HC001', { release: true, connected: true });
  await present('HC002');
  await awaitRelease(gate, 'HC002', { release: false, reason: 'TO_CONTROL', connected: true });
  assert.equal((await fetch(`${gate}/readyz`)).status, 200);
});

test('without credentials the gate ends with a message', async () => {
  const running = spawn(process.execPath, [gateProgram, '0'], {
    cwd: folder,
    env: { ...process.env, CREDENTIALS: 'missing.json' },
  });
  let said = '';
  running.stderr.on('data', (text) => {
    said += text;
  });
  const [code] = await once(running, 'close');
  assert.equal(code, 1);
  assert.match(said, /^the gate does not start: .*missing\.json.*\n$/);
});
