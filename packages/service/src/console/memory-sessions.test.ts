// When sessions in memory end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemorySessions } from './memory-sessions.js';
import type { SignedIn } from './sessions.js';

const person = (subject: string): SignedIn => ({
  kind: 'person',
  subject,
  name: subject,
  organisation: '0192:310000019',
  scopes: ['movement/entry'],
  assignments: [],
});

/** Sessions with a clock in milliseconds that the test sets. */
function makeSessions(limits: ConstructorParameters<typeof MemorySessions>[0] = {}) {
  const clock = { now: 1_000 };
  return { clock, sessions: new MemorySessions(limits, () => clock.now) };
}

test('a session ends when it was not used for too long, and each use delays that', () => {
  const { clock, sessions } = makeSessions({ idleMs: 100 });
  const session = sessions.start(person('one'));
  clock.now += 90;
  assert.equal(sessions.use(session.id), session);
  clock.now += 90;
  assert(sessions.isCurrent(session));
  clock.now += 11;
  assert(!sessions.isCurrent(session));
  assert.equal(sessions.use(session.id), undefined);
});

test('asking whether a session is current does not delay its end', () => {
  const { clock, sessions } = makeSessions({ idleMs: 100 });
  const session = sessions.start(person('one'));
  clock.now += 90;
  assert(sessions.isCurrent(session));
  clock.now += 11;
  assert.equal(sessions.use(session.id), undefined);
});

test('a session ends after its maximum age, however often it is used', () => {
  const { clock, sessions } = makeSessions({ idleMs: 100, maxAgeMs: 250 });
  const session = sessions.start(person('one'));
  for (let used = 0; used < 3; used++) {
    clock.now += 80;
    assert.equal(sessions.use(session.id), session);
  }
  clock.now += 10;
  assert(!sessions.isCurrent(session));
  assert.equal(sessions.use(session.id), undefined);
});

test('of too many sessions of a subject the oldest ends, and of too many in all the one used least recently', () => {
  const { sessions } = makeSessions({ maxSessions: 3, maxSessionsOfSubject: 2 });
  const [first, second, third] = [1, 2, 3].map(() => sessions.start(person('one')));
  assert(first && second && third);
  assert(!sessions.isCurrent(first));
  const other = sessions.start(person('two'));
  sessions.use(second.id);
  sessions.start(person('three'));
  assert(!sessions.isCurrent(third));
  assert(sessions.isCurrent(second) && sessions.isCurrent(other));
});

test('an ended session stays ended, and ids and CSRF tokens are never the same', () => {
  const { sessions } = makeSessions();
  const [one, other] = [sessions.start(person('one')), sessions.start(person('one'))];
  assert.equal(new Set([one.id, one.csrfToken, other.id, other.csrfToken]).size, 4);
  sessions.end(one.id);
  assert.equal(sessions.use(one.id), undefined);
  assert.equal(sessions.use(''), undefined);
});
