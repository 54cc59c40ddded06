// The command's options, settings and exit codes; nothing of it needs a service.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runConformance } from '../testing/run-conformance.js';

describe('the command', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'landfall-conformance-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const settingsFile = async (value: unknown) => {
    const file = join(folder, 'settings.json');
    await writeFile(file, typeof value === 'string' ? value : JSON.stringify(value));
    return file;
  };

  test('wrong usage is exit code 2, with the option and the rule', async () => {
    const usages: [string[], RegExp][] = [
      [[], /SETTINGS is required/],
      [['a', 'b'], /one SETTINGS is expected, not 2/],
      [['a', '--concurrency', '0'], /--concurrency must be a whole number from 1 to 64, not 0/],
      [['a', '--max-wait', 'x'], /--max-wait must be a whole number from 0 to 3600, not x/],
      [['a', '--timeout', '0'], /--timeout must be a whole number from 1 to 86400, not 0/],
      [['a', '--url', 'localhost'], /--url must be an http or https address, not localhost/],
      [['a', '--unknown'], /--unknown/],
      [['--list', '--only', 'NONE-001'], /no requirement NONE-001/],
      [['a', '--only', 'PRES-00'], /no requirement PRES-00:/],
    ];
    for (const [args, expected] of usages) {
      const { code, errors, output } = await runConformance(...args);
      assert.equal(code, 2, args.join(' '));
      assert.match(errors, expected);
      assert.equal(output, '');
      assert.doesNotMatch(errors, /\n\s+at /);
    }
  });

  test('unusable settings are exit code 2, with the file and the member, and never a key', async () => {
    const identity = {
      kind: 'domestic',
      organisation: 'o',
      client_id: 'c',
      private_key: 'SECRET',
      x5c: [],
    };
    const addresses = {
      baseUrl: 'http://localhost:1',
      identityProvider: { url: 'http://localhost:1/idp' },
    };
    const wrong: [unknown, RegExp][] = [
      ['{ SECRET', /settings\.json is not JSON/],
      [{ identities: {} }, /baseUrl is required/],
      [{ baseUrl: 'http://localhost:1' }, /identityProvider must be an object/],
      [
        { ...addresses, identities: { carrier: {} } },
        /identities\.carrier is not a role; roles are presenter/,
      ],
      [{ ...addresses, identities: { presenter: 'none.json' } }, /cannot read .*none\.json/],
      [{ ...addresses, identities: { presenter: identity } }, /identities\.presenter: private_key/],
    ];
    for (const [settings, expected] of wrong) {
      const { code, errors } = await runConformance(await settingsFile(settings));
      assert.equal(code, 2);
      assert.match(errors, expected);
      assert.doesNotMatch(errors, /SECRET/);
    }
    assert.match((await runConformance(join(folder, 'none'))).errors, /cannot read .*none/);
  });

  test('a service that does not respond is exit code 2', async () => {
    const file = await settingsFile({
      baseUrl: 'http://127.0.0.1:1',
      identityProvider: { url: 'http://127.0.0.1:1/idp' },
    });
    const { code, errors } = await runConformance(file);
    assert.equal(code, 2);
    assert.match(errors, /no service responds at http:\/\/127\.0\.0\.1:1/);
  });

  test('--list shows requirements with source and cases, as text and as JSON', async () => {
    const text = await runConformance('--list', '--only', 'ROUT-010');
    assert.equal(text.code, 0);
    assert.match(text.output, /ROUT-010 {2}Reading with markers returns every signal exactly once/);
    assert.match(
      text.output,
      /source: API reference: readRoutingSignals; ARCHITECTURE\.md: The feed/,
    );
    const all = JSON.parse((await runConformance('--list', '--json')).output);
    assert(all.length > 100);
  });

  test('--help describes every option', async () => {
    const { code, output } = await runConformance('--help');
    assert.equal(code, 0);
    for (const option of [
      '--url',
      '--only',
      '--html',
      '--junit',
      '--json',
      '--max-wait',
      '--timeout',
    ]) {
      assert.match(output, new RegExp(option));
    }
  });
});
