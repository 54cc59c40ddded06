// `landfall routing release` succeeds for goods that may be released alone, and says why others may not.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { runCommand } from '../../testing/run-command.js';
import { issueSignals, registerHouses, startService } from '../../testing/start-service.js';

const service = await startService('embedded');
const [entry = '', control = ''] = await issueSignals(service, ['TO_ENTRY', 'TO_CONTROL']);
const [open = ''] = await registerHouses(service, 1);
await service.run(`present house-consignment --document ${open} --type N740`);

const run = (...words: string[]) =>
  runCommand(['routing', 'release', ...words, '--data', service.data]);

it('ends with 0 for goods that go to entry, and for no others', async () => {
  const found = await run(entry);
  assert.equal(found.code, 0, found.stderr);
  assert.equal(found.stdout, `TO_ENTRY: the goods may be released  ${entry}\n`);
  const expected: [string, number, string][] = [
    [control, 1, 'TO_CONTROL'],
    [open, 5, 'UNDECIDED'],
    ['NOTHING', 1, 'UNKNOWN'],
  ];
  for (const [identifier, code, outcome] of expected) {
    const refused = await run(identifier);
    assert.deepEqual([refused.code, refused.stdout], [code, ''], refused.stderr);
    assert.match(refused.stderr, new RegExp(`${outcome}: .*release nothing`));
    const json = await run(identifier, '--json');
    assert.deepEqual([json.code, JSON.parse(json.stdout).outcome], [code, outcome]);
  }
});

it('waits while there is no decision, says how, and succeeds once there is one', async () => {
  const began = performance.now();
  const { code, stderr } = await run(open, '--wait', '2');
  const tookMs = performance.now() - began;
  assert.equal(code, 5);
  assert(tookMs >= 2000, `${tookMs} ms`);
  assert.match(stderr, new RegExp(`To wait: .*routing release ${open} --wait 60`));
  await service.run(`authority decide --document ${open} --type N740 --routing TO_ENTRY`);
  const decided = await run(open, '--wait', '60');
  assert.equal(decided.code, 0, decided.stderr);
  assert.match(decided.stdout, /^TO_ENTRY/);
});
