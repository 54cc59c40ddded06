// How a text with goods-item messages is split: lines (NDJSON), elements of a JSON array, or consecutive JSON objects.
import { ElementSplitter } from '../split-text/element-splitter.js';
import { LineSplitter } from '../split-text/line-splitter.js';
import type { TextSplitter } from '../split-text/text-splitter.js';
import { goodsItemTextErrors } from './read-message.js';
import { GOODS_ITEM_MESSAGE_LIMIT } from './stream.js';

/**
 * Chooses how messages are found. An array starts with a bracket; a message that spans several lines starts with a brace
 * alone on its line.
 *
 * @param start the first characters of the text
 * @returns `undefined` while they are all white space
 */
export function chooseGoodsItemSplitter(start: string): TextSplitter | undefined {
  const text = start.trimStart();
  if (text === '') return undefined;
  const limits = [GOODS_ITEM_MESSAGE_LIMIT, goodsItemTextErrors.tooLong] as const;
  if (text.startsWith('[')) return new ElementSplitter('array', ...limits);
  return /^\{[ \t\r]*\n/.test(text)
    ? new ElementSplitter('sequence', ...limits)
    : new LineSplitter(...limits);
}
