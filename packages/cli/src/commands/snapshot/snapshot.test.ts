// `landfall snapshot`: taken, listed, restored and deleted in a playground.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import type { Playground } from '@landfall/playground';
import { runCommand } from '../../testing/run-command.js';
import { makeRunLine } from '../../testing/run-line.js';
import { startPlayground } from '../../testing/start-playground.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

const data = join(await makeTemporaryFolder(), 'data');
let playground: Playground;

const run = makeRunLine(data);

before(async () => {
  playground = await startPlayground(data);
});
after(() => playground.close());

it('a snapshot is taken, and restored as often as required', async () => {
  assert.equal(await run('snapshot list'), 'No snapshots.\n');
  const taken = await run('snapshot create before');
  const [, next = ''] = /^To return to it: .*(snapshot restore \S+) --data /m.exec(taken) ?? [];
  for (let round = 0; round < 2; round++) {
    await run('scenario create internal-error');
    assert.equal(await run(next), 'Returned to the snapshot before.\n');
    assert.equal(await run('scenario list'), 'No scenarios.\n');
  }
  assert.match(await run('snapshot list'), /^before {2}20\S+Z\n$/);
  assert.equal(await run('snapshot delete before'), 'Deleted before.\n');
});

it('what cannot be done is refused with the reason', async () => {
  assert.match(await run('snapshot restore unknown', 1), /there is no snapshot "unknown"/);
  // Before anything is sent.
  for (const action of ['create', 'restore', 'delete']) {
    for (const name of ['', 'a/b', '-', 'x'.repeat(61)]) {
      const line = ['snapshot', action, '--url', 'http://127.0.0.1:1', '--', name];
      const { code, stderr } = await runCommand(line);
      assert.equal(code, 2, stderr);
      assert.match(stderr, /A name has letters, digits, .* at most 60 characters/);
    }
  }
  assert.match(await run('snapshot delete unknown', 1), /no snapshot of this name/);
  assert.match(await run('snapshot restore', 2), /either the name of a snapshot or --start/);
  assert.equal(await run('snapshot restore --start'), 'Returned to the start.\n');
});
