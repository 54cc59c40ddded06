// After a playground was started with options, later commands in its folder find it without them.
import assert from 'node:assert/strict';
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { runLandfall, startLandfall } from '../../testing/run-landfall.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

/** The file that says that a playground runs. */
async function findNote(folder: string): Promise<string> {
  const [name = ''] = await readdir(join(folder, '.landfall'));
  return join(folder, '.landfall', name);
}

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
    for (const path of [data, join(folder, '.landfall'), await findNote(folder)]) {
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
  const file = await findNote(folder);
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

it('when the one that was started last has ended, commands find the other that runs', async () => {
  const folder = await makeTemporaryFolder();
  const start = async (name: string) => {
    const data = join(folder, name);
    const playground = startLandfall(['playground', '--port', '0', '--data', data], {}, folder);
    const [, address] = await playground.printed(/(http:\/\/[\w.:]+)[\s\S]*Press Ctrl-C/);
    return { ...playground, address };
  };
  /** The address that a command without options calls; none without a playground. */
  const findAddress = async () => {
    const command = ['status', 'list', '--as', 'carrier', '--debug'];
    const { stderr } = await runLandfall(command, { cwd: folder });
    return /GET (http:\/\/[^/]+)\//.exec(stderr)?.[1];
  };
  const first = await start('first');
  const killed = await start('killed');
  const last = await start('last');
  assert.equal(await findAddress(), last.address);
  killed.process.kill('SIGKILL');
  await killed.ended;
  last.process.kill('SIGTERM');
  await last.ended;
  assert.equal(await findAddress(), first.address);
  // The next one that starts removes what was left, and nothing remains of those that have ended.
  const next = await start('next');
  assert.equal((await readdir(join(folder, '.landfall'))).length, 2);
  assert.equal(await findAddress(), next.address);
  for (const { process, ended } of [next, first]) {
    process.kill('SIGTERM');
    await ended;
  }
  assert.equal(await findAddress(), undefined);
  assert.deepEqual(await readdir(join(folder, '.landfall')), []);
});

it('an option is no data folder', async () => {
  const folder = await makeTemporaryFolder();
  const { code, stderr } = await runLandfall(['playground', '--data', '--help'], { cwd: folder });
  assert.equal(code, 2);
  assert.match(stderr, /written as \.\/-name/);
  assert.deepEqual(await readdir(folder), []);
});
