// The scope that `landfall token create` requests.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { completeScope } from './create.js';

const own = ['customs:movement/entry', 'customs:eu/movement/air'];

it('without a scope, all scopes of the identity', () => {
  assert.equal(completeScope(undefined, own), 'customs:movement/entry customs:eu/movement/air');
});

it('a short form is completed, with eu/ if the scope of the identity has it', () => {
  assert.equal(
    completeScope('movement/entry  movement/air', own),
    'customs:movement/entry customs:eu/movement/air',
  );
});

it('another scope is requested unchanged', () => {
  assert.equal(completeScope('customs:movement/rail entry', own), 'customs:movement/rail entry');
});
