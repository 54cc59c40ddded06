// Signing keys at rest: encrypted if there is a passphrase, and errors of a wrong passphrase.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { decryptText, encryptText } from './encrypt-keys.js';
import { keyFile, readKeys } from './key-file.js';
import { readPassphrase } from './key-passphrase.js';
import { openKeyRing } from './key-ring.js';
import { listKeys } from './list-keys.js';
import { openKeys, rotateKeys } from './rotate-keys.js';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-encrypted-keys-'));
});
after(() => rm(folder, { recursive: true }));

const now = new Date('2026-01-01T00:00:00Z');
const passphrase = 'correct horse battery';
const purpose = 'customs-token';

test('with a passphrase, no part of a key is readable in its file, and no other passphrase decrypts it', async () => {
  const location = { folder: join(folder, 'new'), passphrase };
  const ring = await openKeyRing(location, purpose, () => now);
  const [published] = ring.published();
  ring.close();
  assert.ok(published);
  const path = join(location.folder, 'customs-token.json');
  const text = await readFile(path, 'utf8');
  for (const part of [published.kid, published.x, '"d"', 'signsFrom', passphrase]) {
    assert.ok(!text.includes(part));
  }
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(location.folder), ['customs-token.json']);

  const [kept] = await listKeys({ ...location, purpose, now });
  assert.equal(kept?.kid, published.kid);
  const expected = /customs-token\.json/;
  for (const [other, why] of [
    [undefined, /are encrypted: set LANDFALL_KEYS_PASSPHRASE/],
    ['correct horse batterz', /cannot be decrypted: the passphrase is another one/],
  ] as const) {
    const attempts = [
      () => listKeys({ folder: location.folder, passphrase: other, purpose, now }),
      () => rotateKeys({ folder: location.folder, passphrase: other, purpose, now, keep: 970 }),
      () => openKeyRing({ folder: location.folder, passphrase: other }, purpose, () => now),
    ];
    for (const attempt of attempts) {
      await assert.rejects(attempt(), (error: Error & { code?: string }) => {
        assert.equal(error.code, 'KEY_PASSPHRASE');
        assert.match(error.message, why);
        assert.match(error.message, expected);
        return !error.message.includes(passphrase);
      });
    }
  }
  assert.equal(await readFile(path, 'utf8'), text);
});

test('unencrypted keys are read without a passphrase, and encrypted with one', async () => {
  const location = { folder: join(folder, 'plain') };
  const before = await openKeys(keyFile(location, purpose), now);
  assert.match(await readFile(join(location.folder, 'customs-token.json'), 'utf8'), /"d"/);
  // Listing changes nothing.
  await listKeys({ ...location, passphrase, purpose, now });
  assert.match(await readFile(join(location.folder, 'customs-token.json'), 'utf8'), /"d"/);

  const after = await openKeys(keyFile({ ...location, passphrase }, purpose), now);
  assert.deepEqual(after, before);
  assert.doesNotMatch(await readFile(join(location.folder, 'customs-token.json'), 'utf8'), /"d"/);
  assert.deepEqual(await readKeys(keyFile({ ...location, passphrase }, purpose)), before);
  assert.deepEqual(await readdir(location.folder), ['customs-token.json']);
});

test('a rotation keeps the file encrypted', async () => {
  const location = { folder: join(folder, 'rotated'), passphrase, purpose, now } as const;
  await rotateKeys({ ...location, keep: 970, lead: 0 });
  const listed = await rotateKeys({ ...location, keep: 970 });
  assert.equal(listed.at(-1)?.state, 'upcoming');
  const text = await readFile(join(location.folder, 'customs-token.json'), 'utf8');
  assert.doesNotMatch(text, /"d"|kid/);
});

test('servers that start concurrently with a passphrase have the same key', async () => {
  const file = keyFile({ folder: join(folder, 'shared'), passphrase }, purpose);
  const opened = await Promise.all(Array.from({ length: 4 }, () => openKeys(file, now)));
  assert.equal(new Set(opened.map(([key]) => key?.kid)).size, 1);
});

