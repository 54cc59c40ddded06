import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RoutingProfile, RoutingRule, StoredRoutingProfile } from '@landfall/client';
import { applyProfile, NOT_APPLIED } from './apply-profile.js';
import { compareProfiles } from './compare-profiles.js';
import {
  changeCondition,
  changeRule,
  fromPercent,
  isEditable,
  moveRule,
  positionOf,
  readCodes,
  readMass,
  toPercent,
} from './edit-profile.js';
import { readProfiles, readVersions } from './read-profiles.js';

test('all pages of profiles are read, and the versions of one profile are those of its name alone', async () => {
  const stored = ['a 1', 'a 2', 'a-b 1', 'b 1'].map((text): StoredRoutingProfile => {
    const [name = '', version] = text.split(' ');
    const createdAt = '2026-01-01T00:00:00Z';
    return { name, version: Number(version), createdAt, live: false, salt: 'a', rules: [] };
  });
  const landfall: Parameters<typeof readProfiles>[0] = {
    listRoutingProfiles: async ({ name = '', marker } = {}) => {
      const found = stored.filter((one) => one.name.startsWith(name));
      const from = found.findIndex((one) => `${one.name}:${one.version}` === marker) + 1;
      const entry = found[from];
      const next = from + 1 < found.length && entry;
      return {
        entries: entry === undefined ? [] : [entry],
        next: next ? { name, marker: `${next.name}:${next.version}` } : undefined,
        marker: undefined,
      };
    },
  };
  assert.deepEqual(await readProfiles(landfall), stored);
  assert.deepEqual(await readVersions(landfall, 'a'), stored.slice(0, 2));
});

const rule = (name: string, members: Partial<RoutingRule> = {}): RoutingRule => ({
  name,
  routing: 'TO_CONTROL',
  ...members,
});

const profile = (...rules: RoutingRule[]): RoutingProfile => ({ salt: 'a', rules });

/** Each change in words: what it is, and the numbers of the rule. */
const changes = (before: RoutingProfile, after: RoutingProfile) =>
  compareProfiles(before, after).rules.map(({ before: from, after: to, isChanged, isMoved }) =>
    [
      (from ?? to)?.rule.name,
      from === undefined ? 'added' : to === undefined ? 'removed' : '',
      isChanged ? 'changed' : '',
      isMoved ? 'moved' : '',
      `${from?.number ?? '-'}>${to?.number ?? '-'}`,
    ]
      .filter((word) => word !== '')
      .join(' '),
  );

test('rules are added, removed and changed, and those that only shift have not moved', () => {
  const before = profile(rule('a'), rule('b'), rule('c'), rule('d'));
  const after = profile(rule('new'), rule('a'), rule('c', { share: 0.5 }), rule('d'));
  assert.deepEqual(changes(before, after), [
    'new added ->1',
    'a 1>2',
    'b removed 2>-',
    'c changed 3>3',
    'd 4>4',
  ]);
});

test('a rule that comes before another has moved, alone', () => {
  const before = profile(rule('a'), rule('b'), rule('c'));
  assert.deepEqual(changes(before, profile(rule('c'), rule('a'), rule('b'))), [
    'c moved 3>1',
    'a 1>2',
    'b 2>3',
  ]);
});

test('a gross mass is a number; what is none is sent as it was entered', () => {
  assert.deepEqual(['1500.5', '1500,5', ' 20 ', 'heavy', '', '1 000'].map(readMass), [
    1500.5,
    1500.5,
    20,
    'heavy',
    '',
    '1 000',
  ]);
  const heavy = changeCondition(profile(rule('a')), 0, 'grossMassFrom', 1500.5);
  assert.deepEqual(heavy.rules[0]?.when, { grossMassFrom: 1500.5 });
  assert(isEditable(heavy));
  assert.deepEqual(changes(heavy, structuredClone(heavy)), ['a 1>1']);
  const other = changeCondition(heavy, 0, 'grossMassFrom', 2);
  assert.deepEqual(changes(heavy, other), ['a changed 1>1']);
  assert.deepEqual(changeCondition(heavy, 0, 'grossMassFrom', undefined).rules, [rule('a')]);
});

test('numbers of carriers are not written in capitals, and other codes are', () => {
  assert.deepEqual(readCodes('no1, se2', 'carrierIdentificationNumber'), ['no1', 'se2']);
  assert.deepEqual(readCodes('no, se', 'consignorCountry'), ['NO', 'SE']);
});

test('the order of values and members does not matter, and neither does a share of everything', () => {
  const one = rule('a', { when: { originCountry: ['US', 'CN'], officeCountry: ['NO'] } });
  const other = rule('a', {
    when: { officeCountry: ['NO'], originCountry: ['CN', 'US'] },
    share: 1,
  });
  assert.deepEqual(changes(profile(one), profile(other)), ['a 1>1']);
  assert.deepEqual(changes(profile(one), profile(rule('a'))), ['a changed 1>1']);
  assert.equal(compareProfiles(profile(), { salt: 'b', rules: [] }).isSaltChanged, true);
});

