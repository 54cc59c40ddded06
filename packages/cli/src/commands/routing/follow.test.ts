// `landfall routing follow` rings, colours and runs a command for each signal.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { runCommand } from '../../testing/run-command.js';
import { runLandfall, startLandfall } from '../../testing/run-landfall.js';
import { noTerminal, startOnTerminal } from '../../testing/run-on-terminal.js';
import { documentsIn, issueSignals, startService } from '../../testing/start-service.js';

const service = await startService('embedded');
const [entry = '', control = '', last = ''] = await issueSignals(service, [
  'TO_ENTRY',
  'TO_CONTROL',
  'TO_ENTRY',
]);

const words = (line: string, ...more: string[]) => [
  ...`routing follow ${line}`.split(' '),
  ...more,
  '--data',
  service.data,
];
const fileOf = (name: string) => join(service.data, name);
const linesOf = (name: string) => readFileSync(fileOf(name), 'utf8').split('\n').slice(0, -1);

describe('--since', () => {
  it('begins with the first signal at the time or later, and not beside --marker', async () => {
    const { stdout } = await runLandfall(words('--limit 3 --json'));
    const [, second] = stdout.split('\n').map((line) => line && JSON.parse(line));
    const since = second.routingResult.documentIssueDate;
    const later = await runLandfall(words(`--since ${since} --limit 1 --json`));
    const times = [later.stdout, stdout].map((text) => JSON.parse(text.split('\n')[0] ?? ''));
    assert.equal(times[0].routingResult.documentIssueDate, since, later.stderr);
    assert.ok(Date.parse(times[1].routingResult.documentIssueDate) <= Date.parse(since));
    const both = await runLandfall(words(`--since ${since} --marker start`));
    assert.equal(both.code, 2);
    assert.match(both.stderr, /'--since <time>' cannot be used with option '--marker <id>'/);
    const wrong = await runLandfall(words('--since yesterday'));
    assert.match(wrong.stderr, /It must be a time in UTC such as/);
  });

  it('is where a file begins that has no position', async () => {
    const { stdout } = await runLandfall(words('--limit 3 --json'));
    const signals = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const since = signals[2].routingResult.documentIssueDate;
    const options = `--since ${since} --store ${fileOf('since.position')} --limit 1 --json`;
    const first = await runLandfall(words(options));
    const position = readFileSync(fileOf('since.position'), 'utf8');
    const { id, documentIssueDate } = JSON.parse(first.stdout).routingResult;
    assert.ok(position.includes(id) && documentIssueDate >= since, first.stderr);
  });
});

describe('--exec', () => {
  it('gives each signal as JSON and in the environment, and keeps standard output for signals', async () => {
    const command = `cat >>${fileOf('json')}; echo "$LANDFALL_SIGNAL_ROUTING $LANDFALL_SIGNAL_DOCUMENT $LANDFALL_SIGNAL_LOCATION"`;
    const { code, stdout, stderr } = await runLandfall(
      words('--limit 3 --json', '--exec', command),
      { environment: { LANDFALL_SIGNAL_LOCATION: 'inherited' } },
    );
    assert.equal(code, 0, stderr);
    assert.deepEqual(linesOf('json'), stdout.split('\n').slice(0, -1));
    const signals = linesOf('json').map((line) => JSON.parse(line));
    assert.deepEqual(documentsIn(signals), [entry, control, last]);
    assert.match(stderr, new RegExp(`^TO_ENTRY ${entry} $`, 'm'));
    const { routingControlLocation } = signals[1].routingResult;
    assert.match(stderr, new RegExp(`^TO_CONTROL ${control} ${routingControlLocation}$`, 'm'));
  });

  it('stops at a command that fails; the next run begins with that signal', async () => {
    const log = `echo "$LANDFALL_SIGNAL_DOCUMENT" >>${fileOf('log')}`;
    const store = `--store ${fileOf('exec.position')}`;
    const failing = `${log}; test "$LANDFALL_SIGNAL_ROUTING" = TO_ENTRY || exit 3`;
    const { code, stderr } = await runLandfall(words(store, '--exec', failing));
    assert.equal(code, 1);
    assert.match(
      stderr,
      new RegExp(`^error: the command of --exec ended with 3 for ${control} .* next run$`, 'm'),
    );
    assert.equal((await runLandfall(words(`${store} --limit 2`, '--exec', log))).code, 0);
    assert.deepEqual(linesOf('log'), [entry, control, control, last]);
  });

  it('ends a command that takes too long, and what it started', async () => {
    const command = `(trap '' TERM; exec sleep 300) & echo $! >${fileOf('pid')}; wait`;
    const { code, stderr } = await runLandfall(words('--exec-timeout 1', '--exec', command));
    assert.equal(code, 1);
    assert.match(stderr, /did not end within 1 s \(--exec-timeout\)/);
    await isGone(Number(linesOf('pid')[0]));
  });

  it('lets the command end at Ctrl-C, and saves its position', async () => {
    const store = `--store ${fileOf('stopped.position')}`;
    const command = `touch ${fileOf('started')}; sleep 1; echo "$LANDFALL_SIGNAL_DOCUMENT" >>${fileOf('ended')}`;
    const following = startLandfall(words(store, '--exec', command));
    while (!existsSync(fileOf('started'))) await delay(20);
    following.process.kill('SIGINT');
    assert.equal((await following.ended).code, 130);
    assert.deepEqual(linesOf('ended'), [entry]);
    const next = await runLandfall(words(`${store} --limit 1 --json`));
    assert.deepEqual(documentsIn([JSON.parse(next.stdout)]), [control]);
  });

  it('is ended with the command that is killed by a second Ctrl-C', async () => {
    const command = `echo $$ >${fileOf('long')}; exec sleep 300`;
    const following = startLandfall(words('', '--exec', command).filter((word) => word !== ''));
    while (!existsSync(fileOf('long')) || linesOf('long').length === 0) await delay(20);
    following.process.kill('SIGINT');
    await delay(500);
    following.process.kill('SIGINT');
    assert.equal((await following.ended).code, 130);
    await isGone(Number(linesOf('long')[0]));
  });

  it('has a time limit only with a command', async () => {
    const { code, stderr } = await runCommand(words('--exec-timeout 5'));
    assert.equal(code, 2);
    assert.match(stderr, /--exec-timeout needs --exec/);
  });
});

/** Waits until a process has ended. One that has ended and was not waited for yet counts as ended. */
async function isGone(pid: number): Promise<void> {
  assert.ok(pid > 1);
  for (let attempt = 0; attempt < 600; attempt++) {
    try {
      if (/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) return;
    } catch {
      return;
    }
    await delay(50);
  }
  assert.fail(`process ${pid} is still running`);
}

it('a signal to control is coloured and rings on a terminal', {
  skip: noTerminal,
}, async () => {
  const line = words('--bell --limit 3').join(' ');
  const { output } = await startOnTerminal(line.split(' ')).ended;
  assert.equal(output.split('\u0007').length, 2);
  assert.match(output, /\u001b\[43m\u001b\[30mTO_C/);
});

it('in a pipe nothing is coloured and nothing rings', async () => {
  const { stdout, stderr } = await runLandfall(words('--bell --limit 3'));
  assert.match(stdout, /TO_CONTROL/);
  assert.doesNotMatch(stdout + stderr, /[\u0007\u001b]/);
});
