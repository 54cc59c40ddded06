// Old names are translated into the current grammar, whatever the order of their options.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runCommand } from '../testing/run-command.js';
import { translateOldName } from './old-names.js';

const requestId = '4a3ff6a0-6d0c-4f5a-9b1f-3f1d9d4f0a01';

describe('an old name', () => {
  const cases: [old: string, now: string][] = [
    ['authority find --document HC001', 'consignment list --document HC001'],
    [`authority history ${requestId}`, `consignment view ${requestId}`],
    ['authority profile put first file', 'routing-profile create first file'],
    ['authority profile list --json', 'routing-profile list --json'],
    ['authority organisations 0192:1 --as x', 'organisation view 0192:1 --as x'],
    ['authority organisations 0192:1 --block', 'organisation update --or-create 0192:1 --block'],
    ['authority organisations 0192:1 --name=A', 'organisation update --or-create 0192:1 --name=A'],
    ['feed publish - --as authority', 'feed import - --as authority'],
    ['feed tail --from start', 'feed follow --marker start'],
    ['feed follow --from=start --json', 'feed follow --marker=start --json'],
    [`routing follow --from ${requestId}`, `routing follow --marker ${requestId}`],
    ['feed current', 'feed list'],
    ['organisations grant 0192:1', 'admin bootstrap 0192:1'],
    ['migrate --check', 'admin migrate --check'],
    ['keys rotate --at-once', 'admin keys rotate --at-once'],
    ['audit verify', 'admin audit verify'],
    ['status', 'status list'],
    ['status --json --as carrier', 'status list --json --as carrier'],
    [`status ${requestId} --json`, `status view ${requestId} --json`],
    [`status --as carrier ${requestId}`, `status view ${requestId} --as carrier`],
    ['status --json 23NO00000000000003', 'status list --mrn 23NO00000000000003 --json'],
    ['routing --as carrier', 'routing list --as carrier'],
    ['routing --follow --limit 2', 'routing follow --limit 2'],
    ['token --as carrier --raw', 'token create --as carrier --raw'],
  ];
  for (const [old, now] of cases) {
    it(`${old}`, () => {
      const translated = translateOldName(old.split(' '));
      assert.equal(translated.words.join(' '), now);
      assert.ok(translated.old !== undefined && old.startsWith(translated.old));
    });
  }

  it('is reported on standard error', async () => {
    const { code, stderr } = await runCommand(['migrate', 'now']);
    assert.equal(code, 2);
    assert.match(
      stderr,
      /^"landfall migrate" is now "landfall admin migrate"; .*\nerror: too many/,
    );
  });
});

it('a command in the current grammar is unchanged', () => {
  for (const line of [
    'status list --mrn 23NO00000000000003',
    `status view ${requestId}`,
    `routing follow --marker ${requestId}`,
    'consignment list --from 2026-01-31T06:00:00Z',
    'token doctor file',
    'token --help',
    'authority import -',
    'present container',
    '',
  ]) {
    assert.deepEqual(translateOldName(line.split(' ')), { words: line.split(' ') });
  }
});
