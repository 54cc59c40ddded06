// Every command that changes data, stopped with its output closed in the middle of its work, and refused: exit code 0 says that all is
// done. The commands are those that do not say that they only read, so a new one is tested too.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Playground } from '@landfall/playground';
import { drawCases } from '../../../contract/dist/testing/drawn-cases.js';
import { startCountingProxy } from '../testing/counting-proxy.js';
import { startLandfall } from '../testing/run-landfall.js';
import { startPlayground } from '../testing/start-playground.js';
import { changingSubcommands, writeSubcommandFiles } from '../testing/subcommands.js';
import { makeTemporaryFolder } from '../testing/temporary-folder.js';

const folder = await makeTemporaryFolder();
const data = join(folder, 'data');
let playground: Playground;

const proxy = await startCountingProxy(() => playground.baseUrl);

before(async () => {
  playground = await startPlayground(data);
  await writeSubcommandFiles(folder, data);
});
after(async () => {
  await playground.close();
});

/** Starts a command whose output nobody reads once it is closed. */
function start(line: string) {
  const running = startLandfall([...line.split(' '), '--data', data, '--url', proxy.url]);
  const close = () => {
    running.process.stdout?.destroy();
    running.process.stderr?.destroy();
  };
  return { process: running.process, close, ended: once(running.process, 'exit') };
}

const changing = changingSubcommands(folder, data);

test('there are commands that change data', () => assert(changing.length >= 25));

/** Commands that have sent a change: the others found nothing to do. */
let begun = 0;

const drawn = drawCases('lost output', changing, 12);
for (const [name, words, identity] of drawn) {
  const line = `${name} ${words}`.trim();
  test(`landfall ${name}: code 0 says that all is done`, { timeout: 60_000 }, async () => {
    // Nobody answers the first change, the output is closed meanwhile, and the command is told to stop.
    const held = new Promise<ServerResponse>((resolve) => {
      proxy.hold = resolve;
    });
    const stopped = start(`${line} --as ${identity}`);
    const hasBegun = await Promise.race([held.then(() => true), stopped.ended.then(() => false)]);
    stopped.close();
    if (hasBegun) stopped.process.kill('SIGTERM');
    const [stoppedCode] = await stopped.ended;
    if (!hasBegun) return;
    begun += 1;
    assert.notEqual(stoppedCode, 0, 'it was stopped before anything was done');
    (await held).destroy();
    // What is on the way, such as a firewall, takes no such request.
    proxy.hold = (response) => {
      response.writeHead(403, { 'content-type': 'application/problem+json' });
      response.end('{"title":"Forbidden","status":403,"detail":"not here"}');
    };
    // Nobody reads why.
    const forbidden = start(`${line} --as ${identity}`);
    forbidden.process.stderr?.destroy();
    const [forbiddenCode] = await forbidden.ended;
    assert.notEqual(forbiddenCode, 0, 'every change was refused');
    proxy.hold = undefined;
  });
}

test('most of them have sent a change', () => assert(begun > drawn.length / 2, `${begun}`));
