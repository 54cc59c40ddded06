// `landfall authority decide` and `landfall routing-profile` against a real playground.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { RoutingDecisionResult } from '@landfall/contract';
import type { Playground } from '@landfall/playground';
import { runCommand } from '../../testing/run-command.js';
import { runLandfall } from '../../testing/run-landfall.js';
import { startPlayground } from '../../testing/start-playground.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

const folder = await makeTemporaryFolder();
const data = join(folder, 'data');
let playground: Playground;

before(async () => {
  playground = await startPlayground(data);
});
after(() => playground.close());

/** Runs a command and checks its exit code; `start` selects a separate process. */
async function run(line: string, { code = 0, input = '', start = runCommand } = {}) {
  const words = line.split(' ');
  const result = await start([...words, '--data', data], { input });
  assert.equal(result.code, code, `landfall ${words.join(' ')}\n${result.stdout}${result.stderr}`);
  return result;
}

const lineOf = (documentNumber: string, routing: object, type = 'N740') =>
  JSON.stringify({ transportDocumentHouseLevel: { documentNumber, type }, ...routing });

describe('authority decide', () => {
  it('records a decision from options and issues signals; repeating issues none', async () => {
    const words = 'authority decide --document HC001 --type N740 --routing TO_CONTROL';
    const before = await run(words);
    assert.match(before.stdout, /Decided\. HC001 N740 TO_CONTROL\. Not presented yet/);
    await run('present house-consignment --as carrier --document HC001 --type N740');
    const changed = await run(`${words} --location AFTER_ENTRY --reason scanned`);
    assert.match(changed.stdout, /Decided\. .* \(AFTER_ENTRY\)\. 2 signals issued/);
    assert.match(
      (await run('routing list --as carrier')).stdout,
      /TO_CONTROL[\s\S]*TO_CONTROL.*AFTER_ENTRY/,
    );
    assert.match((await run(`${words} --location AFTER_ENTRY`)).stdout, /Unchanged/);
  });

  it('records the decisions of a file, and reports refused lines', async () => {
    const file = join(folder, 'decisions.ndjson');
    const lines = [
      lineOf('HC002', { routing: 'TO_ENTRY' }),
      lineOf('HC002', { routing: 'ELSEWHERE' }),
      '{"transport',
      lineOf('HC004', { routing: 'TO_CONTROL', routingControlLocation: 'ON_ENTRY' }, 'N714'),
      lineOf('HC999', { routing: 'TO_ENTRY' }),
    ];
    await writeFile(file, `${lines.join('\n')}\n`);
    const { stdout, stderr } = await run(`authority decide ${file}`, { code: 1 });
    assert.match(stderr, /^line 2 refused\n {2}routing: must be one of .* \(UNKNOWN_CODE\)$/m);
    assert.match(stderr, /^line 3 refused\n {2}line: must be valid JSON \(FORMAT\)$/m);
    assert.match(stderr, /^line 5 refused\n.*REFERENCE_NOT_FOUND/m);
    assert.match(stdout, /^2 decided, 0 unchanged, 3 refused; 0 signals issued$/m);
    assert.match(stderr, /3 of 5 lines were refused/);
  });

  it('reads standard input, and prints results as they arrive with --json', async () => {
    const input = `${lineOf('HC002', { routing: 'TO_ENTRY' })}\n`.repeat(3000);
    const { stdout, stderr } = await run('authority decide - --json', {
      input,
      start: runLandfall,
    });
    const results = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as RoutingDecisionResult);
    assert.equal(results.length, 3000);
    assert(
      results.every(({ line, status }, index) => line === index + 1 && status === 'UNCHANGED'),
    );
    assert.match(stderr, /0 decided, 3000 unchanged, 0 refused/);
  });

  it('reports wrong usage and refusals', async () => {
    assert.match(
      (await run('authority decide', { code: 2 })).stderr,
      /needs a file, or --document/,
    );
    const both = await run('authority decide x.ndjson --mrn 23NO00000000000001', { code: 2 });
    assert.match(both.stderr, /either a file or options/);
    const missing = join(folder, 'missing.ndjson');
    assert.match(
      (await run(`authority decide ${missing}`, { code: 1 })).stderr,
      /error: cannot read .*missing\.ndjson \(ENOENT\)/,
    );
    const ambiguous = await run('authority decide --document NONE --type N740 --routing TO_ENTRY', {
      code: 1,
    });
    assert.match(ambiguous.stderr, /transportDocumentHouseLevel: .*\(REFERENCE_NOT_FOUND\)/);
    const other = await run(
      'authority decide --as carrier --document HC001 --type N740 --routing TO_ENTRY',
      { code: 1 },
    );
    assert.match(other.stderr, /needs the scope/);
    assert.match((await run('authority decide --help')).stdout, /\$ landfall authority decide/);
  });
});

describe('routing-profile', () => {
  const profile = {
    salt: 'test',
    rules: [
      { name: 'by air', when: { modeOfTransport: ['4'] }, routing: 'TO_ENTRY' },
      { name: 'some of the others', share: 0.5, routing: 'TO_CONTROL' },
    ],
  };

  it('can be stored, dry-run, activated, applied and deactivated', async () => {
    assert.match((await run('routing-profile list')).stdout, /No routing profiles yet/);
    const put = await run('routing-profile create trial -', {
      input: JSON.stringify(profile),
      start: runLandfall,
    });
    assert.match(put.stdout, /Stored trial version 1 with 2 rules\.\nNext: .*dry-run trial/);
    const dry = await run('routing-profile dry-run trial');
    assert.match(dry.stdout, /1 +by air +2 +2 +HC00/);
    assert.match(dry.stdout, /examined 8 house consignments/);
    const live = await run('routing-profile activate trial 1');
    assert.match(live.stdout, /trial version 1 is live since .*\n.*routing-profile apply/);
    assert.match((await run('routing-profile list')).stdout, /trial +1 +2 +\S+ \S+ +20/);
    await run('routing-profile create trial-2 -', { input: JSON.stringify(profile) });
    const page = (await run('routing-profile list --limit 1 --name tri')).stdout;
    assert.match(page, /^trial +1 /m);
    assert.doesNotMatch(page, /^trial-2 /m);
    assert.match(
      page,
      /More results: .*routing-profile list --limit 1 --name tri --marker trial:1/,
    );
    const rest = (await run('routing-profile list --name tri --marker trial:1')).stdout;
    assert.match(rest, /^trial-2 +1 /m);
    assert.doesNotMatch(rest, /^trial +1 |More results/m);
    assert.match((await run('routing-profile list --name x')).stdout, /No such routing profiles/);
    const applied = await run('routing-profile apply');
    assert.match(applied.stdout, /0 decided of 0 undecided house consignments; 0 signals issued/);
    assert.match((await run('routing-profile deactivate')).stdout, /No routing profile is live/);
    assert.match(
      (await run('routing-profile apply', { code: 1 })).stderr,
      /No routing profile is live/,
    );
  });

  it('is refused with the path of the invalid condition', async () => {
    const input = JSON.stringify({
      ...profile,
      rules: [{ name: 'odd', when: { mode: ['4'] }, routing: 'TO_ENTRY' }],
    });
    const { stderr } = await run('routing-profile create trial -', { input, code: 1 });
    assert.match(stderr, /rules\.0\.when\.mode: is not known: must be one of .*\(UNKNOWN_MEMBER\)/);
  });
});
