// Reads the lines of an upload as it comes: never more in memory than a chunk and the line that it breaks off in.
import { isUtf8 } from 'node:buffer';
import {
  GOODS_ITEM_MESSAGE_LIMIT,
  goodsItemTextErrors,
  type ValidationError,
} from '@landfall/contract';

const { notUtf8, tooLong } = goodsItemTextErrors;

/** One line, or why it cannot be read. */
export type UploadLine = string | { unreadable: ValidationError };

const NEWLINE = 0x0a;
const BLANK_PATTERN = /^[ \t\r]*$/;

/** The lines that end in each chunk, without the blank ones. A carriage return before the line's end is not part of it. */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<UploadLine[]> {
  let begun: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(NEWLINE);
    if (end >= 0) {
      begun.push(chunk.subarray(0, end));
      yield takeLines(Buffer.concat(begun));
      begun = [];
      bytes = 0;
    }
    // Of a line that is too long no more is kept than it takes to know that.
    if (bytes <= GOODS_ITEM_MESSAGE_LIMIT) {
      begun.push(chunk.subarray(end + 1));
      bytes += chunk.length - end - 1;
    }
  }
  if (bytes > 0) yield takeLines(Buffer.concat(begun));
}

function takeLines(bytes: Buffer): UploadLine[] {
  if (isUtf8(bytes)) return splitLines(bytes.toString('utf8'));
  const lines: UploadLine[] = [];
  for (let start = 0; start <= bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.length : newline;
    const line = bytes.subarray(start, end);
    if (isUtf8(line)) lines.push(...splitLines(line.toString('utf8')));
    else lines.push({ unreadable: line.length > GOODS_ITEM_MESSAGE_LIMIT ? tooLong : notUtf8 });
    start = end + 1;
  }
  return lines;
}

function splitLines(text: string): string[] {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  return lines.filter((line) => !BLANK_PATTERN.test(line));
}
