// The reader of the output stands still: what has a time limit keeps it, and what follows a feed ends with a signal.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Playground } from '@landfall/playground';
import { isReading } from '../input/only-reads.js';
import { exitCodes } from '../process/exit-codes.js';
import { runCommand } from '../testing/run-command.js';
import { landfallScript, testEnvironment } from '../testing/run-landfall.js';
import { startPlayground } from '../testing/start-playground.js';
import { makeSubcommands, unknownMrn, writeSubcommandFiles } from '../testing/subcommands.js';
import { makeTemporaryFolder } from '../testing/temporary-folder.js';
import { findSubcommands } from './command-reference.js';
import { makeProgram } from './program.js';

const folder = await makeTemporaryFolder();
const data = join(folder, 'data');
let playground: Playground;

/** MRN of a transport that has not arrived. */
let transport: string;

before(async () => {
  playground = await startPlayground(data);
  await writeSubcommandFiles(folder, data);
  // What is waited for, and followed, is there.
  for (const line of [
    'authority decide --document HC001 --type N740 --routing TO_ENTRY --as authority',
    'present house-consignment --document HC001 --type N740 --as carrier',
    `feed import ${join(folder, 'messages')} --as authority`,
  ]) {
    const { code, stderr } = await runCommand([...line.split(' '), '--data', data]);
    assert.equal(code, 0, stderr);
  }
  const words = ['movement', 'lodge', 'transport', '--mode', 'road', '--json', '--data', data];
  const { code, stdout, stderr } = await runCommand([
    ...words,
    '--file',
    join(folder, 'transport'),
  ]);
  assert.equal(code, 0, stderr);
  transport = JSON.parse(stdout).mrn;
});
after(() => playground.close());

/** A pipe that is full, and whose reader stands still. */
function makeFullPipe(): number {
  const path = join(folder, `pipe-${randomUUID()}`);
  execFileSync('mkfifo', [path]);
  const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  after(() => closeSync(pipe));
  for (const size of [65_536, 1]) {
    try {
      for (;;) writeSync(pipe, Buffer.alloc(size));
    } catch (error) {
      assert(error instanceof Error && 'code' in error && error.code === 'EAGAIN', String(error));
    }
  }
  return pipe;
}

/** Starts a command with its output, and with its errors too, to such a pipe. */
function start(line: string, both: boolean) {
  const pipe = makeFullPipe();
  const words = [...process.execArgv, landfallScript, ...line.split(/ +/), '--data', data];
  const child = spawn(process.execPath, words, {
    env: testEnvironment,
    stdio: ['ignore', pipe, both ? pipe : 'pipe'],
  });
  after(() => child.kill('SIGKILL'));
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'exit').then(([code, signal]) => ({ code, signal, stderr }));
  return { child, ended };
}

const limited = findSubcommands(makeProgram()).filter(({ command }) =>
  command.options.some(({ long }) => long === '--within'),
);

test('there are commands with a time limit', () => assert(limited.length > 0));

for (const { name } of limited) {
  const [, words = '', identity] =
    makeSubcommands(folder, data).find(([each]) => each === name) ?? [];
  for (const both of [false, true]) {
    test(`landfall ${name} keeps --within, with ${both ? 'both' : 'one'} of its outputs held up`, {
      timeout: 60_000,
    }, async () => {
      const line = `${name} ${words.replace(unknownMrn, transport)} --within 1 --json --as ${identity}`;
      const { ended } = start(line, both);
      const { code, stderr } = await ended;
      assert.equal(code, exitCodes.PENDING.code, stderr);
      if (!both) assert.match(stderr, /the reader of the output has not taken everything/);
    });
  }
}

const endless = findSubcommands(makeProgram()).filter(
  ({ command }) => isReading(command) && /^(?:follow|wait)$/.test(command.name()),
);

for (const { name } of endless) {
  test(`landfall ${name} ends with a signal although its output is held up`, {
    timeout: 60_000,
  }, async () => {
    const [, words = '', identity] =
      makeSubcommands(folder, data).find(([each]) => each === name) ?? [];
    const { child, ended } = start(
      `${name} ${words} --as ${identity}`.replace(/--within \d+/, ''),
      false,
    );
    // It has something to print by then.
    await Promise.race([ended, delay(3_000)]);
    child.kill('SIGTERM');
    const { code, signal, stderr } = await ended;
    // On a busy machine it may not have begun.
    if (signal !== 'SIGTERM') assert.equal(code, exitCodes.TERMINATED.code, stderr);
  });
}
