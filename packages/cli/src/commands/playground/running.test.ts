// After a playground was started with options, later commands in its folder find it without them.
import assert from 'node:assert/strict';
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { runLandfall, startLandfall } from '../../testing/run-landfall.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

it('commands without options find the playground that was started in their folder', async () => {
  const folder = await makeTemporaryFolder();
  const elsewhere = await makeTemporaryFolder();
  const data = join(elsewhere, 'data');
  const playground = startLandfall(['playground', '--port', '0', '--data', data], {}, folder);
  const list = (cwd: string, ...words: string[]) =>
    runLandfall(['status', 'list', '--as', 'carrier', '--json', ...words], { cwd });
  try {
    await playground.printed(/Landfall is running/);
    const found = await list(folder);
    assert.equal(found.code, 0, found.stderr);
    // Where none was started, there is none; and an option is used.
    assert.match((await list(elsewhere)).stderr, /no credentials in \.landfall/);
    assert.match((await list(folder, '--data', folder)).stderr, /no credentials in/);
    // What others could have written would name the host that gets requests.
    for (const path of [
      data,
      join(folder, '.landfall'),
      join(folder, '.landfall', 'running.json'),
    ]) {
      const { mode } = await stat(path);
      await chmod(path, mode | 0o020);
      assert.match((await list(folder)).stderr, /no credentials in \.landfall/, path);
      await chmod(path, mode);
    }
    assert.equal((await list(folder)).code, 0);
  } finally {
    playground.process.kill('SIGTERM');
    await playground.ended;
  }
  assert.deepEqual(await readdir(join(folder, '.landfall')), []);
});

it('a playground that was killed is not found', async () => {
  const folder = await makeTemporaryFolder();
  const data = join(folder, 'data');
  const playground = startLandfall(['playground', '--port', '0', '--data', data], {}, folder);
  await playground.printed(/Landfall is running/);
  const file = join(folder, '.landfall', 'running.json');
  await playground.process.kill('SIGKILL');
  await playground.ended;
  assert.match(await readFile(file, 'utf8'), /"data"/);
  const command = ['status', 'list', '--as', 'carrier'];
  assert.match(
    (await runLandfall(command, { cwd: folder })).stderr,
    /no credentials in \.landfall/,
  );
  await writeFile(file, 'damaged');
  assert.match(
    (await runLandfall(command, { cwd: folder })).stderr,
    /no credentials in \.landfall/,
  );
});

it('an option is no data folder', async () => {
  const folder = await makeTemporaryFolder();
  const { code, stderr } = await runLandfall(['playground', '--data', '--help'], { cwd: folder });
  assert.equal(code, 2);
  assert.match(stderr, /written as \.\/-name/);
  assert.deepEqual(await readdir(folder), []);
});
