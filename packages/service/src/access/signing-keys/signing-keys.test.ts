// Signing keys: their lifetime over any sequence of rotations, and their files.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { keyFile, makeKey, writeKeys } from './key-file.js';
import { openKeyRing } from './key-ring.js';
import { listKeys } from './list-keys.js';
import { openKeys, rotateKeys } from './rotate-keys.js';
import { addKey, publishedKeys, type SigningKey, signingKey } from './signing-key.js';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-keys-'));
});
after(() => rm(folder, { recursive: true }));

const start = new Date('2026-01-01T00:00:00Z');
const at = (seconds: number) => new Date(start.getTime() + seconds * 1000);
const privateKey = { kty: 'EC', crv: 'P-256', x: '', y: '', d: '' } as const;

test('over any rotations, each token verifies until it expires, and its key was published before it signed', () => {
  const lifetime = 970;
  const steps = fc.array(fc.integer({ min: 1, max: 2000 }), { maxLength: 12 });
  fc.assert(
    fc.property(steps, fc.integer({ min: 0, max: 300 }), (pauses, lead) => {
      let keys = addKey([], { kid: '0', privateKey }, { lead: 0, keep: 0 }, start);
      const signed: { kid: string; at: number }[] = [];
      const publishedSince = new Map([['0', 0]]);
      let time = 0;
      const signUntil = (end: number) => {
        for (; time < end; time += 50) {
          const key: SigningKey | undefined = signingKey(keys, at(time));
          assert.ok(key, `no key signs at ${time}`);
          signed.push({ kid: key.kid, at: time });
          const published = publishedKeys(keys, at(time)).map(({ kid }) => kid);
          for (const token of signed) {
            if (token.at + lifetime > time) assert.ok(published.includes(token.kid));
          }
          const since = publishedSince.get(key.kid) ?? Number.POSITIVE_INFINITY;
          assert.ok(key.kid === '0' || since + lead <= time);
        }
      };
      for (const [index, pause] of pauses.entries()) {
        signUntil(time + pause);
        const kid = String(index + 1);
        publishedSince.set(kid, time);
        keys = addKey(keys, { kid, privateKey }, { lead, keep: lifetime }, at(time));
      }
      signUntil(time + 3000);
      assert.equal(publishedKeys(keys, at(time)).length, 1);
    }),
    { numRuns: 60 },
  );
});

test('keys are stored in a file and a folder that only their owner may read', async () => {
  const keys = join(folder, 'private');
  const ring = await openKeyRing({ folder: keys }, 'customs-token', () => start);
  ring.close();
  assert.equal((await stat(keys)).mode & 0o777, 0o700);
  assert.deepEqual(await readdir(keys), ['customs-token.json']);
  const file = join(keys, 'customs-token.json');
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  await rotateKeys({ folder: keys, purpose: 'customs-token', now: start, keep: 970 });
  assert.deepEqual(await readdir(keys), ['customs-token.json']);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
});

test('servers that start concurrently or later have the same key', async () => {
  const file = keyFile({ folder: join(folder, 'shared') }, 'customs-token');
  const opened = await Promise.all(Array.from({ length: 8 }, () => openKeys(file, start)));
  opened.push(await openKeys(file, at(100)));
  assert.equal(new Set(opened.map(([key]) => key?.kid)).size, 1);
});

test('a file without keys, or with only ended keys, is refused at start, with what to do', async () => {
  const keys = join(folder, 'none');
  const open = () => openKeyRing({ folder: keys }, 'customs-token', () => at(5000));
  await mkdir(keys);
  await writeFile(join(keys, 'customs-token.json'), '{"keys":[]}', { mode: 0o600 });
  await assert.rejects(open(), /customs-token\.json holds no key: restore it, or remove it/);
  const fresh = await makeKey();
  const ended = addKey([], fresh, { lead: 0, keep: 0 }, start);
  const [key] = ended;
  assert.ok(key);
  const file = keyFile({ folder: keys }, 'customs-token');
  await writeKeys(file, [{ ...key, endsAt: at(10).toISOString() }]);
  await assert.rejects(open(), { code: 'NO_SIGNING_KEY' });
});

test('of rotations at once, no key is lost that signs before the others, and nothing is left beside', async () => {
  const location = { folder: join(folder, 'at-once'), purpose: 'customs-token' } as const;
  await openKeys(keyFile(location, location.purpose), start);
  // A rotation removes keys that would sign later than its own: in any order, the first one stays.
  const rotations = Array.from({ length: 6 }, (_, index) =>
    rotateKeys({ ...location, now: at(10 + index), keep: 600 }),
  );
  const [first] = await Promise.all(rotations);
  const kept = (await listKeys({ ...location, now: at(20) })).map(({ kid }) => kid);
  assert(kept.includes(first?.at(-1)?.kid ?? ''), 'the key of the first rotation is lost');
  assert.deepEqual(await readdir(location.folder), ['customs-token.json']);
});

test('a server whose clock is behind the first key signs with it', async () => {
  const location = { folder: join(folder, 'behind') };
  (await openKeyRing(location, 'customs-token', () => at(0))).close();
  const behind = await openKeyRing(location, 'customs-token', () => at(-60));
  assert.equal((await behind.sign({})).split('.').length, 3);
  const [listed] = await listKeys({ ...location, purpose: 'customs-token', now: at(-60) });
  assert.equal(listed?.state, 'signing');
  behind.close();
});

test('the list shows the state of each key, and no secrets', async () => {
  const options = { folder: join(folder, 'listed'), purpose: 'customs-token' } as const;
  await rotateKeys({ ...options, now: at(0), keep: 970, lead: 0 });
  await rotateKeys({ ...options, now: at(10), keep: 970 });
  const states = async (now: Date) =>
    (await listKeys({ ...options, now })).map(({ state }) => state);
  assert.deepEqual((await states(at(20))).slice(-2), ['signing', 'upcoming']);
  assert.deepEqual((await states(at(320))).slice(-2), ['retired', 'signing']);
  assert.deepEqual((await states(at(5000))).slice(-2), ['ended', 'signing']);
  const text = await readFile(join(options.folder, 'customs-token.json'), 'utf8');
  const listed = JSON.stringify(await listKeys({ ...options, now: at(20) }));
  for (const [, secret = ''] of text.matchAll(/"d": "([^"]+)"/g))
    assert.ok(!listed.includes(secret));
});

test('a damaged file is refused without quoting it, and the previous keys stay in use', async () => {
  const keys = join(folder, 'damaged');
  const ring = await openKeyRing({ folder: keys }, 'customs-token', () => start);
  const [before] = ring.published();
  await writeFile(join(keys, 'customs-token.json'), '{"keys":[{"secret":"abc');
  await assert.rejects(ring.reload(), (error: Error) => !error.message.includes('abc'));
  assert.deepEqual(ring.published(), [before]);
  ring.close();
});
