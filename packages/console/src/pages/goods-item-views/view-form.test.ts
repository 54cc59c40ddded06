import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choosableMembers, chooseMember, isCovered } from './member-list.js';
import { fieldOf, makeView, toForm } from './view-form.js';

test('a view that is shown in the form is stored as it was', () => {
  for (const view of [
    {},
    { chapters: ['22', '24'], procedures: ['40'] },
    { directions: ['I' as const, 'O' as const], from: '2026-01-01', to: '2026-12-31' },
    { members: ['GoodsItem.CommodityCode' as const, 'GoodsItem.NetMass' as const] },
  ]) {
    assert.deepEqual(makeView(toForm(view)), view);
  }
});

test('a form whose members were all deselected does not become a view of all members', () => {
  const form = { ...toForm(), chapters: ' 22;24,\t01 ', isRestricted: true };
  assert.deepEqual(makeView(form), { chapters: ['22', '24', '01'], members: [] });
  assert.equal(fieldOf('chapters.0'), 'chapters');
  assert.equal(fieldOf(''), undefined);
});

test('a member covers those within it, and no other', () => {
  const [declaration, date] = [
    'GoodsItem.Declaration',
    'GoodsItem.Declaration.DateOfAcceptance',
  ] as const;
  const mass = 'GoodsItem.NetMass';
  const chosen = chooseMember(chooseMember([date], mass, true), declaration, true);
  assert.deepEqual(chosen, [declaration, mass]);
  assert(isCovered(date, chosen));
  assert(!isCovered(declaration, chosen) && !isCovered('GoodsItem.GrossMass', [mass]));
  assert.deepEqual(chooseMember(chosen, declaration, false), [mass]);
  assert(!choosableMembers.some((member) => member === 'GoodsItem.GoodsItemNumber'));
});
