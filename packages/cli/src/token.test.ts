// Which scope `landfall token` asks for.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { completeScope } from './token.js';

const own = ['customs:movement/entry', 'customs:eu/movement/air'];

it('without a scope, all of its own', () => {
  assert.equal(completeScope(undefined, own), 'customs:movement/entry customs:eu/movement/air');
});

it('a short form is completed, with the eu/ where its own has it', () => {
  assert.equal(
    completeScope('movement/entry  movement/air', own),
    'customs:movement/entry customs:eu/movement/air',
  );
});

it('a scope that is not its own is asked for as it stands', () => {
  assert.equal(completeScope('customs:movement/rail entry', own), 'customs:movement/rail entry');
});
