// What the page says of messages: the rules that each keeps or breaks, and where a text is not JSON.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GoodsItemMessage, goodsItemTextErrors, listRules } from '@landfall/contract';
import {
  makeBareRemoval,
  makeMessage,
} from '../../../../service/dist/testing/goods-item-messages.js';
import {
  type CheckedMessage,
  checkMessage,
  checkText,
  MAX_MESSAGES,
  messageRules,
} from './check-messages.js';
import { ruleInWords } from './rule-words.js';

const valid = JSON.stringify(makeMessage());

/** The only message of a text. */
function checkOne(text: string): CheckedMessage {
  const { messages, total } = checkText(text);
  const [message] = messages;
  assert(message !== undefined && total === 1, text);
  return message;
}

function brokenOf({ broken }: CheckedMessage): string[] {
  return broken.map(({ field, error }) => `${field}: ${error}`);
}

function keeps({ kept }: CheckedMessage, field: string, rule?: string): boolean {
  return kept.some((one) => one.field === field && (rule ?? one.rule) === one.rule);
}

test('a valid message keeps every rule of the members that it has', () => {
  const message = checkMessage(valid);
  assert.deepEqual(message, checkOne(valid));
  assert.deepEqual(message.broken, []);
  assert.equal(message.eventId, JSON.parse(valid).metadata.eventId);
  // Six rules of the text and one across members are not in the schema.
  assert.equal(message.kept.length, listRules(GoodsItemMessage, JSON.parse(valid)).length + 7);
  assert(keeps(message, '', messageRules.data));
  assert(keeps(message, 'data.GoodsItem.GrossMass', 'must be a number'));
  assert(!keeps(message, 'data.GoodsItem.SupplementaryUnit'));
  const removal = checkOne(JSON.stringify(makeBareRemoval(JSON.parse(valid).metadata.eventId)));
  assert.deepEqual(removal.broken, []);
  assert(keeps(removal, 'metadata.relatedEventId') && !keeps(removal, 'data.GoodsItem'));
});

test('a broken rule is named with its path, and no rule of its member is kept', () => {
  const item = makeMessage();
  const duties = [
    { TaxType: '1MV', PayableTaxAmount: 1 },
    { TaxType: 'x', PayableTaxAmount: 1 },
  ];
  const message = checkOne(
    JSON.stringify({
      ...item,
      more: 1,
      data: { GoodsItem: { ...item.data?.GoodsItem, GrossMass: 'x', DutiesAndTaxes: duties } },
    }).replace('"NetMass":11.5', '"NetMass":11.5,"NetMass":11.5'),
  );
  const taxType = 'data.GoodsItem.DutiesAndTaxes.1.TaxType';
  assert.deepEqual(brokenOf(message).sort(), [
    'data.GoodsItem.DutiesAndTaxes.1.TaxType: must be a digit and two capital letters or digits',
    'data.GoodsItem.GrossMass: must be a number',
    'data.GoodsItem.NetMass: must not be there more than once',
    'more: is not a member of the message',
  ]);
  assert(!keeps(message, 'data.GoodsItem.GrossMass'));
  assert(!keeps(message, taxType.replace('1', '*')));
  assert(keeps(message, 'data.GoodsItem.DutiesAndTaxes.*.PayableTaxAmount'));
  assert(!keeps(message, '', messageRules.duplicate) && !keeps(message, '', messageRules.unknown));
  assert(keeps(message, '', 'must be an object'));
  const spaced = checkOne(`${valid}${' '.repeat(9_000)}`);
  assert.deepEqual(spaced.broken, [goodsItemTextErrors.tooMuchSpace]);
  assert(keeps(spaced, '', 'must be an object'));
  for (const eventType of ['ITEM_ADDED', 'ITEM_REMOVED']) {
    const { metadata } = makeMessage();
    const bare = checkOne(JSON.stringify({ metadata: { ...metadata, eventType } }));
    assert.equal(bare.broken.length, 1);
    assert(!keeps(bare, '', messageRules.data));
  }
});

