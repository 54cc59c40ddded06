// Every command that changes a playground, with its first response lost, and with all lost: what was done, or may have been done, is
// not reported as nothing. The commands are those that take the control secret, so a new one is tested too.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Playground } from '@landfall/playground';
import { startLossyProxy } from '../testing/lossy-proxy.js';
import { runCommand } from '../testing/run-command.js';
import { startPlayground } from '../testing/start-playground.js';
import { changingSubcommands } from '../testing/subcommands.js';
import { makeTemporaryFolder } from '../testing/temporary-folder.js';
import { findSubcommands } from './command-reference.js';
import { makeProgram } from './program.js';

const folder = await makeTemporaryFolder();
const data = join(folder, 'data');
let playground: Playground;
before(async () => {
  playground = await startPlayground(data);
});
after(() => playground.close());

const control = new Set(
  findSubcommands(makeProgram())
    .filter(({ command }) => command.options.some(({ long }) => long === '--control-secret-file'))
    .map(({ name }) => name),
);
const changing = changingSubcommands(folder, data).filter(([name]) => control.has(name));

test('there are such commands', () => assert(changing.length >= 6));

for (const [name, words] of changing) {
  test(`landfall ${name}`, async () => {
    const proxy = await startLossyProxy(playground.baseUrl);
    proxy.path = '/playground/';
    const line = [...`${name} ${words}`.split(' '), '--data', data, '--url', proxy.url];
    const isDelete = name.endsWith('delete');
    if (name.startsWith('snapshot')) await playground.snapshot('before');
    proxy.losses = 1;
    const once = await runCommand(line);
    // What is repeated finds nothing any more, which is what was wanted; anything else is not repeated.
    assert.equal(once.code, isDelete ? 0 : 4, once.stderr);
    if (name.startsWith('snapshot')) await playground.snapshot('before');
    proxy.losses = Number.POSITIVE_INFINITY;
    const always = await runCommand([...line, '--json']);
    assert.equal(always.code, 4, always.stderr);
    assert.match(always.stderr, /"ending":"UNKNOWN"/);
  });
}
