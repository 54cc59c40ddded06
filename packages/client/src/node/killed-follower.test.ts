// A follower that is killed continues where its store says.
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { issueSignals, readSignalIds } from '../testing/issue-signals.js';
import { startTestPlayground } from '../testing/playground.js';

const ROUNDS = 8;

const playground = await startTestPlayground();

/** Follows as an identity in processes that are killed; returns what each of them was handed out. */
async function followAndKill(
  context: TestContext,
  as: string,
  store: 'file' | 'own',
): Promise<string[][]> {
  const log = join(playground.dataFolder, `${as}.log`);
  writeFileSync(log, '');
  const credentials = join(playground.dataFolder, 'credentials', `${as}.json`);
  const entry = new URL('../testing/follow-and-log.js', import.meta.url);
  const start = () => {
    const child = fork(entry, [credentials, log, store]);
    context.after(() => child.kill('SIGKILL'));
    return child;
  };
  const lines = () => readFileSync(log, 'utf8').split('\n').slice(0, -1);
  const kill = async (child: ChildProcess) => {
    assert.equal(child.exitCode, null, 'the follower has ended by itself');
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const until = async (isLogged: () => boolean) => {
    const deadline = performance.now() + 60_000;
    while (!isLogged()) {
      assert(performance.now() < deadline, `${lines().length} lines after 60 s`);
      await delay(2);
    }
  };
  for (let round = 0; round < ROUNDS; round++) {
    const before = lines().length;
    const child = start();
    // In odd rounds most arrive while the follower waits for new ones. It may have none to read before.
    if (round % 2 === 1) {
      await until(() => lines().length > before);
      await delay(200);
    }
    const issued = issueSignals(playground, as, 300);
    await until(() => lines().length >= before + 100 + 13 * round);
    await kill(child);
    await issued;
  }
  const expected = new Set(await readSignalIds(playground, as));
  const before = lines().length;
  const child = start();
  // The followers before it may have read everything, but every signal has a line only once this one has started.
  await until(() => lines().length > before && new Set(lines()).size > expected.size);
  await delay(200);
  await kill(child);
  const runs: string[][] = [];
  for (const line of lines()) {
    if (line === 'start') runs.push([]);
    else runs.at(-1)?.push(line);
  }
  assert.equal(runs.length, ROUNDS + 1);
  return runs;
}

test('with a file, at most the entry in hand comes again, and none is missed', async (context) => {
  const seen: string[] = [];
  for (const run of await followAndKill(context, 'carrier', 'file')) {
    seen.push(...(run[0] === seen.at(-1) ? run.slice(1) : run));
  }
  assert.deepEqual(seen, await readSignalIds(playground, 'carrier'));
});

test('with the marker in the transaction of its entry, none comes again and none is missed', async (context) => {
  const runs = await followAndKill(context, 'forwarder', 'own');
  assert.deepEqual(runs.flat(), await readSignalIds(playground, 'forwarder'));
});
