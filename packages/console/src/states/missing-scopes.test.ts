import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InsufficientScopeError } from '../../../service/dist/http/caller.js';
import { missingScopes } from './missing-scopes.js';

test('the right that is missing is read from what the service says', () => {
  for (const scopes of [['movement/entry'], ['authority/registry', 'authority/routing']]) {
    assert.deepEqual(missingScopes(new InsufficientScopeError(scopes).message), scopes);
  }
});

test('what names no right names none', () => {
  assert.deepEqual(missingScopes(undefined), []);
  assert.deepEqual(missingScopes('the organisation is blocked'), []);
});
