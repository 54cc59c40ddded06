// Every command that changes data, refused, with its output closed before and in the middle of its work, and stopped: exit code 0 says that
// all is done. The commands are those that do not say that they only read, so a new one is tested too.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Playground } from '@landfall/playground';
import { isReading } from '../input/only-reads.js';
import { startLandfall } from '../testing/run-landfall.js';
import { startPlayground } from '../testing/start-playground.js';
import { makeSubcommands, writeSubcommandFiles } from '../testing/subcommands.js';
import { makeTemporaryFolder } from '../testing/temporary-folder.js';
import { findSubcommands } from './command-reference.js';
import { makeProgram } from './program.js';

const folder = await makeTemporaryFolder();
const data = join(folder, 'data');
let playground: Playground;

/** Requests that change data: those that have arrived, and those whose response says that they were carried out. */
let arrived = 0;
let done = 0;
/** Is called instead of passing such a request on. */
let hold: ((response: ServerResponse) => void) | undefined;

const proxy = createServer((incoming, outgoing) => {
  const { method = 'GET', headers, url = '/' } = incoming;
  const changes = method !== 'GET' && !url.endsWith('/token');
  if (changes) arrived += 1;
  if (changes && hold !== undefined) {
    incoming.resume();
    hold(outgoing);
    return;
  }
  const forwarded = request(new URL(url, playground.baseUrl), { method, headers }, (response) => {
    if (changes && (response.statusCode ?? 500) < 300) done += 1;
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(outgoing);
  });
  forwarded.on('error', () => outgoing.destroy());
  incoming.pipe(forwarded);
}).listen(0, '127.0.0.1');
await once(proxy, 'listening');
// The cast is true because the server listens on a port, not on a pipe.
const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;

before(async () => {
  playground = await startPlayground(data);
  await writeSubcommandFiles(folder, data);
});
after(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await playground.close();
});

/** Starts a command whose output nobody reads once it is closed. */
function start(line: string) {
  const running = startLandfall([...line.split(' '), '--data', data, '--url', url]);
  const close = () => {
    running.process.stdout?.destroy();
    running.process.stderr?.destroy();
  };
  return { process: running.process, close, ended: once(running.process, 'exit') };
}

const reading = new Set(
  findSubcommands(makeProgram())
    .filter(({ command }) => isReading(command))
    .map(({ name }) => name),
);
const changing = makeSubcommands(folder, data).filter(
  ([name, , identity]) => identity !== undefined && !reading.has(name),
);

test('there are commands that change data', () => assert(changing.length >= 25));

for (const [name, words, identity] of changing) {
  const line = `${name} ${words}`.trim();
  test(`landfall ${name}: code 0 says that all is done`, { timeout: 60_000 }, async () => {
    // Nobody answers the first change, the output is closed meanwhile, and the command is told to stop.
    const held = new Promise<ServerResponse>((resolve) => {
      hold = resolve;
    });
    const stopped = start(`${line} --as ${identity}`);
    const hasBegun = await Promise.race([held.then(() => true), stopped.ended.then(() => false)]);
    stopped.close();
    if (hasBegun) stopped.process.kill('SIGTERM');
    const [stoppedCode] = await stopped.ended;
    assert.notEqual(stoppedCode, 0, 'it was stopped before anything was done');
    (await (hasBegun ? held : undefined))?.destroy();
    // What is on the way, such as a firewall, takes no such request.
    hold = (response) => {
      response.writeHead(403, { 'content-type': 'application/problem+json' });
      response.end('{"title":"Forbidden","status":403,"detail":"not here"}');
    };
    const [forbiddenCode] = await start(`${line} --as ${identity}`).ended;
    assert.notEqual(forbiddenCode, 0, 'every change was refused');
    hold = undefined;

    // The reader has gone before there is anything to read.
    arrived = 0;
    done = 0;
    const closed = start(`${line} --as ${identity}`);
    closed.close();
    const [code] = await closed.ended;
    if (code === 0) assert(done > 0 && done === arrived, `${done} of ${arrived} changes are done`);
    else assert([1, 2, 3, 4, 141].includes(code), `code ${code}`);
  });
}
