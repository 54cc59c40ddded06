// How a text with movement messages is split: lines (NDJSON), elements of a JSON array, or consecutive JSON objects.
import { ElementSplitter } from '../split-text/element-splitter.js';
import { LineSplitter } from '../split-text/line-splitter.js';
import type { TextSplitter } from '../split-text/text-splitter.js';
import { movementTooLong } from './check-text.js';
import { MAX_MOVEMENT_BYTES } from './levels.js';

/**
 * Chooses how messages are found. An array starts with a bracket; the first line of a message that spans several lines
 * does not end with a brace.
 *
 * @param start the first characters of the text
 * @returns `undefined` while they are all white space
 */
export function chooseMovementSplitter(start: string): TextSplitter | undefined {
  const text = start.trimStart();
  if (text === '') return undefined;
  const limits = [MAX_MOVEMENT_BYTES, movementTooLong(MAX_MOVEMENT_BYTES)] as const;
  if (text.startsWith('[')) return new ElementSplitter('array', ...limits);
  const end = text.indexOf('\n');
  const spansLines =
    text.startsWith('{') && end >= 0 && !text.slice(0, end).trimEnd().endsWith('}');
  return spansLines ? new ElementSplitter('sequence', ...limits) : new LineSplitter(...limits);
}
