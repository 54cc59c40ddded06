// `landfall present --file`: each line is presented once, whatever ends the process, and what failed can be sent again.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { FileJournal } from '@landfall/client/node';
import { makeProgram } from '../../program/program.js';
import { runCommand } from '../../testing/run-command.js';
import {
  landfallScript,
  runLandfall,
  startLandfall,
  testEnvironment,
} from '../../testing/run-landfall.js';
import { noTerminal, startOnTerminal } from '../../testing/run-on-terminal.js';
import { registerHouses, startService, type TestService } from '../../testing/start-service.js';

/** The statuses of all requests of carrier, by outcome. */
async function countStatuses(service: TestService): Promise<{ SUCCESS: number; FAILURE: number }> {
  const counts = { SUCCESS: 0, FAILURE: 0 };
  let marker = '';
  for (;;) {
    const page: { requestId: string; status: 'SUCCESS' | 'FAILURE' }[] = JSON.parse(
      await service.run(`status list --limit 1000 --json${marker && ` --marker ${marker}`}`),
    );
    for (const { status } of page) counts[status] += 1;
    const last = page.at(-1);
    if (last === undefined) return counts;
    marker = last.requestId;
  }
}

function makeCsv(numbers: readonly string[]): string {
  return `documentNumber,type\n${numbers.map((number) => `${number},N740\n`).join('')}`;
}

