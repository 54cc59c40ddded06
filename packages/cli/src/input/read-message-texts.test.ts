// Messages are read from files of any form, however they are split into chunks.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type FoundText, GOODS_ITEM_MESSAGE_LIMIT } from '@landfall/contract';
import { makeTemporaryFolder } from '../testing/temporary-folder.js';
import { readMessageTexts } from './read-message-texts.js';

const folder = await makeTemporaryFolder();

/** The contents of a file: `line text`, or `line (error)`. */
async function find(content: string | Buffer): Promise<string[]> {
  const file = join(folder, 'messages');
  await writeFile(file, content);
  const found: FoundText[] = [];
  for await (const batch of readMessageTexts(file)) found.push(...batch);
  return found.map(inWords);
}

function inWords({ line, found }: FoundText): string {
  return `${line} ${typeof found === 'string' ? found : `(${found.error.error})`}`;
}

test('lines are messages, without blank lines and line ends', async () => {
  assert.deepEqual(await find('{"a":1}\n\n{"b": "æ"}\r\n \n{"c"'), [
    '1 {"a":1}',
    '3 {"b": "æ"}',
    '5 {"c"',
  ]);
  assert.deepEqual(await find('\ufeff{"a":1}\n'), ['1 {"a":1}']);
  assert.deepEqual(await find(''), []);
  assert.deepEqual(await find('\n\n'), []);
});

test('a line that is not UTF-8 is reported, and other lines are read', async () => {
  const content = Buffer.concat([
    Buffer.from('{"a":"å"}\n'),
    Buffer.from([0xff, 0xfe]),
    Buffer.from('\n{"b":"ø"}'),
  ]);
  assert.deepEqual(await find(content), ['1 {"a":"å"}', '2 (must be valid UTF-8)', '3 {"b":"ø"}']);
});

test('a message that is too long is reported without keeping it in memory', async () => {
  const long = '"'.padEnd(5 * GOODS_ITEM_MESSAGE_LIMIT, 'x');
  const rule = `must not be longer than ${GOODS_ITEM_MESSAGE_LIMIT} bytes`;
  assert.deepEqual(await find(`[1, ${long}", 2]`), ['1 1', `1 (${rule})`, '1 2']);
  const lines = await find(`1\n${long}\n2\n`);
  assert.deepEqual(lines, ['1 1', `2 (${rule})`, '3 2']);
});

test('the elements of an array are messages, each with its first line', async () => {
  assert.deepEqual(await find('\n[ {"a": [1, "],}\\""]},\n\n  2.50 ,\n"x y"]\n'), [
    '2 {"a":[1,"],}\\""]}',
    '4 2.50',
    '5 "x y"',
  ]);
  assert.deepEqual(await find('[]'), []);
  assert.deepEqual(await find('[1,]'), ['1 1', '1 ']);
  assert.deepEqual(await find('[1'), ['1 (ends before it is whole)']);
  assert.deepEqual(await find('[1] 2'), ['1 1', '1 (must end with the array)']);
});

test('messages may span several lines', async () => {
  assert.deepEqual(await find('{\n  "a": 1\n}\n{\n  "b": "x y"\n}\n'), [
    '1 {"a":1}',
    '4 {"b":"x y"}',
  ]);
  assert.deepEqual(await find('{\n "a": 1\n'), ['3 (ends before it is whole)']);
  assert.deepEqual(await find('{\n}\n}\n'), ['1 {}', '3 (must be valid JSON)']);
});