test('a change of any byte of an encrypted text is detected', async () => {
  const encrypted = await encryptText('{"keys":[]}', passphrase);
  assert.equal(await decryptText(encrypted, passphrase), '{"keys":[]}');
  const places = fc.integer({ min: 0, max: encrypted.length - 1 });
  await fc.assert(
    fc.asyncProperty(places, fc.constantFrom('A', 'B', '.', '!'), async (index, character) => {
      const changed = encrypted.slice(0, index) + character + encrypted.slice(index + 1);
      // The last character of a part has bits that stand for nothing.
      const same = changed
        .split('.')
        .every((part, number) =>
          Buffer.from(part, 'base64url').equals(
            Buffer.from(encrypted.split('.')[number] ?? '', 'base64url'),
          ),
        );
      const text = await decryptText(changed, passphrase);
      assert.ok(text === undefined || (same && text === '{"keys":[]}'));
    }),
    { numRuns: 10 },
  );
});

test('a file that requires an unreasonable amount of hashing is refused at once', async () => {
  const [header = '', ...rest] = (await encryptText('x', passphrase)).split('.');
  const parts = JSON.parse(Buffer.from(header, 'base64url').toString());
  const costly = Buffer.from(JSON.stringify({ ...parts, p2c: 1e12 })).toString('base64url');
  const began = performance.now();
  assert.equal(await decryptText([costly, ...rest].join('.'), passphrase), undefined);
  assert.ok(performance.now() - began < 10_000);
});

test('a passphrase is one text or one file, and short ones are refused', async () => {
  const none = { keysPassphrase: '', keysPassphraseFile: '' };
  assert.equal(await readPassphrase(none), undefined);
  assert.equal(await readPassphrase({ ...none, keysPassphrase: passphrase }), passphrase);
  const file = join(folder, 'passphrase');
  await writeFile(file, `${passphrase}\r\n`, { mode: 0o600 });
  assert.equal(await readPassphrase({ ...none, keysPassphraseFile: file }), passphrase);
  const refused: [typeof none, RegExp][] = [
    [{ keysPassphrase: passphrase, keysPassphraseFile: file }, /only one of/],
    [{ ...none, keysPassphrase: 'short' }, /12 characters/],
    [{ ...none, keysPassphraseFile: join(folder, 'nowhere') }, /cannot be read.*ENOENT/],
  ];
  for (const [settings, why] of refused) {
    await assert.rejects(readPassphrase(settings), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'KEY_PASSPHRASE');
      return why.test(error.message) && !error.message.includes('short');
    });
  }
});

test('a running server logs each unusable change once, and keeps its keys', async () => {
  const location = { folder: join(folder, 'running'), passphrase };
  const path = join(location.folder, 'customs-token.json');
  const said: string[] = [];
  const ring = await openKeyRing(
    location,
    purpose,
    () => now,
    (sentence) => said.push(sentence),
  );
  const [before] = ring.published();
  await ring.poll();
  assert.deepEqual(said, []);
  const good = await readFile(path, 'utf8');

  await writeFile(path, '{"keys":[{"d":"secret');
  await ring.poll();
  await ring.poll();
  assert.equal(said.length, 1);
  assert.match(said[0] ?? '', /still in use: \S+customs-token\.json does not hold signing keys$/);
  await writeFile(path, '{"keys":[{"d":"another secret');
  await ring.poll();
  assert.equal(said.length, 2);
  await rm(path);
  await ring.poll();
  await ring.poll();
  assert.equal(said.length, 3);
  assert.match(said[2] ?? '', /ENOENT/);
  assert.ok(!said.join().includes('secret'));
  assert.deepEqual(ring.published(), [before]);

  await writeFile(path, good, { mode: 0o600 });
  await ring.poll();
  assert.equal(said.length, 3);
  await rotateKeys({ ...location, purpose, now, keep: 970 });
  await ring.poll();
  assert.equal(ring.published().length, 2);
  ring.close();
});
