// Following yields each entry once, also after a lost connection.
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { startBreakableConnection } from '../testing/breakable-connection.js';
import { type RunningCommand, runLandfall, startLandfall } from '../testing/run-landfall.js';
import { startPlayground } from '../testing/start-playground.js';
import { makeTemporaryFolder } from '../testing/temporary-folder.js';

const data = await makeTemporaryFolder();
let playground: RunningCommand;
before(async () => {
  playground = await startPlayground(data);
});
after(() => playground.process.kill('SIGKILL'));

async function present(words: string): Promise<void> {
  const line = `present ${words} --as carrier --data`.split(' ');
  const { code, stderr } = await runLandfall([...line, data]);
  assert.equal(code, 0, stderr);
}

it('resumes after the last entry', { timeout: 60_000 }, async () => {
  const [, address = ''] = await playground.printed(/service +(http:\S+)/);
  const connection = await startBreakableConnection(address);
  const words = 'routing follow --as carrier --limit 2 --json --url'.split(' ');
  const following = startLandfall([...words, connection.url.replace(/\/$/, ''), '--data', data]);
  await following.printed(/following/);
  await present('house-consignment --document HC001 --type N740');
  await following.printed(/HC001/);
  await connection.interrupt();
  await following.printed(/reconnecting/);
  await present('house-consignment --document HC002 --type N740');
  await connection.restore();
  const { code, stdout, stderr } = await following.ended;
  await connection.interrupt();
  assert.equal(code, 0, stderr);
  const documents = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).transportDocumentHouseLevel.documentNumber);
  assert.deepEqual(documents, ['HC001', 'HC002']);
  assert.equal(stderr.match(/reconnecting/g)?.length, 1);
});
