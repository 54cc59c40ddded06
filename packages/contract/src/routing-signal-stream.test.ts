// Subjects of organisations: safe in NATS, and different for different organisations.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  fromRoutingSignalSubject,
  fromSubjectToken,
  toRoutingSignalSubject,
  toSubjectToken,
} from './routing-signal-stream.js';

test('every identifier has a token of its own that NATS accepts', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 100, unit: 'grapheme' }), (identifier) => {
      const token = toSubjectToken(identifier);
      assert.match(token, /^[A-Za-z0-9_=-]+$/);
      assert.equal(fromSubjectToken(token), identifier);
      assert.equal(fromRoutingSignalSubject(toRoutingSignalSubject(identifier)), identifier);
    }),
  );
});

test('what is no token has no organisation', () => {
  for (const token of ['', 'a=', 'a=4', 'a=zz', 'a=2e', 'a=41', 'a b', 'a.b', 'a=FF', 'a%41']) {
    assert.equal(fromSubjectToken(token) || undefined, undefined, token);
  }
  assert.equal(fromRoutingSignalSubject('customs.goods-items.I.01'), undefined);
});
