// Importing a list that removes many offices asks on a terminal, and replaces nothing without a yes.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Playground } from '@landfall/playground';
import { runCommand } from '../../testing/run-command.js';
import { noTerminal, startOnTerminal } from '../../testing/run-on-terminal.js';
import { startPlayground } from '../../testing/start-playground.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

describe('codelist import on a terminal', { skip: noTerminal }, async () => {
  const folder = await makeTemporaryFolder();
  const data = join(folder, 'data');
  const file = join(folder, 'offices.csv');
  const words = `codelist import cl141 ${file} --data ${data}`.split(' ');
  const question = /48 of the 49 customs offices would be removed\. Replace the list\? \[y\/N\]/;
  let playground: Playground;
  before(async () => {
    playground = await startPlayground(data);
    await writeFile(file, 'reference_number,name\nNO351001,Gardermoen\n');
  });
  after(() => playground.close());

  /** Starts the import with its input on the terminal, and waits for the question. */
  async function ask() {
    const command = startOnTerminal([...words, '<', '/dev/tty']);
    await command.printed(question);
    return command;
  }

  async function expectNothingChanged(): Promise<void> {
    const { stdout } = await runCommand([...words, '--preview', '--json']);
    assert.equal(JSON.parse(stdout).replaced, 49);
  }

  it('no, an empty line and Ctrl-C change nothing and end with an error', async () => {
    for (const line of ['n', '', 'yesterday']) {
      const command = await ask();
      command.type(line);
      const { code, output } = await command.ended;
      assert.equal(code, 1, output);
      assert.match(output, /removed {2}NO321002 {2}Helligskogen/);
      assert.match(output, /not confirmed: nothing was changed/);
      await expectNothingChanged();
    }
    const command = await ask();
    command.interrupt();
    assert.notEqual((await command.ended).code, 0);
    await expectNothingChanged();
  });

  it('yes replaces the list', async () => {
    const command = await ask();
    command.type('y');
    const { code, output } = await command.ended;
    assert.equal(code, 0, output);
    assert.match(
      output,
      /CL141 now has 1 customs offices; it had 49 \(0 added, 0 changed, 48 removed\)/,
    );
  });
});
