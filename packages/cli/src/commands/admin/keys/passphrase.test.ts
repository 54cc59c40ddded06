// Encrypted signing keys and their passphrase in `serve` and `keys`.
import assert from 'node:assert/strict';
import { readdir, readFile, rm, watch, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { rotateKeys } from '@landfall/service';
import {
  type ExternalIdentityProvider,
  startExternalIdentityProvider,
} from '../../../testing/external-identity-provider.js';
import {
  createPostgresql,
  type TestPostgresql,
  whyNoPostgresql,
} from '../../../testing/postgresql.js';
import { productionEnvironment } from '../../../testing/production-environment.js';
import { runCommand } from '../../../testing/run-command.js';
import { runLandfall, startLandfall } from '../../../testing/run-landfall.js';
import { makeTemporaryFolder } from '../../../testing/temporary-folder.js';

const data = await makeTemporaryFolder();
const folder = join(data, 'keys');
const right = { LANDFALL_KEYS_PASSPHRASE: 'correct horse battery' };
const wrong = { LANDFALL_KEYS_PASSPHRASE: 'correct horse batterz' };

const keys = (line: string, environment: NodeJS.ProcessEnv) =>
  runCommand(['admin', 'keys', ...line.split(' '), '--keys', folder], { environment });

before(async () => {
  const passphrase = right.LANDFALL_KEYS_PASSPHRASE;
  await rotateKeys({ folder, passphrase, purpose: 'customs-token', now: new Date(), keep: 0 });
});

describe('encrypted keys', () => {
  it('are listed and rotated with their passphrase, from the environment or a file', async () => {
    const file = join(data, 'passphrase');
    await writeFile(file, `${right.LANDFALL_KEYS_PASSPHRASE}\n`, { mode: 0o600 });
    for (const environment of [right, { LANDFALL_KEYS_PASSPHRASE_FILE: file }]) {
      assert.equal((await keys('list', environment)).code, 0);
      const { code, stdout } = await keys('rotate --lead 0', environment);
      assert.equal(code, 0);
      assert.match(stdout, /signing/);
    }
    assert.doesNotMatch(await readFile(join(folder, 'customs-token.json'), 'utf8'), /"d"|kid/);
  });

  it('cannot be used without their passphrase, which is reported in one line', async () => {
    const cases: [NodeJS.ProcessEnv, RegExp][] = [
      [{}, /^error: the keys in \S+ are encrypted: set LANDFALL_KEYS_PASSPHRASE or .*\n$/],
      [wrong, /^error: the keys in \S+ cannot be decrypted: .*\n$/],
      [{ LANDFALL_KEYS_PASSPHRASE: 'short' }, /^error: the passphrase .* 12 characters .*\n$/],
      [{ LANDFALL_KEYS_PASSPHRASE_FILE: join(data, 'no') }, /^error: the file in .*ENOENT.*\n$/],
    ];
    for (const [environment, message] of cases) {
      for (const line of ['list', 'rotate']) {
        const { code, stdout, stderr } = await keys(line, environment);
        assert.equal(code, 1);
        assert.equal(stdout, '');
        assert.match(stderr, message);
        assert.doesNotMatch(stderr, /correct horse/);
      }
    }
  });
});

describe('keys change-passphrase', () => {
  const next = join(data, 'next');
  it('encrypts the keys anew, and is repeated without harm', async () => {
    await writeFile(next, 'staple battery horse\n', { mode: 0o600 });
    const line = `change-passphrase --new-passphrase-file ${next}`;
    const before = JSON.parse((await keys('list --json', right)).stdout);
    const changed = await keys(line, right);
    assert.equal(changed.code, 0, changed.stderr);
    assert.match(
      changed.stderr,
      /^encrypted the customs-token keys in \S+ with the new passphrase\n$/,
    );
    assert.match((await keys(line, right)).stderr, /have the new passphrase already\n$/);
    assert.equal((await keys('list', right)).code, 1);
    const environment = { LANDFALL_KEYS_PASSPHRASE_FILE: next };
    assert.deepEqual(JSON.parse((await keys('list --json', environment)).stdout), before);
    // Back, for what follows.
    await writeFile(join(data, 'first'), right.LANDFALL_KEYS_PASSPHRASE, { mode: 0o600 });
    const back = `change-passphrase --new-passphrase-file ${join(data, 'first')}`;
    assert.equal((await keys(back, environment)).code, 0);
  });

  it('changes nothing with a wrong passphrase, a short one or a missing file', async () => {
    await writeFile(join(data, 'short'), 'short', { mode: 0o600 });
    const kept = await readFile(join(folder, 'customs-token.json'), 'utf8');
    for (const [file, environment, message] of [
      [
        next,
        wrong,
        /customs-token\.json have neither the passphrase of LANDFALL_KEYS_PASSPHRASE .* nor the new one/,
      ],
      [join(data, 'short'), right, /^error: the new passphrase of the signing keys must have 12 /],
      [
        join(data, 'none'),
        right,
        /^error: the file in --new-passphrase-file cannot be read: .*ENOENT/,
      ],
    ] as const) {
      const { code, stderr } = await keys(
        `change-passphrase --new-passphrase-file ${file}`,
        environment,
      );
      assert.equal(code, 1);
      assert.match(stderr, message);
    }
    assert.equal(await readFile(join(folder, 'customs-token.json'), 'utf8'), kept);
  });
});

describe('keys change-passphrase of two files', () => {
  const both = join(data, 'both');
  const fileOf = (purpose: string) => join(both, `${purpose}.json`);
  const next = join(data, 'of-both');
  const change = (environment: NodeJS.ProcessEnv) => {
    const words = ['admin', 'keys', 'change-passphrase', '--keys', both];
    return runCommand([...words, '--new-passphrase-file', next], { environment });
  };
  const make = (purpose: 'customs-token' | 'identity-provider', passphrase: string) =>
    rotateKeys({ folder: both, passphrase, purpose, now: new Date(), keep: 0 });
  const read = () =>
    Promise.all(
      ['customs-token', 'identity-provider'].map((name) => readFile(fileOf(name), 'utf8')),
    );

  before(async () => {
    await writeFile(next, 'staple battery horse\n', { mode: 0o600 });
    await make('customs-token', right.LANDFALL_KEYS_PASSPHRASE);
    await make('identity-provider', wrong.LANDFALL_KEYS_PASSPHRASE);
  });

  it('changes none of them if one has another passphrase, and names it', async () => {
    const kept = await read();
    for (const [environment, name] of [
      [right, 'identity-provider'],
      [wrong, 'customs-token'],
    ] as const) {
      const { code, stderr } = await change(environment);
      assert.equal(code, 1, stderr);
      assert(stderr.includes(`the keys in ${fileOf(name)} have neither`), stderr);
      assert.match(stderr, /nothing was changed\n$/);
      assert.deepEqual(await read(), kept);
    }
    assert.deepEqual((await readdir(both)).sort(), [
      'customs-token.json',
      'identity-provider.json',
    ]);
  });

  it('finishes a change that was interrupted between them', async () => {
    // As after a kill: one of them has the new passphrase.
    await rm(fileOf('identity-provider'));
    assert.equal((await change(right)).code, 0);
    await make('identity-provider', right.LANDFALL_KEYS_PASSPHRASE);
    const { code, stderr } = await change(right);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /customs-token keys .* already\nencrypted the identity-provider keys/);
    const listed = ['admin', 'keys', 'list', '--keys', both];
    const environment = { LANDFALL_KEYS_PASSPHRASE_FILE: next };
    assert.equal((await runCommand(listed, { environment })).code, 0);
  });

  it('is finished by the next run, whenever it is killed', async () => {
    const passphrases = [right.LANDFALL_KEYS_PASSPHRASE, 'staple battery horse'];
    const isWhole = async (environment: NodeJS.ProcessEnv) =>
      (await runCommand(['admin', 'keys', 'list', '--keys', both], { environment })).code === 0;
    const words = [
      'admin',
      'keys',
      'change-passphrase',
      '--keys',
      both,
      '--new-passphrase-file',
      next,
    ];
    for (let turn = 1; turn <= 6; turn++) {
      const [from = '', to = ''] = turn % 2 === 0 ? passphrases : [...passphrases].reverse();
      await writeFile(next, to, { mode: 0o600 });
      const environment = { LANDFALL_KEYS_PASSPHRASE: from };
      // Later in each turn: at one of the moments at which something in the folder changes.
      let moments = turn;
      const seen = new AbortController();
      const reached = (async () => {
        for await (const _ of watch(both, { signal: seen.signal })) {
          moments -= 1;
          if (moments === 0) return;
        }
      })().catch(() => undefined);
      const killed = startLandfall(words, environment);
      await Promise.race([reached, killed.ended]);
      killed.process.kill('SIGKILL');
      await killed.ended;
      seen.abort();
      const { code, stderr } = await change(environment);
      assert.equal(code, 0, stderr);
      assert(await isWhole({ LANDFALL_KEYS_PASSPHRASE: to }));
    }
  });
});

