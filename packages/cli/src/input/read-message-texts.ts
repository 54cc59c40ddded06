// Reads the messages of a file as a stream: lines (NDJSON), elements of a JSON array, or consecutive JSON objects.
// Memory holds one chunk and the message that it ends in.
import { createReadStream } from 'node:fs';
import { chooseGoodsItemSplitter, type FoundText, type TextSplitter } from '@landfall/contract';
import { codeOf } from '../process/exit.js';
import { cannotRead } from './read-file.js';

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Opens a file, or stdin for `-`. */
function openInput(file: string): AsyncIterable<Buffer> {
  return file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 1_048_576 });
}

/**
 * Yields the messages of a file in batches.
 *
 * @param onRead called with the number of bytes read so far
 * @param chooseSplitter how messages are found, by the first characters
 * @throws CommandFailedError when the file cannot be read
 */
export async function* readMessageTexts(
  file: string,
  onRead: (bytes: number) => void = () => {},
  chooseSplitter: (start: string) => TextSplitter | undefined = chooseGoodsItemSplitter,
): AsyncGenerator<FoundText[]> {
  let bytes = 0;
  let splitter: TextSplitter | undefined;
  try {
    for await (const chunk of openInput(file)) {
      const first = bytes === 0;
      bytes += chunk.length;
      onRead(bytes);
      const text = first && chunk.indexOf(BYTE_ORDER_MARK) === 0 ? chunk.subarray(3) : chunk;
      splitter ??= chooseSplitter(text.toString('latin1', 0, 4096));
      if (splitter !== undefined) yield splitter.push(text);
    }
  } catch (error) {
    throw codeOf(error) === undefined ? error : cannotRead(file, error);
  }
  if (splitter !== undefined) yield splitter.end();
}
