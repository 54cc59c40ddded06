// The profiles of a user: added, listed, chosen, removed; the file has no secret and is the user's alone.
import assert from 'node:assert/strict';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { makeCredentials } from '../../testing/make-credentials.js';
import { runCommand } from '../../testing/run-command.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

const folder = await makeTemporaryFolder();
const environment = { XDG_CONFIG_HOME: folder };
const config = join(folder, 'landfall', 'config.json');
const credentials = join(folder, 'carrier.json');
await writeFile(credentials, JSON.stringify(makeCredentials()), { mode: 0o600 });

async function run(line: string, code = 0) {
  const result = await runCommand(['profile', ...line.split(' ')], { environment });
  assert.equal(result.code, code, `profile ${line}\n${result.stdout}${result.stderr}`);
  return result;
}

async function listed(): Promise<{ name: string; current: boolean }[]> {
  return JSON.parse((await run('list --json')).stdout);
}

it('without profiles, list says how to add one', async () => {
  assert.match((await run('list')).stdout, /profile add --help/);
  assert.deepEqual(await listed(), []);
});

it('the first profile is used, until another is chosen', async () => {
  const added = await run(`add production --credentials ${credentials}`);
  assert.match(added.stdout, /Added profile production; it is used from now on/);
  assert.equal((await run('add trial --as forwarder')).stdout, 'Added profile trial.\n');
  await run('use trial');
  assert.deepEqual(
    (await listed()).map(({ name, current }) => [name, current]),
    [
      ['production', false],
      ['trial', true],
    ],
  );
  assert.match((await run('list')).stdout, /^trial +yes +- +- +forwarder$/m);
});

it('with --json, a change prints the profiles after it', async () => {
  const names = async (line: string) =>
    JSON.parse((await run(`${line} --json`)).stdout).map(
      ({ name, current }: { name: string; current: boolean }) => (current ? `${name}*` : name),
    );
  assert.deepEqual(await names('add third --as carrier'), ['production', 'trial*', 'third']);
  assert.deepEqual(await names('use third'), ['production', 'trial', 'third*']);
  assert.deepEqual(await names('remove third'), ['production', 'trial']);
  await run('use trial');
});

it('the file has the path of the credentials, not the key', async () => {
  const text = await readFile(config, 'utf8');
  assert.ok(text.includes(credentials));
  assert.doesNotMatch(text, /PRIVATE KEY/);
  if (process.platform !== 'win32') assert.equal((await stat(config)).mode & 0o777, 0o600);
});

it('credentials that others can read are reported', {
  skip: process.platform === 'win32',
}, async () => {
  await chmod(credentials, 0o644);
  const { stderr } = await run(`add open --credentials ${credentials}`);
  assert.match(stderr, /^warning: .*carrier\.json has a private key, .*mode 644.*chmod 600/);
  await chmod(credentials, 0o600);
});

it('a removed profile is gone, and none is used if it was the current one', async () => {
  assert.match((await run('remove trial')).stdout, /no profile is used now/);
  assert.ok((await listed()).every(({ name, current }) => name !== 'trial' && !current));
  assert.ok(await readFile(credentials, 'utf8'));
});

it('wrong arguments are reported, and change nothing', async () => {
  const before = await readFile(config, 'utf8');
  assert.match((await run('add empty', 2)).stderr, /needs --credentials, or some of/);
  assert.match((await run('add x --credentials nowhere', 1)).stderr, /cannot read .*nowhere/);
  assert.match((await run('add open --as carrier', 1)).stderr, /exists already/);
  assert.match((await run('use gone', 1)).stderr, /no profile "gone"/);
  assert.match((await run('remove gone', 1)).stderr, /no profile "gone"/);
  assert.match((await run('add ../x --as carrier', 2)).stderr, /letters, digits and hyphens/);
  assert.equal(await readFile(config, 'utf8'), before);
});
