// Who signs in, by the claims that different providers send.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { identifyPerson } from './identify-person.js';
import { readRoles } from './roles.js';

const settings = {
  rolesClaim: 'roles',
  organisationClaim: 'organisation',
  roles: readRoles('officer=authority/registry; gate=movement/entry'),
  subjectKey: 'the key',
};
const base = { iss: 'https://login.example', sub: 'porter@customs.example' };
const organisation = '0192:310000019';

test('roles are a text or a list, at a name or a path, and unknown ones give nothing', () => {
  for (const [rolesClaim, claims] of [
    ['roles', { roles: 'gate' }],
    ['roles', { roles: ['visitor', 'gate', 7, null] }],
    ['realm_access.roles', { realm_access: { roles: ['gate'] } }],
    ['https://customs.example/roles', { 'https://customs.example/roles': ['gate'] }],
  ] as const) {
    const person = identifyPerson(
      { ...base, organisation, ...claims },
      { ...settings, rolesClaim },
    );
    assert.deepEqual(
      person.assignments,
      [{ organisation, role: 'gate', scopes: ['movement/entry'] }],
      rolesClaim,
    );
  }
});

test('roles that the provider gives for each organisation are not given for others', () => {
  const other = '0192:310000027';
  const roles = readRoles('officer=authority/registry; gate=movement/entry');
  const identify = (held: unknown) =>
    identifyPerson(
      { ...base, organisation: [organisation, other], roles: held },
      { ...settings, roles },
    );
  const { assignments } = identify({
    [organisation]: ['gate', 'gate'],
    [other]: 'officer',
    '': ['gate'],
    '0192:310000035': ['visitor', 7],
  });
  assert.deepEqual(
    assignments.map((one) => `${one.role} ${one.organisation}`),
    [`gate ${organisation}`, `officer ${other}`],
  );
  for (const wrong of [{ gate: [organisation] }, { [organisation]: {} }, { [organisation]: [] }]) {
    assert.throws(() => identify(wrong), { refusal: 'no-role' });
  }
});

test('two lists with several roles and several organisations sign nobody in', () => {
  const other = '0192:310000027';
  const identify = (organisations: unknown, roles: unknown) => () =>
    identifyPerson({ ...base, organisation: organisations, roles }, settings);
  assert.throws(identify([organisation, other], ['officer', 'gate']), {
    refusal: 'ambiguous-roles',
  });
  // What counts once, or for nothing, is not several.
  for (const [organisations, roles, count] of [
    [[organisation, organisation], ['officer', 'gate'], 2],
    [[organisation, '', 7], ['officer', 'gate'], 2],
    [[organisation, other], ['gate', 'gate', 'visitor'], 2],
    [[organisation, other], 'gate', 2],
  ] as const) {
    assert.equal(identify(organisations, roles)().assignments.length, count);
  }
});

test('claims of other forms sign nobody in', () => {
  for (const roles of [undefined, null, [], {}, 'gate officer', ['Gate'], ['constructor']]) {
    assert.throws(() => identifyPerson({ ...base, organisation, roles }, settings), {
      refusal: 'no-role',
    });
  }
  for (const wrong of [undefined, '', [], ['', 7], { id: organisation }]) {
    const claims = { ...base, organisation: wrong, roles: 'gate' };
    assert.throws(() => identifyPerson(claims, settings), { refusal: 'no-organisation' });
  }
});

test('the subject is a pseudonym, which the operator can compute with the key', () => {
  const { subject } = identifyPerson({ ...base, organisation, roles: 'gate' }, settings);
  const digest = createHmac('sha256', 'the key')
    .update('https://login.example\nporter@customs.example')
    .digest('hex');
  assert.equal(subject, `person-${digest.slice(0, 32)}`);
});

test('the narrowest is first: reads before changes, then fewer scopes, then as the provider names them', () => {
  const roles = readRoles(
    'officer=authority/registry,authority/routing; gate=movement/entry; clerk=movement/entry,declaration.feed; ' +
      'reader=declaration.feed; register=authority/registry',
  );
  const other = '0192:310000027';
  const { assignments } = identifyPerson(
    {
      ...base,
      roles: Object.fromEntries(
        [organisation, other].map((one) => [
          one,
          ['officer', 'register', 'clerk', 'gate', 'reader', 'gate'],
        ]),
      ),
    },
    { ...settings, roles },
  );
  assert.deepEqual(
    assignments.map((one) => `${one.role} ${one.organisation}`),
    [['reader'], ['register', 'gate'], ['clerk'], ['officer']].flatMap((equal) =>
      [organisation, other].flatMap((one) => equal.map((role) => `${role} ${one}`)),
    ),
  );
});

test('a person has at most 50 assignments, the narrowest ones', () => {
  const organisations = Array.from({ length: 60 }, (_, index) => `0192:3100${10000 + index}`);
  const { assignments } = identifyPerson(
    { ...base, organisation: organisations, roles: 'gate' },
    settings,
  );
  assert.equal(assignments.length, 50);
});

test('names and sessions of the provider can be stored, whatever characters they have', () => {
  const identify = (claims: Record<string, unknown>) =>
    identifyPerson({ ...base, organisation, roles: 'gate', ...claims }, settings);
  for (const [claims, name] of [
    [{ name: 'Kari\u0000 \ud800Nordmann\n' }, 'Kari Nordmann'],
    [{ name: '\u0000', preferred_username: 'kari' }, 'kari'],
    [{ name: '\u202eirak', preferred_username: 'kari' }, 'irak'],
    [{ name: `${'x'.repeat(99)}\u{1f600}\u{1f600}` }, `${'x'.repeat(99)}\u{1f600}`],
    [{ name: ' ' }, identify({}).subject],
  ] as const) {
    assert.equal(identify(claims).name, name);
  }
  const sessions = [
    'a',
    '\u0000',
    '\ud800',
    '\ud801',
    '\ufffd',
    'x'.repeat(5000),
    'x'.repeat(5001),
  ];
  const stored = sessions.map((sid) => identify({ sid }).providerSession ?? '');
  assert.equal(stored[0], 'a');
  assert.equal(new Set(stored).size, sessions.length);
  for (const one of stored) {
    assert(one.length <= 200 && !/[\p{Cc}\p{Cs}]/u.test(one), one);
  }
});
