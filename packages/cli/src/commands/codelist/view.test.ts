// Showing code lists, and importing places.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
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

async function run(line: string, { code = 0, input = '' } = {}): Promise<string> {
  const ended = await runCommand([...line.split(' '), '--data', data], { input });
  assert.equal(ended.code, code, ended.stderr);
  return ended.stdout + ended.stderr;
}

it('places are imported, previewed and shown in parts', async () => {
  const input = 'code,name\nNOOSL,Oslo\nNOAES,Ålesund\nSEGOT,\n';
  const preview = await run('codelist import cl144 - --preview', { input });
  assert.match(preview, /CL144 would have 3 places; it has 0: 3 added/);
  assert.match(preview, /added {4}NOOSL {2}Oslo\n {2}added {4}SEGOT\n/);
  assert.match(await run('codelist view cl144'), /No codes\./);
  assert.match(await run('codelist import cl144 -', { input }), /CL144 now has 3 places/);
  const refused = await run('codelist import cl144 -', { code: 1, input: 'code\nNOOSL\n' });
  assert.match(refused, /would remove 2 of the 3 places/);
  const first = await run('codelist view cl144 --limit 1');
  assert.match(first, /NOAES {2}Ålesund/);
  assert.match(first, /More results: .* codelist view cl144 --limit 1 --marker NOAES /);
  assert.deepEqual(JSON.parse(await run('codelist view cl144 --code NO --text osl --json')), [
    { code: 'NOOSL', name: 'Oslo' },
  ]);
  const lists = JSON.parse(await run('codelist list --json'));
  const places = lists.find(({ list }: { list: string }) => list === 'cl144');
  assert.equal(places.source, 'IMPORTED');
  assert.equal(places.entries, 3);
  assert.match(await run('codelist view cl9999', { code: 1 }), /There is no code list cl9999/);
});
