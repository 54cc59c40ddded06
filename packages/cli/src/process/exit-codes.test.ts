// Exit codes of real processes: 0, 1, 2, and 130 for Ctrl-C; a pipe that closes early is no error.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import type { Playground } from '@landfall/playground';
import { runLandfall, startLandfall } from '../testing/run-landfall.js';
import { startPlayground } from '../testing/start-playground.js';
import { makeTemporaryFolder } from '../testing/temporary-folder.js';

const data = join(await makeTemporaryFolder(), 'data');
let playground: Playground;
before(async () => {
  playground = await startPlayground(data);
});
after(() => playground.close());

const codeOf = async (line: string) =>
  (await runLandfall([...line.split(' '), '--data', data])).code;

it('success is 0, a refusal 1, wrong usage 2', async () => {
  assert.equal(await codeOf('routing list'), 0);
  assert.equal(await codeOf('organisation view NTRNO-9'), 1);
  assert.equal(await codeOf('routing list --limit 0'), 2);
});

it('Ctrl-C is 130, and SIGTERM 143', async () => {
  for (const [signal, expected] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    const following = startLandfall(['routing', 'follow', '--data', data]);
    await following.printed(/document +type/);
    following.process.kill(signal);
    assert.equal((await following.ended).code, expected);
  }
});

it('a pipe that closes early is no error, on standard output or standard error', async () => {
  for (const name of ['stdout', 'stderr'] as const) {
    const making = startLandfall(['token', 'create', '--data', data]);
    making.process[name]?.destroy();
    assert.equal((await making.ended).code, 0);
  }
});
