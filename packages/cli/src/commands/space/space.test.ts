// `landfall space`: the operator of a hosted playground lists and deletes spaces.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startPlayground } from '@landfall/playground';
import { makeRunLine } from '../../testing/run-line.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

const controlSecret = 'secret-of-the-operator';
const playground = await startPlayground({ hosted: true, controlSecret, logLevel: 'silent' });
after(() => playground.close());
const { baseUrl } = playground;
const run = makeRunLine(await makeTemporaryFolder());
process.env.LANDFALL_CONTROL_SECRET = controlSecret;

test('spaces are listed without their contents, and deleted', async () => {
  assert.equal(await run(`space list --url ${baseUrl}`), 'No spaces.\n');
  const response = await fetch(`${baseUrl}/playground/hosting/spaces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ organisation: 'Nordic Freight' }),
  });
  // The cast is true because a sign-up answers so.
  const { name, accessCode } = (await response.json()) as Record<'name' | 'accessCode', string>;
  const listed = await run(`space list --url ${baseUrl}`);
  assert.match(listed, /^space +organisation +address/);
  assert.match(listed, new RegExp(`^${name} +Nordic Freight +127\\.0\\.0\\.1 `, 'm'));
  const [space] = JSON.parse(await run(`space list --json --url ${baseUrl}`));
  assert.equal(space.organisation, 'Nordic Freight');
  assert(!JSON.stringify(space).includes(accessCode.split('.')[1] ?? ''));
  assert.equal(await run(`space delete ${name} --url ${baseUrl}`), `Deleted ${name}.\n`);
  await run(`space delete ${name} --url ${baseUrl}`, 1);
  process.env.LANDFALL_CONTROL_SECRET = 'another-secret-of-the-test';
  await run(`space list --url ${baseUrl}`, 1);
});
