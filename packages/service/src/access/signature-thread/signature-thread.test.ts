// The thread that makes and verifies signatures: each job has its own outcome, whatever goes along with it.
import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { test } from 'node:test';
import { signText, verifyText } from './signature-thread.js';

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const es256 = { hash: 'sha256', use: { dsaEncoding: 'ieee-p1363' } } as const;

test('signatures that are asked for together are each made of their own text', async () => {
  const texts = Array.from({ length: 200 }, (_, number) => `text ${number}`);
  const signatures = await Promise.all(
    texts.map((text) => signText({ ...es256, key: ec.privateKey, text })),
  );
  texts.forEach((text, place) => {
    const signature = Buffer.from(signatures[place] ?? '', 'base64url');
    const key = { key: ec.publicKey, ...es256.use };
    assert.ok(verify('sha256', Buffer.from(text), key, signature));
  });
});

test('a signature holds for its text and its key alone', async () => {
  const text = 'header.claims';
  const signature = sign('sha256', Buffer.from(text), {
    key: ec.privateKey,
    ...es256.use,
  }).toString('base64url');
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
  const holds = (key: KeyObject, signed: string, given: string) =>
    verifyText({ ...es256, key, text: signed, signature: given });
  assert.deepEqual(
    await Promise.all([
      holds(ec.publicKey, text, signature),
      holds(ec.publicKey, `${text}!`, signature),
      holds(other, text, signature),
      holds(ec.publicKey, text, signature.slice(0, -2)),
      holds(ec.publicKey, text, ''),
    ]),
    [true, false, false, false, false],
  );
});

test('what cannot be signed fails by itself', async () => {
  const outcomes = await Promise.allSettled([
    signText({ ...es256, key: ec.privateKey, text: 'a' }),
    signText({ ...es256, key: ec.publicKey, text: 'b' }),
    signText({ ...es256, hash: 'no such hash', key: ec.privateKey, text: 'c' }),
    signText({ ...es256, key: ec.privateKey, text: 'd' }),
  ]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
  );
});

test('a job that cannot be sent to the thread fails by itself, and gives nobody the outcome of another', async () => {
  const cannotBeCloned = { ...es256.use, padding: (() => 1) as unknown as number };
  const failing = signText({ ...es256, use: cannotBeCloned, key: ec.privateKey, text: 'x' });
  await assert.rejects(failing, { name: 'DataCloneError' });
  const texts = ['a', 'b', 'c'];
  for (const text of texts) {
    const signature = await signText({ ...es256, key: ec.privateKey, text });
    const holds = await verifyText({ ...es256, key: ec.publicKey, text, signature });
    assert.equal(holds, true, text);
  }
  const together = await Promise.allSettled([
    signText({ ...es256, key: ec.privateKey, text: 'd' }),
    signText({ ...es256, use: cannotBeCloned, key: ec.privateKey, text: 'e' }),
    verifyText({ ...es256, key: ec.publicKey, text: 'f', signature: 'AAAA' }),
  ]);
  assert.deepEqual(
    together.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
});
