// Scopes are formatted and parsed with any prefix.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { keysOf } from './keys-of.js';
import { formatScope, parseScope, type ScopeName, scopes, TEST_SCOPE } from './scopes.js';

const anyScope: fc.Arbitrary<ScopeName> = fc.constantFrom(...keysOf(scopes));

test('a formatted scope is parsed to the same scope, with any prefix', () => {
  fc.assert(
    fc.property(fc.string(), anyScope, fc.boolean(), (prefix, name, foreign) => {
      fc.pre(!foreign || scopes[name].foreign);
      assert.deepEqual(parseScope(formatScope(name, { prefix, foreign }), prefix), {
        name,
        foreign,
      });
    }),
  );
});

test('a scope with another prefix is unknown', () => {
  assert.equal(parseScope('toll:movement/entry'), undefined);
  assert.deepEqual(parseScope('toll:movement/entry', 'toll:'), {
    name: 'movement/entry',
    foreign: false,
  });
});

test('the foreign form of a scope that has none is unknown', () => {
  for (const name of keysOf(scopes).filter((scope) => !scopes[scope].foreign)) {
    assert.equal(parseScope(formatScope(name, { foreign: true })), undefined, name);
  }
});

test('the test scope is not in the scope table', () => {
  assert.equal(parseScope(`customs:${TEST_SCOPE}`), undefined);
});

test('no other text is a scope, and parsing never throws', () => {
  const known = new Set(keysOf(scopes).flatMap((name) => [name, `eu/${name}`]));
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!known.has(text));
      assert.equal(parseScope(`customs:${text}`), undefined);
    }),
  );
  for (const name of ['__proto__', 'constructor', 'toString', 'eu/eu/movement/entry', '']) {
    assert.equal(parseScope(`customs:${name}`), undefined, name);
  }
});
