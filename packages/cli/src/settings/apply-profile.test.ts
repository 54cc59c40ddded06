// Each setting comes from an option, else from an environment variable, else from the profile, else from the default.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { makeCredentials } from '../testing/make-credentials.js';
import { runCommand } from '../testing/run-command.js';
import { makeTemporaryFolder } from '../testing/temporary-folder.js';

const folder = await makeTemporaryFolder();
const environment = { XDG_CONFIG_HOME: folder };

/** Runs a command that cannot reach its service: the message has the address, which shows where it comes from. */
async function addressOf(words: string, variables: NodeJS.ProcessEnv = {}): Promise<string> {
  const { stderr } = await runCommand(`status list ${words}`.trim().split(' '), {
    environment: { ...environment, ...variables },
  });
  return /cannot reach http:\/\/127\.0\.0\.1:(\d+)/.exec(stderr)?.[1] ?? stderr;
}

/** The addresses have ports on which nothing listens. */
async function makeFile(path: string, port: number): Promise<string> {
  const file = join(folder, path);
  await mkdir(join(file, '..'), { recursive: true });
  const address = `http://127.0.0.1:${port}`;
  const addresses = { base_url: address, idp_url: `${address}/idp` };
  await writeFile(file, JSON.stringify({ ...makeCredentials(), ...addresses }), { mode: 0o600 });
  return file;
}

const data = join(folder, 'data');
await makeFile('data/credentials/carrier.json', 2001);
await makeFile('data/credentials/forwarder.json', 2002);
const first = await makeFile('first.json', 2003);
const second = await makeFile('second.json', 2004);
const third = await makeFile('third.json', 2005);
await mkdir(join(folder, 'landfall'));
await writeFile(
  join(folder, 'landfall', 'config.json'),
  JSON.stringify({
    current: 'main',
    profiles: {
      main: { credentials: first },
      other: { credentials: second },
      trial: { data, as: 'forwarder' },
      moved: { credentials: first, url: 'http://127.0.0.1:2006' },
    },
  }),
);

describe('a setting', () => {
  it('comes from the current profile, or from the one that is named', async () => {
    assert.equal(await addressOf(''), '2003');
    assert.equal(await addressOf('', { LANDFALL_PROFILE: 'other' }), '2004');
    assert.equal(await addressOf('--profile trial', { LANDFALL_PROFILE: 'other' }), '2002');
    assert.equal(await addressOf('--profile moved'), '2006');
  });

  it('comes from the environment rather than from the profile', async () => {
    assert.equal(await addressOf('', { LANDFALL_CREDENTIALS: second }), '2004');
    assert.equal(await addressOf('', { LANDFALL_URL: 'http://127.0.0.1:2007' }), '2007');
    assert.equal(await addressOf('', { LANDFALL_DATA: data }), '2001');
    assert.equal(await addressOf('--profile trial', { LANDFALL_AS: 'carrier' }), '2001');
  });

  it('comes from an option rather than from the environment', async () => {
    const variables = { LANDFALL_CREDENTIALS: second, LANDFALL_URL: 'http://127.0.0.1:2007' };
    assert.equal(
      await addressOf(`--credentials ${third}`, { LANDFALL_CREDENTIALS: second }),
      '2005',
    );
    assert.equal(await addressOf('--url http://127.0.0.1:2008', variables), '2008');
    assert.equal(await addressOf(`--data ${data}`, { LANDFALL_CREDENTIALS: second }), '2001');
  });
});

it('a file of credentials and an identity of a playground contradict each other', async () => {
  const words = ['status', 'list', '--credentials', first, '--as', 'carrier'];
  const { code, stderr } = await runCommand(words, { environment });
  assert.equal(code, 2);
  assert.match(stderr, /either a file \(--credentials\) or an identity of a playground/);
});

it('an unreachable service of a credentials file is never a playground', async () => {
  const { code, stderr } = await runCommand(['status', 'list'], { environment });
  assert.equal(code, 3);
  assert.equal(stderr, 'error: cannot reach http://127.0.0.1:2003 (ECONNREFUSED)\n');
});

it('an unknown profile lists the known ones', async () => {
  const { code, stderr } = await runCommand(['routing', 'list', '--profile', 'x'], { environment });
  assert.equal(code, 1);
  assert.match(stderr, /no profile "x" in .*config\.json; profiles: main, moved, other, trial\n$/);
});

it('a configuration with other contents is reported', async () => {
  const broken = join(folder, 'broken');
  await mkdir(join(broken, 'landfall'), { recursive: true });
  for (const text of ['', '[]', '{"profiles":{"a":{"url":1}}}']) {
    await writeFile(join(broken, 'landfall', 'config.json'), text);
    const variables = { XDG_CONFIG_HOME: broken };
    const { code, stderr } = await runCommand(['status', 'list'], { environment: variables });
    assert.equal(code, 1);
    assert.match(stderr, /config\.json is not a configuration of landfall/);
  }
});
