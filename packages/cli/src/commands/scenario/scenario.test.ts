// `landfall scenario`: created, listed and deleted in a playground; wrong parameters are named by their option.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import type { Playground } from '@landfall/playground';
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

it('a scenario takes effect, is listed with how often, and is deleted', async () => {
  const created = await run('scenario create refusal --code UNKNOWN_CODE --identity carrier');
  assert.match(
    created,
    /^Created refusal [0-9a-f-]{36}\.\nWhat happens: .*\nWhat a client must do: /,
  );
  const [, next = ''] = /^To delete it: .*(scenario delete \S+) --data /m.exec(created) ?? [];
  const present = 'present house-consignment --document HC001 --type N740';
  assert.match(await run(present, 1), /UNKNOWN_CODE/);
  assert.match(
    await run('scenario list'),
    /^kind +parameters +requests +applied +active +id\nrefusal +code UNKNOWN_CODE +of carrier +1 +yes /,
  );
  assert.match(await run(next), /^Deleted [0-9a-f-]{36}\.\n$/);
  assert.match(await run(next, 1), /refused \(404/);
  await run(present);
  assert.equal(await run('scenario list'), 'No scenarios.\n');
});

it('parameters have the types of their kind', async () => {
  const lost = await run('scenario create lost-response --committed no --times 2 --json');
  const { committed, remaining } = JSON.parse(lost);
  assert.deepEqual([committed, remaining], [false, 2]);
  await run('scenario create late-decision --after-seconds 30');
  const listed = JSON.parse(await run('scenario list --json'));
  assert.deepEqual(
    listed.map(({ kind, afterSeconds }: Record<string, unknown>) => [kind, afterSeconds]),
    [
      ['lost-response', undefined],
      ['late-decision', 30],
    ],
  );
  assert.equal(await run('scenario delete --all'), 'Deleted all scenarios.\n');
});

it('wrong usage names the option and the rule', async () => {
  assert.match(await run('scenario create late-decision', 2), /--after-seconds: must /);
  assert.match(await run('scenario create no-decision --size 3', 2), /--size: /);
  assert.match(await run('scenario create earthquake', 2), /Allowed choices are delay, /);
  assert.match(await run('scenario delete', 2), /either the id of a scenario or --all/);
  assert.match(
    await run('scenario create delay --milliseconds 5 --identity nobody', 1),
    /identity: /,
  );
});
