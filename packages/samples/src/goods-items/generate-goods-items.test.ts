// The trial history is the same for the same seed, plausible and consistent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GoodsItemMessage } from '@landfall/contract';
import { generateGoodsItems } from './generate-goods-items.js';
import { subheadings } from './subheadings.js';

const history = [...generateGoodsItems({ declarations: 3000, seed: 1 })];

test('the same seed gives the same messages, another seed different ones', () => {
  const text = (seed: number) =>
    JSON.stringify([...generateGoodsItems({ declarations: 50, seed })]);
  assert.equal(text(5), text(5));
  assert.notEqual(text(5), text(6));
});

test('messages are generated on demand', () => {
  const endless = generateGoodsItems({ declarations: Number.POSITIVE_INFINITY, seed: 1 });
  for (let taken = 0; taken < 1000; taken++) assert.equal(endless.next().done, false);
});

test('eventIds are unique, and times do not decrease', () => {
  assert.equal(new Set(history.map(({ metadata }) => metadata.eventId)).size, history.length);
  const times = history.map(({ metadata }) => metadata.created);
  assert.deepEqual(times, times.toSorted());
});

test('only current items are removed, in each form of a removal', () => {
  const current = new Map<string, string>();
  const events = new Map<string, string>();
  const ways = new Set<string>();
  for (const { metadata, data } of history) {
    const key = data && keyOf(data.GoodsItem);
    if (metadata.eventType !== 'ITEM_REMOVED') {
      assert.ok(key !== undefined && !current.has(key));
      current.set(key, metadata.eventId);
      events.set(metadata.eventId, key);
      continue;
    }
    const { relatedEventId } = metadata;
    ways.add(`${relatedEventId !== undefined} ${key !== undefined}`);
    const removed = key ?? events.get(relatedEventId ?? '') ?? '';
    assert.equal(current.get(removed), relatedEventId ?? current.get(removed));
    assert.ok(current.delete(removed));
  }
  assert.equal(ways.size, 3);
});

test('a correction names the declaration that it replaces, and the original one', () => {
  const seen = new Set<string>();
  let corrections = 0;
  for (const { data } of added()) {
    const { DeclarationIdentification, Declaration } = data.GoodsItem;
    seen.add(DeclarationIdentification);
    if (Declaration.DeclarationCategory !== 'CO') continue;
    corrections += 1;
    const references = Declaration.AdditionalReferences ?? [];
    assert.deepEqual(
      references.map(({ Type }) => Type),
      ['2CPD', '2COD'],
    );
    for (const { ReferenceNumber } of references) {
      assert.ok(seen.has(ReferenceNumber) && ReferenceNumber !== DeclarationIdentification);
    }
  }
  assert.ok(corrections > 100);
});

test('items of a declaration are numbered from 1, up to 15', () => {
  const numbers = new Map<string, number[]>();
  for (const { data } of added()) {
    const { DeclarationIdentification, GoodsItemNumber } = data.GoodsItem;
    const found = numbers.get(DeclarationIdentification) ?? [];
    numbers.set(DeclarationIdentification, [...found, GoodsItemNumber]);
  }
  for (const found of numbers.values()) {
    assert.deepEqual(
      found,
      found.map((_, index) => index + 1),
    );
    assert.ok(found.length <= 15);
  }
});

test('figures are plausible: gross over net, value-added tax of 25 %, or 15 % on food', () => {
  for (const { data } of added()) {
    const item = data.GoodsItem;
    assert.ok(item.GrossMass >= item.NetMass && item.NetMass > 0 && item.StatisticalValue > 0);
    const exported = item.Declaration.DeclarationDirection === 'O';
    assert.equal(item.DutiesAndTaxes === undefined, exported);
    if (item.Declaration.DeclarationCategory === 'CO' || item.DutiesAndTaxes === undefined)
      continue;
    const tax = item.DutiesAndTaxes.at(-1);
    const base = item.DutiesAndTaxes.slice(0, -1).reduce(
      (sum, { PayableTaxAmount }) => sum + PayableTaxAmount,
      item.StatisticalValue,
    );
    const rate = tax?.TaxType === '1MF' ? 0.15 : 0.25;
    assert.ok(Math.abs((tax?.PayableTaxAmount ?? 0) - base * rate) < 0.01);
  }
});

test('goods are of every chapter of the Harmonized System', () => {
  const chapters = new Set(subheadings.map(({ code }) => Number(code.slice(0, 2))));
  for (let chapter = 1; chapter <= 97; chapter++) {
    // Chapter 77 is reserved.
    assert.equal(chapters.has(chapter), chapter !== 77, String(chapter));
  }
  assert.equal(new Set(subheadings.map(({ code }) => code)).size, subheadings.length);
});

function added(): (GoodsItemMessage & { data: NonNullable<GoodsItemMessage['data']> })[] {
  return history.flatMap(({ metadata, data }) =>
    metadata.eventType === 'ITEM_REMOVED' || data === undefined ? [] : [{ metadata, data }],
  );
}

function keyOf(item: { DeclarationIdentification: string; GoodsItemNumber: number }): string {
  return `${item.DeclarationIdentification} ${item.GoodsItemNumber}`;
}
