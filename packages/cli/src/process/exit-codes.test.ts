// Exit codes of real processes, and errors as JSON; a pipe that closes early is no error.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import type { Playground } from '@landfall/playground';
import { startLossyProxy } from '../testing/lossy-proxy.js';
import {
  landfallScript,
  runLandfall,
  startLandfall,
  testEnvironment,
} from '../testing/run-landfall.js';
import { startPlayground } from '../testing/start-playground.js';
import { makeTemporaryFolder } from '../testing/temporary-folder.js';
import { exitCodes } from './exit-codes.js';

const data = join(await makeTemporaryFolder(), 'data');
let playground: Playground;
before(async () => {
  playground = await startPlayground(data);
});
after(() => playground.close());

const run = (line: string) => runLandfall([...line.split(' '), '--data', data]);

/** Runs a command that fails, as text and with `--json`; checks that both say the same, and returns the error. */
async function fail(line: string): Promise<Record<string, unknown>> {
  const text = await run(line);
  const { code, stderr, stdout } = await run(`${line} --json`);
  assert.equal(code, text.code);
  assert.equal(stdout, '');
  const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '');
  assert.equal(error.exitCode, code);
  assert.ok(text.stderr.includes(error.message.split('\n')[0]), text.stderr);
  return error;
}

it('success is 0; refused, wrong usage, unreachable and unknown differ', async () => {
  assert.equal((await run('routing list')).code, 0);

  const refused = await fail('organisation view NTRNO-9');
  assert.deepEqual([refused.exitCode, refused.ending, refused.status], [1, 'FAILED', 404]);

  const usage = await fail('routing list --limit 0');
  assert.deepEqual([usage.exitCode, usage.ending], [2, 'USAGE']);
  assert.match(String(usage.message), /^option '--limit <number>' argument '0' is invalid/);

  const unreachable = await fail('organisation view NTRNO-9 --url http://127.0.0.1:9');
  assert.deepEqual([unreachable.exitCode, unreachable.ending], [3, 'UNREACHABLE']);

  const proxy = await startLossyProxy(playground.baseUrl);
  proxy.path = '/organisations/';
  proxy.losses = Number.POSITIVE_INFINITY;
  const unknown = await fail(`organisation update 0192:310000051 --name Lost --url ${proxy.url}`);
  assert.deepEqual([unknown.exitCode, unknown.ending], [4, 'UNKNOWN']);
  assert.match((await run('organisation view 0192:310000051')).stdout, /Lost/);
});

it('a mistyped command or option has a suggestion', async () => {
  for (const [line, suggested] of [
    ['presnt', 'present'],
    ['routing folow', 'follow'],
    ['routing list --markre 1', '--marker'],
  ] as const) {
    const { message, exitCode } = await fail(line);
    assert.equal(exitCode, 2);
    assert.match(String(message), new RegExp(`Did you mean ${suggested}\\?`));
  }
});

it('the help and the guide have every exit code', async () => {
  const guide = readFileSync(new URL('../../../../docs/guide/command.md', import.meta.url), 'utf8');
  const { stdout } = await runLandfall(['--help']);
  for (const { code, meaning } of Object.values(exitCodes)) {
    assert.ok(guide.includes(`| ${code} | ${meaning}`), `${code} in the guide`);
    assert.match(stdout, new RegExp(`^ {2}${code} `, 'm'));
  }
});

it('a refused presentation has what the service said', async () => {
  const refused = await fail('present container --container JARU0000089');
  assert.deepEqual([refused.exitCode, refused.ending, refused.status], [1, 'FAILED', 400]);
  assert.match(String(refused.requestId), /^[\da-f-]{36}$/);
  assert(Array.isArray(refused.validationErrors));
  assert.equal(refused.validationErrors[0].code, 'REFERENCE_NOT_FOUND');
});

it('an output that cannot be written tells what was done, and of a command that only reads no more than that', async () => {
  const full = async (line: string) => {
    const words = [process.execPath, ...process.execArgv, landfallScript, ...line.split(' ')];
    const command = ['-c', 'exec "$@" >/dev/full', 'sh', ...words, '--data', data];
    const child = spawn('sh', command, {
      env: testEnvironment,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const [status] = await once(child, 'close');
    return { status, stderr };
  };
  const present = await full('present container --container JARU0000010');
  assert.equal(present.status, 141, present.stderr);
  assert.match(present.stderr, /^error: cannot write the output \(ENOSPC\): stopped/m);
  assert.match(present.stderr, /^Presented\. requestId [\da-f-]{36}$/m);
  for (const line of ['routing list', 'token create']) {
    const reading = await full(line);
    assert.equal(reading.status, 1, reading.stderr);
    assert.match(reading.stderr, /^error: cannot write the output \(ENOSPC\)$/m);
    assert.doesNotMatch(reading.stderr, /what was done|not written:/);
  }
});

it('with --json, a signal gives the exit code that is printed', async () => {
  const list = join(data, 'list.csv');
  writeFileSync(list, 'containerId\nJARU0000010\n');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    for (const what of ['--container JARU0000010', `--file ${list} --journal ${list}.${signal}`]) {
      const proxy = await startLossyProxy(playground.baseUrl);
      proxy.isDownAfterLoss = true;
      proxy.losses = 1;
      const line = `present container ${what} --json --data ${data} --url ${proxy.url}`;
      const running = startLandfall(line.split(' '));
      await running.printed(/finding out|trying again/);
      running.process.kill(signal);
      const { code, stderr } = await running.ended;
      const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '');
      assert.deepEqual(error.exitCode, code, stderr);
      assert.equal(code, 128 + constants.signals[signal]);
      assert.doesNotMatch(stderr, /^interrupted; trying again/m);
    }
  }
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
