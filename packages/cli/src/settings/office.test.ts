// The customs office of presentation comes from the option, the environment or the profile; a filter does not.
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Playground } from '@landfall/playground';
import { runCommand } from '../testing/run-command.js';
import { startPlayground } from '../testing/start-playground.js';
import { makeTemporaryFolder } from '../testing/temporary-folder.js';

const data = await makeTemporaryFolder();
const environment = { XDG_CONFIG_HOME: data };
let playground: Playground;
before(async () => {
  playground = await startPlayground(data);
  const words = `profile add bergen --office NO342001 --data ${data}`.split(' ');
  const { code, stderr } = await runCommand(words, { environment });
  assert.equal(code, 0, stderr);
});
after(() => playground.close());

/** The office in the request, as --debug shows it. */
async function officeOf(line: string, variables: NodeJS.ProcessEnv = {}) {
  const words = `present container --container JARU0000010 --debug ${line}`.trim().split(' ');
  const { code, stderr } = await runCommand(words, {
    environment: { ...environment, ...variables },
  });
  assert.equal(code, 0, stderr);
  return /"customsOfficeOfPresentation":"(\w+)"/.exec(stderr)?.[1];
}

it('the office of a presentation', async () => {
  assert.equal(await officeOf(''), 'NO342001');
  assert.equal(await officeOf('', { LANDFALL_OFFICE: 'NO345001' }), 'NO345001');
  assert.equal(await officeOf('--office NO351001', { LANDFALL_OFFICE: 'NO345001' }), 'NO351001');
});

it('the office of a search is only that of its option', async () => {
  const words = ['consignment', 'list', '--json'];
  const { stdout } = await runCommand(words, {
    environment: { ...environment, LANDFALL_OFFICE: 'NO342001' },
  });
  assert.ok(JSON.parse(stdout).length > 0);
});