test('nothing is said of rules that were not checked', () => {
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`m${index}`, 1]));
  const message = checkOne(JSON.stringify({ ...makeMessage(), ...many }));
  assert(message.hasMore);
  assert.deepEqual([message.broken.length, message.kept.length], [100, 0]);
  for (const text of [`${valid}x`, `"${'x'.repeat(300_000)}"`, `{"a":\r1}`]) {
    const { broken, kept, hasMore } = checkOne(text);
    assert.deepEqual([broken.length, kept.length, hasMore], [1, 0, false]);
  }
});

test('lines, an array and indented messages are found, with the line in which each begins', () => {
  const linesOf = (text: string) =>
    checkText(text).messages.map(({ line, broken }) => `${line} ${broken.length}`);
  assert.deepEqual(linesOf(`\ufeff${valid}\n\n${valid}\n{}`), ['1 0', '3 0', '4 2']);
  assert.deepEqual(linesOf(`[\n${valid},\n${valid}]`), ['2 0', '3 0']);
  const indented = JSON.stringify(makeMessage(), null, 2);
  assert.deepEqual(linesOf(`${indented}\n${indented}`), [
    '1 0',
    `${indented.split('\n').length + 1} 0`,
  ]);
  assert.deepEqual(checkText(' \n'), { messages: [], total: 0 });
});

test('of many messages the first are checked', () => {
  const { messages, total } = checkText(`${valid}\n`.repeat(MAX_MESSAGES + 5));
  assert.deepEqual([messages.length, total], [MAX_MESSAGES, MAX_MESSAGES + 5]);
});

test('the position of what is not JSON is that in the text', () => {
  const positionsOf = (text: string) =>
    checkText(text).messages.map(
      ({ position }) => position && `${position.line}:${position.column}`,
    );
  assert.deepEqual(positionsOf(`${valid}\n{"a": tru}\n\n{'a': 1}`), [undefined, '2:7', '4:2']);
  assert.deepEqual(positionsOf(`[\n${valid},\n  {"a" 1}, {"b" 1}\n]`), [
    undefined,
    '3:8',
    undefined,
  ]);
  assert.deepEqual(positionsOf('{\n  "a": 1,\n}'), ['3:1']);
  assert.deepEqual(positionsOf('[{},\n'), [undefined, '2:1']);
  assert.deepEqual(positionsOf('[]\n x'), ['2:2']);
});

test('every rule and every error has Norwegian words', () => {
  const rules = [
    ...listRules(GoodsItemMessage, fill(JSON.parse(JSON.stringify(GoodsItemMessage)))).map(
      ({ rule }) => rule,
    ),
    ...Object.values(goodsItemTextErrors).map(({ error }) => error),
    ...Object.values(messageRules),
    ...[
      '[',
      '[]1',
      '{"a":1,"a":1,"b":""}',
      JSON.stringify({ ...makeMessage(), metadata: '' }),
    ].flatMap((text) =>
      checkText(text).messages.flatMap(({ broken }) => broken.map(({ error }) => error)),
    ),
  ];
  assert(rules.length > 150);
  for (const rule of rules) {
    const words = ruleInWords(rule, 'nb');
    assert(words !== undefined && words !== rule && !words.includes('$'), rule);
    // Only a single value or a name may stay as it is.
    assert.doesNotMatch(words, /\b(?:must|be|the|of|a|an)\b/, rule);
  }
  assert.equal(ruleInWords('must be something else', 'nb'), undefined);
  assert.equal(ruleInWords('must be one of [I, O]', 'nb'), 'må være en av: I, O');
});

type Part = { properties?: Record<string, Part>; items?: Part };

/** A value with every member of a schema. */
function fill({ properties, items }: Part): unknown {
  if (items !== undefined) return [fill(items)];
  if (properties === undefined) return null;
  return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, fill(part)]));
}
