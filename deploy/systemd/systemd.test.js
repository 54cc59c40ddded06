// The units of systemd are ones that systemd accepts, and are closed as far as a server of Node.js can be.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseEnv, promisify } from 'node:util';
import { options } from '../../packages/service/dist/config.js';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('.', import.meta.url));
const units = (await readdir(folder)).filter((name) => /\.(service|timer)$/.test(name));
const read = (name) => readFile(join(folder, name), 'utf8');

/** The highest exposure that `systemd-analyze security` may find, of 100. */
const MAX_EXPOSURE = 20;

/** In CI it must be there. */
async function whyNoSystemd() {
  if (process.env.CI === 'true') return false;
  try {
    await run('systemd-analyze', ['--version']);
    return false;
  } catch {
    return 'there is no systemd-analyze: apt-get install systemd';
  }
}

describe('units', { skip: await whyNoSystemd() }, () => {
  let copies;
  before(async () => {
    copies = await mkdtemp(join(tmpdir(), 'landfall-systemd-'));
    for (const name of units) {
      // The command is not installed here, and its user is not there.
      const text = (await read(name))
        .replaceAll('/opt/landfall/current/bin/landfall', process.execPath)
        .replaceAll('/usr/local/lib/landfall/back-up.sh', process.execPath)
        .replaceAll(/^(User|Group)=.*\n/gm, '');
      await writeFile(join(copies, name), text);
    }
  });
  after(() => rm(copies, { recursive: true }));

  for (const name of units) {
    test(`${name} is one that systemd accepts, without a warning`, async () => {
      const { stdout, stderr } = await run('systemd-analyze', [
        ...['--man=no', '--recursive-errors=no', 'verify'],
        join(copies, name),
      ]);
      assert.equal(stdout + stderr, '');
    });
  }

  for (const name of units.filter((each) => each.endsWith('.service'))) {
    test(`${name} is closed`, async () => {
      const { stdout } = await run('systemd-analyze', [
        ...['security', '--offline=true', `--threshold=${MAX_EXPOSURE}`, '--no-pager'],
        join(folder, name),
      ]);
      assert.match(stdout, /Overall exposure level/);
    });
  }
});

test('the settings are those of the service, and all that are required', async () => {
  const settings = parseEnv(await read('landfall.env'));
  const known = new Map(Object.values(options).map((option) => [option.variable, option]));
  for (const [variable, value] of Object.entries(settings)) {
    const option = known.get(variable);
    assert(option, variable);
    option.read(value);
  }
  for (const { variable, description } of known.values()) {
    if (description.endsWith('; required')) assert(settings[variable], variable);
  }
});

test('a server is given longer to end than it takes', async () => {
  const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(await read('landfall.service')) ?? [];
  assert(Number(seconds) >= options.drainTime.default + 20);
});

test('the trail is verified often enough that nothing is reported', async () => {
  assert.match(await read('landfall-audit-verify.timer'), /^OnCalendar=Sun \*-\*-\*/m);
});
