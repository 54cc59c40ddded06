// `landfall authority find`, `consignment view` and `landfall admin audit verify` against a real playground.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Playground } from '@landfall/playground';
import { runCommand } from '../../testing/run-command.js';
import { runLandfall } from '../../testing/run-landfall.js';
import { startPlayground } from '../../testing/start-playground.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

const folder = await makeTemporaryFolder();
const data = join(folder, 'data');
let playground: Playground;

/** Runs a command line against the playground, checks its exit code and returns its output. */
async function run(line: string, code = 0, start = runCommand): Promise<string> {
  const result = await start([...line.split(' '), '--data', data]);
  assert.equal(result.code, code, `landfall ${line}\n${result.stdout}${result.stderr}`);
  return code === 0 ? result.stdout : result.stderr;
}

before(async () => {
  playground = await startPlayground(data);
  await run('present house-consignment --as carrier --document HC001 --type N740');
  await run('routing list --as carrier');
});
after(() => playground.close());

describe('consignment list', () => {
  it('shows the state of each consignment and the next commands', async () => {
    const said = await run('consignment list --document HC001', 0, runLandfall);
    assert.match(said, /^document +type +MRN +receptacle, containers +state +routing +presented/);
    assert.match(
      said,
      /^HC001 +N740 +23NO00000000000003 +- +SIGNALLED +TO_ENTRY +\S+ \S+Z by 0192:310000019 +\S+ \S+Z/m,
    );
    assert.match(
      said,
      /^HC001 +N703 +23NO00000000000004 +- +DECIDED +TO_CONTROL \(ON_ENTRY\) +- +-/m,
    );
    assert.match(said, /^History: .* consignment view [0-9a-f-]{36} --data /m);
  });

  it('filters, pages, and prints one array with --json', async () => {
    const found = async (line: string): Promise<{ id: string }[]> =>
      JSON.parse(await run(`consignment list ${line} --json`.replace('  ', ' ')));
    assert.equal((await found('')).length, 8);
    assert.equal((await found('--state SIGNALLED')).length, 1);
    assert.equal((await found('--container JARU0000010')).length, 1);
    assert.equal((await found('--master MAWB0003 --type N740')).length, 2);
    const [first, second] = await found('--limit 2');
    assert.deepEqual(await found(`--limit 1 --marker ${first?.id}`), [second]);
    const more = await run('consignment list --office NO351001 --limit 2');
    assert.match(
      more,
      new RegExp(`More results: .* list --office NO351001 --limit 2 --marker ${second?.id}`),
    );
    assert.match(
      await run('consignment list --document nowhere'),
      /^No matching house consignments/,
    );
  });

  it('reports refusals of the service, also for a missing scope', async () => {
    assert.match(await run('consignment list --mrn x', 1), /mrn: must be an MRN/);
    assert.match(await run('consignment list --as carrier', 1), /scope/);
    assert.match(await run('consignment list --state LOST', 2), /PRE_NOTIFIED, DECIDED/);
  });
});

describe('consignment view', () => {
  it('is a timeline with organisations and requests', async () => {
    const view = () => run('consignment view --document HC001 --type N740');
    let said = await view();
    // Reading is recorded a moment later.
    for (; !/READ/.test(said); said = await view()) await delay(100);
    const [headline, ...lines] = said.trimEnd().split('\n');
    assert.equal(headline, 'HC001 N740, ENS 23NO00000000000003: SIGNALLED');
    const time = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\dZ';
    for (const [index, rest] of [
      'PRE_NOTIFIED +Landfall',
      'DECIDED +Landfall +number 1, origin REGISTRATION, TO_ENTRY, request [0-9a-f-]{36}',
      'PRESENTED +0192:310000019 +HOUSE_CONSIGNMENT, customsOfficeOfPresentation NO351001, request [0-9a-f-]{36}',
      'SIGNALLED +0192:310000019 +id [0-9a-f-]{36}, TO_ENTRY|SIGNALLED +0192:310000019 +TO_ENTRY, id [0-9a-f-]{36}',
      'SIGNALLED +0192:310000078 ',
      'READ +0192:310000019 \\(playground-carrier\\) +id [0-9a-f-]{36}, days \\d',
    ].entries()) {
      assert.match(lines[index] ?? '', new RegExp(`^${time}  (${rest})`));
    }
    assert.equal(lines.length, 6);
  });

  it('lists several matches, and reports when there are none', async () => {
    const several = await run('consignment view --document HC001', 1, runLandfall);
    assert.match(
      several,
      /several house consignments match; choose one:\n {2}.* view [0-9a-f-]{36} --data .*# HC001 N740/,
    );
    assert.match(await run('consignment view --document X', 1), /no matching house consignments/);
    assert.match(await run('consignment view', 2), /give either the id/);
    assert.match(await run('consignment view HC001', 2), /id must be a UUID/);
    const unknown = '0198c0de-7000-7000-8000-000000000001';
    assert.match(await run(`consignment view ${unknown}`, 1), /There is no house consignment/);
  });
});

describe('admin audit verify on a playground', () => {
  it('must be stopped first; then the trail is intact and contains the stored ends', async () => {
    assert.match(
      await run('admin audit verify', 1),
      /stop the playground, then run this command again/,
    );
    await playground.close();
    assert.match(
      await run('admin audit verify'),
      /^The audit trail is intact: \d+ records in 1 chains?\.\n$/,
    );
    const json = await run('admin audit verify --json');
    const { intact, breaks, ends } = JSON.parse(json);
    assert.deepEqual([intact, breaks], [true, []]);
    const file = join(folder, 'ends.json');
    await writeFile(file, json);
    await run(`admin audit verify --ends ${file}`);
    ends[0].position += 1;
    await writeFile(file, JSON.stringify({ ends }));
    assert.match(
      await run(`admin audit verify --ends ${file}`, 1),
      /broken at chain \d+, position \d+: .*missing/,
    );
  });

  it('reports invalid files and folders', async () => {
    const file = join(folder, 'other.json');
    await writeFile(file, '{"ends":[{}]}');
    assert.match(
      await run(`admin audit verify --ends ${file}`, 1),
      /is not the output of landfall admin audit verify/,
    );
    assert.match(
      await run(`admin audit verify --ends ${file}.gone`, 1),
      /cannot read .* \(ENOENT\)/,
    );
    const { code, stderr } = await runLandfall([
      'admin',
      'audit',
      'verify',
      '--data',
      join(folder, 'none'),
    ]);
    assert.equal(code, 1);
    assert.match(stderr, /there is no database in .*none/);
    await assert.rejects(readFile(join(folder, 'none')), { code: 'ENOENT' });
  });
});