test('rules with the same name are compared in their order', () => {
  const before = profile(rule('x'), rule('x', { share: 0.1 }));
  assert.deepEqual(changes(before, profile(rule('x'), rule('x', { share: 0.2 }))), [
    'x 1>1',
    'x changed 2>2',
  ]);
});

test('shares are percentages, exactly', () => {
  for (const [share, percent] of [
    [0.07, '7'],
    [0.001, '0.1'],
    [0.29, '29'],
    [1, '100'],
  ] as const) {
    assert.equal(toPercent(share), percent);
    assert.equal(fromPercent(percent), share);
  }
  assert.equal(fromPercent('12,5'), 0.125);
  assert.equal(fromPercent(' '), undefined);
  assert.equal(fromPercent('half'), 'half');
});

test('a changed rule keeps the members that the form does not know', () => {
  const unknown = { ...rule('a'), comment: 'x' } as RoutingRule;
  const changed = changeRule(profile(unknown), 0, { share: undefined, routing: 'TO_ENTRY' });
  assert.deepEqual(changed.rules, [{ name: 'a', routing: 'TO_ENTRY', comment: 'x' }]);
});

test('a condition is added, changed and removed', () => {
  const one = changeCondition(profile(rule('a')), 0, 'originCountry', ['US']);
  assert.deepEqual(one.rules[0]?.when, { originCountry: ['US'] });
  const two = changeCondition(one, 0, 'officeCountry', []);
  assert.deepEqual(two.rules[0]?.when, { originCountry: ['US'], officeCountry: [] });
  const none = changeCondition(one, 0, 'originCountry', undefined);
  assert.deepEqual(none.rules, [rule('a')]);
});

test('rules move', () => {
  const moved = moveRule(profile(rule('a'), rule('b'), rule('c')), 0, 2);
  assert.deepEqual(
    moved.rules.map(({ name }) => name),
    ['b', 'c', 'a'],
  );
});

test('codes are separated by spaces or commas, in upper case', () => {
  assert.deepEqual(readCodes(' us, cn;n750 '), ['US', 'CN', 'N750']);
  assert.deepEqual(readCodes(' '), []);
});

test('errors of the service belong to a rule and a part of it', () => {
  assert.deepEqual(positionOf('rules.2.when.originCountry.1'), {
    rule: 2,
    part: 'when.originCountry',
  });
  assert.deepEqual(positionOf('rules.0.share'), { rule: 0, part: 'share' });
  assert.deepEqual(positionOf('rules.0'), { rule: 0, part: '' });
  assert.deepEqual(positionOf('salt'), { rule: undefined, part: 'salt' });
});

test('only what has the shape of a profile is shown in the form', () => {
  assert(isEditable(profile(rule('a', { when: { originCountry: ['US'] }, share: 0.5 }))));
  for (const value of [
    undefined,
    [],
    { salt: 'a' },
    { salt: 'a', rules: [1] },
    profile({ ...rule('a'), when: [] } as unknown as RoutingRule),
    profile(rule('a', { when: { originCountry: 'US' } as never })),
  ]) {
    assert.equal(isEditable(value), false, JSON.stringify(value));
  }
});

test('applying continues until no undecided ones remain, and from where it failed', async () => {
  const steps = [
    { examined: 2, decided: 1, signals: 0, marker: 'a' },
    undefined,
    { examined: 3, decided: 3, signals: 4 },
  ];
  const markers: (string | undefined)[] = [];
  const apply = async (marker: string | undefined) => {
    markers.push(marker);
    const step = steps.shift();
    if (step === undefined) throw new Error('connection lost');
    return { name: 'post', version: 1, ...step };
  };
  let applied = NOT_APPLIED;
  const proceed = () =>
    applyProfile(
      apply,
      { name: 'post', version: 1 },
      applied,
      (progress) => {
        applied = progress;
      },
      new AbortController().signal,
    );
  await assert.rejects(proceed(), /connection lost/);
  assert.equal(applied.isDone, false);
  await proceed();
  const { examined, decided, signals, isDone } = applied;
  assert.deepEqual([examined, decided, signals, isDone], [5, 4, 4, true]);
  assert.deepEqual(markers, [undefined, 'a', 'a']);
});

test('applying stops when another version has gone live', async () => {
  let applied = NOT_APPLIED;
  await applyProfile(
    async () => ({ name: 'post', version: 2, examined: 1, decided: 1, signals: 0, marker: 'a' }),
    { name: 'post', version: 1 },
    applied,
    (progress) => {
      applied = progress;
    },
    new AbortController().signal,
  );
  assert.deepEqual([applied.hasChanged, applied.isDone], [true, false]);
});
