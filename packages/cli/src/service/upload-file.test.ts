// An upload sends and reads concurrently; a failure of either side ends the command with its own error.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Playground } from '@landfall/playground';
import { type RunningCommand, runLandfall, startLandfall } from '../testing/run-landfall.js';
import { startPlayground } from '../testing/start-playground.js';
import { makeTemporaryFolder } from '../testing/temporary-folder.js';

describe('an upload of lines', async () => {
  const folder = await makeTemporaryFolder();
  const data = join(folder, 'data');
  let playground: Playground;
  const running: RunningCommand[] = [];
  before(async () => {
    playground = await startPlayground(data);
  });
  after(async () => {
    for (const command of running) command.process.kill('SIGKILL');
    await playground.close();
  });

  it('ends a request when standard input is silent, and begins another one with the next line', async () => {
    const words = ['authority', 'decide', '-', '--json', '--debug', '--data', data];
    const command = startLandfall(words);
    running.push(command);
    const line = (number: number) => {
      const decision = {
        transportDocumentHouseLevel: { documentNumber: `S${number}`, type: 'N740' },
      };
      command.process.stdin?.write(`${JSON.stringify({ ...decision, routing: 'TO_ENTRY' })}\n`);
    };
    line(1);
    await command.printed(/"line":1\b/);
    // The time after which a silent request ends.
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    line(2);
    await command.printed(/"line":2\b/);
    command.process.stdin?.end();
    const { stdout, stderr } = await command.ended;
    assert.equal(stderr.match(/> POST \S*routing-decisions$/gm)?.length, 2, stderr);
    assert.equal(stdout.match(/"line"/g)?.length, 2);
  });

  for (const verb of ['decide', 'import']) {
    it(`of ${verb} reports a file that can be opened but not read`, async () => {
      const { code, stderr } = await runLandfall(['authority', verb, folder, '--data', data]);
      assert.equal(stderr, `error: cannot read ${folder} (EISDIR)\n`);
      assert.equal(code, 1);
    });

    it(`of ${verb} ends when the scope is missing, although standard input is open`, async () => {
      const command = startLandfall(['authority', verb, '-', '--as', 'carrier', '--data', data]);
      running.push(command);
      command.process.stdin?.write('{}\n');
      const { code, stderr } = await command.ended;
      assert.match(stderr, /needs the scope customs:authority/);
      assert.equal(code, 1);
    });
  }
});
