// The configuration of the sign-in for people: each error names its variable and the rule.
import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { readConfig } from '../config.js';
import { readSignIn } from './read-sign-in.js';

/** Modes with which others could read or replace a file. */
const OPEN_MODES = [0o666, 0o644, 0o604, 0o620, 0o602];

let folder: string;
let whole: Record<string, string>;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-sign-in-'));
  const write = async (name: string, text: string) => {
    await writeFile(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  whole = {
    LANDFALL_CONSOLE_OIDC_ISSUER: 'https://login.example/realms/customs',
    LANDFALL_CONSOLE_OIDC_CLIENT_ID: 'landfall-console',
    LANDFALL_CONSOLE_OIDC_CLIENT_SECRET_FILE: await write('secret', 'hidden\n'),
    LANDFALL_CONSOLE_SUBJECT_KEY_FILE: await write('key', `${'k'.repeat(32)}\n`),
    LANDFALL_CONSOLE_ROLES: 'officer=authority/registry, authority/routing; gate=movement/entry;',
  };
  await write('short', 'too short');
  await write('empty', '\n');
  for (const mode of OPEN_MODES) {
    await write(mode.toString(8), 'hidden, as the other secrets are');
    await chmod(join(folder, mode.toString(8)), mode);
  }
});
after(() => rm(folder, { recursive: true }));

const reasonsOf = async (changed: Record<string, string>) =>
  (await readSignIn(readConfig({ ...whole, ...changed }))).reasons;

test('without an issuer there is no sign-in', async () => {
  assert.deepEqual(await readSignIn(readConfig({})), { reasons: [] });
});

test('a whole configuration is read', async () => {
  const { settings, reasons } = await readSignIn(readConfig(whole));
  assert.deepEqual(reasons, []);
  assert.equal(settings?.clientSecret, 'hidden');
  assert.equal(settings.subjectKey, 'k'.repeat(32));
  assert.deepEqual(Object.fromEntries(settings.roles), {
    officer: ['authority/registry', 'authority/routing'],
    gate: ['movement/entry'],
  });
});

test('every setting that breaks its rule is reported with its name', async () => {
  for (const [variable, value, rule] of [
    ['LANDFALL_CONSOLE_OIDC_ISSUER', 'http://login.example', /must begin with https:/],
    ['LANDFALL_CONSOLE_OIDC_ISSUER', '', /without LANDFALL_CONSOLE_OIDC_ISSUER/],
    ['LANDFALL_CONSOLE_OIDC_CLIENT_ID', '', /CLIENT_ID is not set/],
    ['LANDFALL_CONSOLE_OIDC_CLIENT_SECRET_FILE', '', /SECRET_FILE is not set/],
    ['LANDFALL_CONSOLE_OIDC_CLIENT_SECRET_FILE', 'none', /SECRET_FILE cannot be read/],
    ['LANDFALL_CONSOLE_OIDC_CLIENT_SECRET_FILE', 'empty', /SECRET_FILE is empty/],
    ['LANDFALL_CONSOLE_SUBJECT_KEY_FILE', 'short', /KEY_FILE must have 32 characters/],
    ['LANDFALL_CONSOLE_OIDC_SCOPES', 'profile', /SCOPES must contain openid/],
    ['LANDFALL_CONSOLE_ROLES', '', /ROLES is not set/],
    ['LANDFALL_CONSOLE_ROLES', 'officer', /ROLES must have the form/],
    ['LANDFALL_CONSOLE_ROLES', 'officer=', /ROLES must have the form/],
    ['LANDFALL_CONSOLE_ROLES', '=movement/entry', /ROLES must have the form/],
    ['LANDFALL_CONSOLE_ROLES', 'a=movement/all', /scope movement\/all, which does not exist/],
    ['LANDFALL_CONSOLE_ROLES', 'a=eu/movement/entry', /which does not exist/],
    ['LANDFALL_CONSOLE_ROLES', 'a=movement/air;a=movement/entry', /the role a twice/],
  ] as const) {
    const isFile = variable.endsWith('_FILE') && value !== '';
    const reasons = await reasonsOf({ [variable]: isFile ? join(folder, value) : value });
    assert.match(reasons.join('\n'), rule, `${variable}=${value}`);
  }
});

test('files of secrets that others can read or replace are refused, with their mode', {
  skip: process.platform === 'win32' && 'Windows has no such modes',
}, async () => {
  for (const variable of [
    'LANDFALL_CONSOLE_OIDC_CLIENT_SECRET_FILE',
    'LANDFALL_CONSOLE_SUBJECT_KEY_FILE',
  ]) {
    for (const mode of OPEN_MODES) {
      const octal = mode.toString(8);
      const reasons = await reasonsOf({ [variable]: join(folder, octal) });
      assert.equal(reasons.length, 1, `${variable} ${octal}`);
      assert.match(
        reasons.join(),
        new RegExp(`in ${variable} .* is open .*\\(mode 0${octal}\\): chmod 0600`),
      );
    }
    const file = whole[variable] ?? '';
    for (const mode of [0o400, 0o440, 0o640]) {
      await chmod(file, mode);
      assert.deepEqual(await reasonsOf({}), [], mode.toString(8));
    }
  }
});
