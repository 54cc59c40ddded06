// What is kept of the drafts, and for whom.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { type DraftStorage, Drafts, deleteDrafts } from './drafts.js';

const [CARRIER, EXPRESS] = ['0192:310000019', '0192:310000027'];

const items = new Map<string, string>();
const storage: DraftStorage = {
  getItem: (key) => items.get(key) ?? null,
  setItem: (key, value) => void items.set(key, value),
  removeItem: (key) => void items.delete(key),
};
beforeEach(() => items.clear());

test('what was typed is read by the same person later, and by nobody after it was sent', () => {
  const drafts = new Drafts(storage, 'porter', CARRIER);
  drafts.keep('present', { office: 'NO351001' });
  drafts.keep('decide 1', 'because');
  drafts.keep('present', { office: 'NO351002' });
  const later = new Drafts(storage, 'porter', CARRIER);
  assert.deepEqual(later.read('present'), { office: 'NO351002' });
  assert.equal(later.read('decide 2'), undefined);
  later.discard('present');
  assert.equal(later.read('present'), undefined);
  assert.equal(later.read('decide 1'), 'because');
  later.discard('decide 1');
  assert.equal(items.size, 0);
});

test('what was typed for one organisation is not read for another one, and is kept', () => {
  new Drafts(storage, 'porter', CARRIER).keep('present', 'of the carrier');
  const other = new Drafts(storage, 'porter', EXPRESS);
  assert.equal(other.read('present'), undefined);
  other.keep('present', 'of the other');
  assert.equal(new Drafts(storage, 'porter', CARRIER).read('present'), 'of the carrier');
});

test('when somebody else signs in, and after signing out, nothing is left', () => {
  const drafts = new Drafts(storage, 'porter', CARRIER);
  drafts.keep('present', 'of the porter');
  new Drafts(storage, 'courier', CARRIER);
  assert.equal(items.size, 0);
  drafts.keep('present', 'of the porter');
  deleteDrafts(storage);
  assert.equal(items.size, 0);
});

test('of more than a million characters the oldest drafts are dropped', () => {
  const drafts = new Drafts(storage, 'porter', CARRIER);
  drafts.keep('old', 'x'.repeat(600_000));
  drafts.keep('new', 'y'.repeat(600_000));
  assert.equal(drafts.read('old'), undefined);
  assert.equal(drafts.read('new'), 'y'.repeat(600_000));
  drafts.keep('larger than all', 'z'.repeat(1_000_000));
  assert.equal(items.size, 0);
});

test('a browser that forbids or fills its storage, or a text of something else, is no error', () => {
  const full: DraftStorage = {
    ...storage,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  };
  for (const unusable of [undefined, full]) {
    const drafts = new Drafts(unusable, 'porter', CARRIER);
    drafts.keep('present', 'typed');
    assert.equal(drafts.read('present'), undefined);
  }
  items.set('landfall-drafts', '{"subject":');
  assert.equal(new Drafts(storage, 'porter', CARRIER).read('present'), undefined);
});
