// `landfall space`: the operator of a hosted playground lists and deletes spaces.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startPlayground } from '@landfall/playground';
import { makeRunLine } from '../../testing/run-line.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

const controlSecret = 'secret-of-the-operator';
const playground = await startPlayground({ hosted: true, controlSecret, logLevel: 'silent' });
after(() => playground.close());
const { baseUrl } = playground;
const folder = await makeTemporaryFolder();
const run = makeRunLine(folder);
const [file, wrong] = [join(folder, 'secret'), join(folder, 'wrong')];
await writeFile(file, controlSecret, { mode: 0o600 });
await writeFile(wrong, 'another-secret-of-the-test', { mode: 0o600 });
const options = `--url ${baseUrl} --control-secret-file ${file}`;

test('spaces are listed without their contents, and deleted', async () => {
  assert.equal(await run(`space list ${options}`), 'No spaces.\n');
  const response = await fetch(`${baseUrl}/playground/hosting/spaces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ organisation: 'Nordic Freight' }),
  });
  // The cast is true because a sign-up answers so.
  const { name, accessCode } = (await response.json()) as Record<'name' | 'accessCode', string>;
  const listed = await run(`space list ${options}`);
  assert.match(listed, /^space +organisation +address/);
  assert.match(listed, new RegExp(`^${name} +Nordic Freight +127\\.0\\.0\\.1 `, 'm'));
  const [space] = JSON.parse(await run(`space list --json ${options}`));
  assert.equal(space.organisation, 'Nordic Freight');
  assert(!JSON.stringify(space).includes(accessCode.split('.')[1] ?? ''));
  assert.equal(await run(`space delete ${name} ${options}`), `Deleted ${name}.\n`);
  await run(`space delete ${name} ${options}`, 1);
  await run(`space list --url ${baseUrl} --control-secret-file ${wrong}`, 1);
});
