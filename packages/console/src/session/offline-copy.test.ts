// What is kept for a reload without a connection, and for whom.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { DraftStorage } from './drafts.js';
import {
  deleteOfflineCopy,
  keepOfflineCopy,
  keepOnlyCopyOf,
  readOfflineCopy,
} from './offline-copy.js';
import type { Session } from './session.js';

const items = new Map<string, string>();
const storage: DraftStorage = {
  getItem: (key) => items.get(key) ?? null,
  setItem: (key, value) => void items.set(key, value),
  removeItem: (key) => void items.delete(key),
};
beforeEach(() => items.clear());

const now = new Date('2026-03-01T12:00:00Z');
const session: Session = {
  kind: 'person',
  subject: 'porter',
  name: 'Porter',
  organisation: '0192:310000019',
  assignments: [],
  scopes: ['movement/entry'],
  csrfToken: 'secret',
  endsAt: '2026-03-01T20:00:00Z',
};
const copy = {
  at: now.toISOString(),
  configuration: {
    signIn: 'openid-connect' as const,
    timeZone: 'Europe/Oslo',
    routingResults: 'standard' as const,
  },
  session,
};

test('a copy is read until its session ends, and never has the CSRF token', () => {
  keepOfflineCopy(storage, { ...copy, known: ['signals'] });
  const read = readOfflineCopy(storage, now);
  assert.equal(read?.known, 'signals');
  assert.equal(read?.session.csrfToken, '');
  assert.equal(readOfflineCopy(storage, new Date(session.endsAt)), undefined);
  assert.equal(items.size, 0);
});

test('a copy is deleted when another caller signs in or nobody is signed in', () => {
  for (const other of [
    { ...session, subject: 'other' },
    { ...session, role: 'reader' },
    undefined,
  ]) {
    keepOfflineCopy(storage, { ...copy, known: ['signals'] });
    keepOnlyCopyOf(storage, { ...session, csrfToken: 'of another session' }, now);
    assert.equal(items.size, 1);
    keepOnlyCopyOf(storage, other, now);
    assert.equal(items.size, 0);
  }
});

test('what is too large is left out, and no older copy stays', () => {
  const large = 'x'.repeat(3_000_000);
  keepOfflineCopy(storage, { ...copy, known: [large, 'checks'] });
  assert.equal(readOfflineCopy(storage, now)?.known, 'checks');
  keepOfflineCopy(storage, { ...copy, known: [large] });
  assert.equal(items.size, 0);
});

test('without storage, or with a text of somebody else, there is no copy', () => {
  keepOfflineCopy(undefined, { ...copy, known: ['signals'] });
  assert.equal(readOfflineCopy(undefined, now), undefined);
  keepOfflineCopy(storage, { ...copy, known: ['signals'] });
  for (const key of items.keys()) items.set(key, '{');
  assert.equal(readOfflineCopy(storage, now), undefined);
  deleteOfflineCopy(storage);
  assert.equal(items.size, 0);
});
