// The progress line on a terminal.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { Playground } from '@landfall/playground';
import { runLandfall } from '../testing/run-landfall.js';
import { noTerminal, type OnTerminal, startOnTerminal } from '../testing/run-on-terminal.js';
import { startPlayground } from '../testing/start-playground.js';
import { makeTemporaryFolder } from '../testing/temporary-folder.js';

/** Long enough for a busy machine, and short compared with a command that never ends. */
const LIMIT = 60_000;

const ERASE_LINE = '\r\u001b[K';

describe('progress on a terminal', { skip: noTerminal, timeout: LIMIT }, async () => {
  const folder = await makeTemporaryFolder();
  const data = join(folder, 'data');
  const commands: OnTerminal[] = [];
  let playground: Playground;
  before(async () => {
    playground = await startPlayground(data);
  });
  after(() => {
    playground.close();
    for (const command of commands) command.kill();
  });

  const start = (words: string[], input?: string) => {
    const command = startOnTerminal(words, input);
    commands.push(command);
    return command;
  };

  it('ends with the command when the service refuses', async () => {
    const { code, output } = await start(['routing-profile', 'apply', '--data', data]).ended;
    assert.equal(code, 1);
    assert.match(output, /error: .*No routing profile is live/s);
  });

  it('is written during the work, and erased before the result', async () => {
    const fifo = join(folder, 'messages');
    await promisify(execFile)('mkfifo', [fifo]);
    const command = start(['feed', 'validate', '-'], `cat ${fifo}`);
    const { stdout: messages } = await runLandfall(['feed', 'generate', '--declarations', '1']);
    const writer = await open(fifo, 'w');
    await writer.write(messages);
    const count = messages.trimEnd().split('\n').length;
    await command.printed(new RegExp(`${count} messages?, \\d+/s, 0 errors`));
    await writer.close();
    const { code, output } = await command.ended;
    assert.equal(code, 0);
    const last = output.split(ERASE_LINE).at(-1);
    assert.match(last ?? '', /^\d+ messages?, all valid\r\n$/);
  });
});
