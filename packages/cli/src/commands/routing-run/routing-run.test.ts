// `landfall routing-run` against a real playground.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import type { HouseConsignment, RoutingRun, RoutingRunPreview } from '@landfall/client';
import type { Playground } from '@landfall/playground';
import { runCommand } from '../../testing/run-command.js';
import { startPlayground } from '../../testing/start-playground.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

const data = join(await makeTemporaryFolder(), 'data');
let playground: Playground;

before(async () => {
  playground = await startPlayground(data);
});
after(() => playground.close());

/** Runs a command and checks its exit code. */
async function run(line: string, { code = 0, input = '' } = {}) {
  const result = await runCommand([...line.split(' '), '--data', data], { input });
  assert.equal(result.code, code, `landfall ${line}\n${result.stdout}${result.stderr}`);
  return result;
}

const create = 'routing-run create --routing TO_CONTROL --location ON_ENTRY --reason tip';

it('previews, decides, lists results and reverses', async () => {
  const select = '--mrn 23NO00000000000004';
  const preview = JSON.parse((await run(`${create} ${select} --preview --json`)).stdout);
  const { count } = preview as RoutingRunPreview;
  assert.equal(count, 2);
  const differs = await run(`${create} ${select} --expected-count 3`, { code: 1 });
  assert.match(differs.stderr, /expectedCount: .*\(COUNT_DIFFERS\)/);
  const made = await run(`${create} ${select} --expected-count ${count} --wait --json`);
  const { id, state, decided, unchanged } = JSON.parse(made.stdout) as RoutingRun;
  assert.equal(state, 'COMPLETED');
  assert.equal(decided + unchanged, 2);
  assert.match((await run('routing-run list')).stdout, new RegExp(`${id}  COMPLETED .* tip`));
  assert.match(
    (await run(`routing-run view ${id}`)).stdout,
    /COMPLETED[\s\S]*TO_CONTROL ON_ENTRY: tip/,
  );
  const results = (await run(`routing-run results ${id} --status DECIDED`)).stdout;
  assert.match(results, /23NO00000000000004 +HC002 .* DECIDED +TO_ENTRY +TO_CONTROL \(ON_ENTRY\)/);
  const lines = (await run(`routing-run results ${id} --json`)).stdout.trimEnd().split('\n');
  assert.equal(lines.length, 2);
  await run(
    'authority decide --mrn 23NO00000000000004 --document HC002 --type N703 --routing TO_ENTRY',
  );
  const reversal = await run(`routing-run reverse ${id} --reason wrong --wait`, { code: 1 });
  assert.match(reversal.stdout, new RegExp(`what was before ${id}: wrong`));
  assert.match(reversal.stderr, /of the house consignments were not decided/);
  const newest = JSON.parse((await run('routing-run list --newest-first --json')).stdout);
  assert.deepEqual(
    (newest as RoutingRun[]).map(({ reverses }) => reverses),
    [id, undefined],
  );
  const ended = await run(`routing-run pause ${id}`, { code: 1 });
  assert.match(ended.stderr, /RUN_STATE/);
});

it('takes ids from standard input, and not together with filters', async () => {
  const found = await run('consignment list --mrn 23NO00000000000003 --json');
  const ids = (JSON.parse(found.stdout) as HouseConsignment[]).map((house) => house.id);
  const input = `\n${ids.join('\n')}\n`;
  const preview = await run(`${create} --ids - --preview`, { input });
  assert.match(preview.stdout, new RegExp(`^${ids.length} house consignments: `));
  await run(`${create} --ids - --office NO351001`, { input, code: 2 });
  const none = await run(create, { code: 1 });
  assert.match(none.stderr, /select: must have a filter or houseConsignmentIds/);
});
