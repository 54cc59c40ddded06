// Valid grants with one change each: every change is refused with the code for it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import {
  goodGrant,
  type Running,
  sendGrant,
  signGrant,
  startAccess,
  type UnsignedGrant,
} from '../../../service/dist/testing/running-access.js';

let running: Running;
before(async () => {
  running = await startAccess();
});
after(() => running.close());

/** A change of a grant, with the code of its refusal. */
type Change = { code: string; apply(grant: UnsignedGrant): void };

const set = (name: string, value: unknown, code: string): Change => ({
  code,
  apply: ({ claims }) => {
    claims[name] = value;
  },
});

const now = () => Math.floor(Date.now() / 1000);
const notText = fc.oneof(
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.dictionary(fc.string(), fc.integer()),
);
const word = fc.stringMatching(/^[a-z][a-z/.]{0,30}$/);

const changes: fc.Arbitrary<Change> = fc.oneof(
  fc
    .constantFrom('iss', 'scope')
    .chain((name) => notText.map((value) => set(name, value, 'MP-011'))),
  notText.map((value) => set('jti', value, 'MP-011')),
  fc
    .constantFrom('iat', 'exp')
    .chain((name) => fc.string().map((value) => set(name, value, 'MP-011'))),
  word.map((name) => set('iss', name, 'MP-100')),
  fc.webUrl().map((url) => set('aud', url, 'MP-110')),
  fc.array(fc.webUrl(), { minLength: 1, maxLength: 3 }).map((urls) => set('aud', urls, 'MP-110')),
  fc.integer({ min: 130, max: 1e9 }).map((seconds) => set('exp', now() + seconds, 'MP-130')),
  fc.integer({ min: 11, max: 1e9 }).map((seconds) => set('exp', now() - seconds, 'MP-130')),
  fc.integer({ min: 20, max: 1e9 }).map((seconds) => set('iat', now() + seconds, 'MP-130')),
  fc.integer({ min: 100, max: 1e9 }).map((seconds) => set('iat', now() - seconds, 'MP-130')),
  word.map((name) => set('scope', `customs:${name}`, 'MP-200')),
  word.map((name) => set('scope', `customs:movement/entry customs:eu/${name}`, 'MP-200')),
  fc.base64String({ maxLength: 200 }).map(
    (text): Change => ({
      code: 'MP-120',
      apply: ({ header }) => {
        header.x5c = [text];
      },
    }),
  ),
);

test('a grant with one change is refused with the code for it', async () => {
  await fc.assert(
    fc.asyncProperty(changes, async ({ code, apply }) => {
      const grant = goodGrant(running.credentials('forwarder'));
      apply(grant);
      const { status, body } = await sendGrant(running, grant);
      assert.notEqual(status, 200);
      assert.equal(
        String(body.error_description).slice(0, 6),
        code,
        String(body.error_description),
      );
    }),
    { numRuns: 200 },
  );
});

test('a grant with one changed character is refused', async () => {
  const assertion = await signGrant(goodGrant(running.credentials('forwarder')));
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  // The last character of each part has unused bits. Changing only those changes nothing.
  const places = [...assertion].flatMap((letter, index) =>
    letter === '.' || '.'.includes(assertion[index + 1] ?? '.') ? [] : [index],
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...places),
      fc.constantFrom(...letters),
      async (index, letter) => {
        fc.pre(assertion[index] !== letter);
        const changed = `${assertion.slice(0, index)}${letter}${assertion.slice(index + 1)}`;
        const { status, body } = await sendGrant(running, changed);
        assert.ok(status === 400 || status === 401, `${status} ${JSON.stringify(body)}`);
      },
    ),
    { numRuns: 150 },
  );
});

test('any text instead of a grant is refused in the form of OAuth', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ minLength: 1, unit: 'binary' }), async (text) => {
      const { status, body } = await sendGrant(running, text);
      assert.equal(status, 400);
      assert.equal(body.error, 'invalid_request');
    }),
    { numRuns: 50 },
  );
});