describe('serve with encrypted keys', { skip: await whyNoPostgresql() }, () => {
  let provider: ExternalIdentityProvider;
  let database: TestPostgresql;
  let environment: NodeJS.ProcessEnv;
  before(async () => {
    [provider, database] = await Promise.all([startExternalIdentityProvider(), createPostgresql()]);
    environment = productionEnvironment(database, provider, folder);
    assert.equal((await runLandfall(['admin', 'migrate'], { environment })).code, 0);
  });
  after(async () => {
    provider?.close();
    await database?.drop();
  });

  it('starts with their passphrase', async () => {
    const server = startLandfall(['serve'], { ...environment, ...right });
    const [, address = ''] = await server.printed(/serving \S+ on (\S+)/);
    const { keys: published } = JSON.parse(
      await (await fetch(`${address}/api/access/jwks`)).text(),
    );
    assert.ok(published.length > 0);
    server.process.kill('SIGTERM');
    assert.equal((await server.ended).code, 0);
  });

  it('does not start without their passphrase, and reports it in one line', async () => {
    for (const [given, message] of [
      [{}, /^error: the keys in \S+ are encrypted: set LANDFALL_KEYS_PASSPHRASE or .*\n$/],
      [wrong, /^error: the keys in \S+ cannot be decrypted: .*\n$/],
    ] as const) {
      const run = await runLandfall(['serve'], { environment: { ...environment, ...given } });
      assert.equal(run.code, 1);
      assert.match(run.stderr, message);
    }
  });
});