describe('a list', async () => {
  const service = await startService('embedded');
  const fileOf = (name: string) => join(service.data, name);
  const words = (line: string) => [
    ...`present house-consignment ${line}`.split(' '),
    ...['--data', service.data],
  ];
  const present = (line: string) => runCommand(words(line));

  it('is presented, and its failures can be corrected and presented', async () => {
    const numbers = await registerHouses(service, 60);
    const before = await countStatuses(service);
    const list = fileOf('list.csv');
    writeFileSync(list, makeCsv([...numbers, '"ÆØÅ; ""1"""', numbers[0] ?? '']));
    const failed = fileOf('failed.csv');
    const first = await present(`--file ${list} --failed ${failed}`);
    assert.equal(first.code, 1);
    assert.match(
      first.stdout,
      /^62 lines: 61 presented, 1 refused \(1 equal to an earlier line\)\. [\d.]+ s, [\d,]+\/s\.\n$/,
    );
    assert.match(
      first.stderr,
      /^line 62 refused\n {2}transportDocumentHouseLevel: .*REFERENCE_NOT_FOUND\)$/m,
    );
    assert.match(first.stderr, /^1 line that failed is in .*failed\.csv$/m);
    assert.doesNotMatch(first.stderr, /\u001b|\r/);
    const after = await countStatuses(service);
    assert.equal(after.SUCCESS - before.SUCCESS, 60);

    assert.match(
      readFileSync(failed, 'utf8'),
      /^documentNumber,type,mrn,customsOfficeOfPresentation,error\n"ÆØÅ; ""1""",N740,,NO351001,transport.*\(REFERENCE_NOT_FOUND\)\n$/,
    );
    const again = await present(`--file ${failed} --failed ${fileOf('rest.csv')} --json`);
    assert.equal(again.code, 1);
    const { line, status, validationErrors } = JSON.parse(again.stdout);
    assert.deepEqual(
      [line, status, validationErrors[0].code],
      [2, 'REFUSED', 'REFERENCE_NOT_FOUND'],
    );
    const [more = ''] = await registerHouses(service, 1);
    writeFileSync(failed, readFileSync(failed, 'utf8').replace('"ÆØÅ; ""1"""', more));
    const corrected = await present(`--file ${failed} --failed ${fileOf('rest.csv')}`);
    assert.equal(corrected.code, 0, corrected.stderr);
    // What the earlier run wrote is left, and the user is told.
    assert.match(corrected.stderr, /^nothing is added to .*rest\.csv, which was written before/m);
    assert.match(readFileSync(fileOf('rest.csv'), 'utf8'), /REFERENCE_NOT_FOUND/);
  });

  it('tries what was refused again, and presents nothing twice', async () => {
    const numbers = await registerHouses(service, 5);
    const list = fileOf('again.ndjson');
    const bodies = [...numbers, 'NOT-YET'].map((documentNumber) => ({
      transportDocumentHouseLevel: { documentNumber, type: 'N740' },
    }));
    writeFileSync(list, bodies.map((body) => `${JSON.stringify(body)}\n`).join(''));
    assert.equal((await present(`--file ${list}`)).code, 1);
    const before = await countStatuses(service);
    await registerHouses(service, 1, ['NOT-YET']);
    const { code, stdout } = await present(`--file ${list}`);
    assert.equal(code, 0);
    assert.match(stdout, /^6 lines: 6 presented \(5 by an earlier run\)\./);
    const after = await countStatuses(service);
    assert.deepEqual(after, { ...before, SUCCESS: before.SUCCESS + 1 });
  });

  it('sends nothing if a line is invalid, unless --skip-invalid', async () => {
    const [number = ''] = await registerHouses(service, 1);
    const list = fileOf('invalid.csv');
    writeFileSync(list, `documentNumber,type\n${number},N740\nA,X9\n,N740\n`);
    const before = await countStatuses(service);
    const refused = await present(`--file ${list}`);
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /^line 3 is invalid\n {2}type: .* \(UNKNOWN_CODE\)\nline 4 is invalid\n {2}documentNumber: .*\(REQUIRED\)\nerror: 2 of 3 lines cannot be presented\. Nothing was sent\./m,
    );
    assert.deepEqual(await countStatuses(service), before);
    const others = await present(
      `--file ${list} --skip-invalid --failed ${fileOf('invalid-rest.csv')}`,
    );
    assert.equal(others.code, 1);
    assert.match(others.stdout, /^3 lines: 1 presented, 2 invalid and not sent\./);
    assert.equal((await countStatuses(service)).SUCCESS, before.SUCCESS + 1);
    assert.match(
      readFileSync(fileOf('invalid-rest.csv'), 'utf8'),
      /^documentNumber,.*\nA,X9,,,"type .*"\n,N740,,,documentNumber .*\n$/,
    );
  });

  const killed = [
    {
      way: 'one by one',
      count: 300,
      option: ' --concurrency 8',
      signals: ['SIGKILL', 'SIGINT', 'SIGKILL'],
    },
    // More than are in progress at a time.
    { way: 'in batches', count: 4000, option: '', signals: ['SIGKILL', 'SIGINT'] },
  ] as const;
  for (const { way, count, option, signals } of killed)
    it(`is resumed after kill -9 and Ctrl-C without presenting anything twice, ${way}`, async () => {
      const numbers: string[] = [];
      while (numbers.length < count) {
        numbers.push(...(await registerHouses(service, Math.min(count, 2000))));
      }
      const before = await countStatuses(service);
      const list = fileOf(`killed ${way}.csv`.replaceAll(' ', '-'));
      writeFileSync(list, makeCsv(numbers));
      const journal = `${list}.journal`;
      const countKnown = () =>
        existsSync(journal) ? readFileSync(journal, 'utf8').split('"outcome"').length - 1 : 0;
      for (const signal of signals) {
        const known = countKnown();
        const running = startLandfall(words(`--file ${list} --json${option}`));
        let printed = 0;
        let killed = false;
        running.process.stdout?.on('data', (text: string) => {
          printed += text.split('\n').length - 1;
          // Lines of earlier runs are printed first. Once, because a second Ctrl-C does not wait.
          if (killed || printed <= known + 20) return;
          killed = running.process.kill(signal);
        });
        const { code, stderr } = await running.ended;
        assert.ok(countKnown() < count, 'the run was killed too late');
        if (signal !== 'SIGINT') continue;
        assert.equal(code, 130, stderr);
        assert.match(
          stderr,
          /^[\d,]+ of [\d,]+ lines have an outcome\. To resume, run the same command/m,
        );
      }
      const last = await present(`--file ${list}`);
      assert.equal(last.code, 0, last.stderr);
      assert.match(last.stdout, /^([\d,]+) lines: \1 presented \(.*\d+ by an earlier run/);
      const after = await countStatuses(service);
      assert.deepEqual(after, { ...before, SUCCESS: before.SUCCESS + count });
    });
});

describe('a list', async () => {
  const service = await startService('embedded');
  const fileOf = (name: string) => join(service.data, name);
  const words = (line: string) => [...`present ${line}`.split(' '), '--data', service.data];

  it('has a journal of one service and one client', async () => {
    const list = fileOf('owned.csv');
    writeFileSync(list, 'containerId\nJARU0000010\n');
    const line = words(`container --file ${list}`);
    assert.equal((await runCommand(line)).code, 0);
    const other = await runCommand([...line, '--as', 'forwarder']);
    assert.equal(other.code, 1);
    assert.match(other.stderr, /^error: .*owned\.csv\.journal is a journal of .*, not of /m);
    const missing = await runCommand([...line, '--journal', fileOf('none/journal')]);
    assert.match(missing.stderr, /^error: cannot write the journal .* \(ENOENT\); name another/m);
  });

  it('keeps corrections made by hand when a run may not begin', async () => {
    const list = fileOf('corrections.csv');
    writeFileSync(list, 'containerId\nJARU0000010\nX\n');
    const failed = fileOf('corrections-failed.csv');
    writeFileSync(failed, 'corrected by hand');
    const line = words(`container --file ${list} --failed ${failed} --skip-invalid`);
    const locked = await FileJournal.open(`${list}.journal`);
    const refusals = [
      { more: [], code: 1, stderr: /is in use/ },
      { more: ['--as', 'nobody'], code: 1, stderr: /no identity "nobody"/ },
      {
        more: ['--journal', fileOf('j'), '--url', 'http://127.0.0.1:9'],
        code: 3,
        stderr: /cannot reach|no token/,
      },
    ];
    for (const { more, code, stderr } of refusals) {
      const refused = await runCommand([...line, ...more]);
      assert.equal(refused.code, code, refused.stderr);
      assert.match(refused.stderr, stderr);
      assert.equal(readFileSync(failed, 'utf8'), 'corrected by hand');
    }
    await locked.close();
    const ran = await runCommand(line);
    assert.match(ran.stdout, /^2 lines: 1 presented, 1 invalid and not sent/);
    assert.match(readFileSync(failed, 'utf8'), /^containerId,.*\nX,/);
    const left = readdirSync(service.data).filter((name) => name.startsWith('corrections'));
    assert.deepEqual(left.sort(), [
      'corrections-failed.csv',
      'corrections.csv',
      'corrections.csv.journal',
    ]);
  });

  it('is presented anew when another list is at its path, and not without a word', async () => {
    const list = fileOf('weekly.csv');
    writeFileSync(list, 'containerId\nJARU0000010\n');
    const line = words(`container --file ${list}`);
    assert.equal((await runCommand(line)).code, 0);
    writeFileSync(list, 'containerId\nJARU0000010\nJARU0000010\n');
    const { code, stdout, stderr } = await runCommand(line);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^error: the list is not the one of its journal .* Nothing was sent\.$/m);
    const corrected = await runCommand([...line, '--corrected']);
    assert.match(corrected.stdout, /^2 lines: 2 presented \(.*1 by an earlier run/);
    assert.equal((await runCommand(line)).code, 0);
  });

  it('does not end with 0 when the reader of its output closes it', async () => {
    const numbers = await registerHouses(service, 200);
    const list = fileOf('piped.csv');
    writeFileSync(list, makeCsv(numbers));
    const command = `'${process.execPath}' '${landfallScript}' present house-consignment --file '${list}' --data '${service.data}' --concurrency 1 --json`;
    const pipe = (line: string) =>
      promisify(execFile)('bash', ['-c', line], { env: testEnvironment });
    const { stdout, stderr } = await pipe(`${command} | head -1; echo $PIPESTATUS`);
    assert.match(stdout, /^\{.*\n141\n$/);
    assert.match(
      stderr,
      /^error: stopped before everything was done.* run the same command again; present --file goes on/m,
    );
    const full = await pipe(`${command} > /dev/full; echo $?`);
    assert.match(full.stdout, /^141\n$/);
    assert.match(full.stderr, /^error: cannot write the output \(ENOSPC\): .*again; /m);
    assert.doesNotMatch(full.stderr, /\bat |throw/);
    const both = await pipe(`${command} 2>&- >&-; echo $?`);
    // Node.js writes into /dev/null then, so everything is done.
    assert.equal(both.stdout, '0\n');
    const last = await runCommand(words(`house-consignment --file ${list}`));
    assert.match(last.stdout, /^200 lines: 200 presented \(200 by an earlier run\)/);
  });

  it('has a journal of one key or certificate', async () => {
    const list = fileOf('identity.csv');
    writeFileSync(list, 'containerId\nJARU0000010\n');
    const line = words(`container --file ${list}`);
    assert.equal((await runCommand(line)).code, 0);
    const text = readFileSync(`${list}.journal`, 'utf8');
    const changed = text.replace(/("key":"identity","digest":")./, '$1x');
    assert.notEqual(changed, text);
    writeFileSync(`${list}.journal`, changed);
    const other = await runCommand(line);
    assert.equal(other.code, 1);
    assert.match(other.stderr, /was written with another key or certificate/);
  });

  it('comes from standard input, and may be empty', async () => {
    const input = 'receptacleId\nGBASFZMLBKONAUN30001001019999\n';
    const { code, stdout } = await runLandfall(words('receptacle --file -'), { input });
    assert.equal(code, 0);
    assert.match(stdout, /^1 line: 1 presented\./);
    const empty = await runLandfall(words('receptacle --file -'), { input: 'receptacleId\n' });
    assert.equal(empty.code, 0);
    assert.match(empty.stderr, /Nothing to present/);
  });

  it('shows its progress on a terminal', { skip: noTerminal }, async () => {
    const numbers = await registerHouses(service, 400);
    const list = fileOf('progress.csv');
    writeFileSync(list, makeCsv(numbers));
    const line = words(`house-consignment --file ${list} --concurrency 1`);
    const { code, output } = await startOnTerminal(line).ended;
    assert.equal(code, 0);
    assert.match(output, /\u001b\[K\d+ of 400 \(\d+ %\), [\d,]+\/s, \d+ s left/);
    assert.match(output, /\u001b\[K400 lines: 400 presented\. /);
  });

  it('ends with the errors of the client when it may not present', async () => {
    const list = fileOf('scope.csv');
    writeFileSync(list, 'containerId\nJARU0000010\n');
    const { code, stderr } = await runCommand([
      ...words(`container --file ${list}`),
      ...['--as', 'statistics'],
    ]);
    assert.equal(code, 1);
    assert.match(stderr, /^0 of 1 line have an outcome\. To resume/m);
    assert.match(stderr, /^error: .*needs the scope customs:movement\/entry/m);
  });
});

describe('wrong usage sends nothing', () => {
  const cases: [line: string, message: RegExp][] = [
    ['--file a.csv --document HC001', /present --file does not take --document/],
    ['--file a.csv --request-id x', /present --file does not take --request-id/],
    ['--file a.csv --failed a.csv', /--failed and --file must be different files/],
    ['--file a.csv --failed a.csv.journal', /--failed and the journal must be different files/],
    ['--file a.csv --concurrency 0', /whole number from 1 to 256/],
  ];
  const present = makeProgram().commands.find((command) => command.name() === 'present');
  const ofLists = (present?.options ?? []).filter(({ description }) => /^list:/.test(description));
  assert(ofLists.length >= 5);
  for (const { long, flags } of ofLists) {
    const value = flags.includes('<') ? ' 2' : '';
    cases.push([
      `${long}${value} --document HC001 --type N740`,
      new RegExp(`${long} needs --file`),
    ]);
  }
  for (const [line, message] of cases) {
    it(line, async () => {
      const { code, stderr } = await runCommand([
        'present',
        'house-consignment',
        ...line.split(' '),
      ]);
      assert.match(stderr, message);
      assert.equal(code, 2);
    });
  }

  it('a list that is missing', async () => {
    const { code, stderr } = await runCommand('present container --file none.csv'.split(' '));
    assert.equal(code, 1);
    assert.match(stderr, /^error: cannot read none\.csv \(ENOENT\)$/m);
  });
});
