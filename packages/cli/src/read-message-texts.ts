// Finds the messages in a file as it is read: one a line (NDJSON), or the elements of a JSON array. What is kept of the
// file at a time is a chunk and the message that it breaks off in.
import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { GOODS_ITEM_MESSAGE_LIMIT, goodsItemTextErrors } from '@landfall/contract';
import { ArraySplitter } from './array-splitter.js';
import { codeOf } from './exit.js';
import type { MessageText } from './message-text.js';
import { cannotRead } from './read-file.js';

const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Opens a file, or stdin for `-`. */
function openInput(file: string): AsyncIterable<Buffer> {
  return file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 1_048_576 });
}

/**
 * The messages of a file, in batches.
 *
 * @param read told how many bytes have been read so far
 * @throws CommandFailedError when the file cannot be read
 */
export async function* readMessageTexts(
  file: string,
  read: (bytes: number) => void = () => {},
): AsyncGenerator<MessageText[]> {
  let bytes = 0;
  let splitter: LineSplitter | ArraySplitter | undefined;
  try {
    for await (const chunk of openInput(file)) {
      const first = bytes === 0;
      bytes += chunk.length;
      read(bytes);
      const text = first && chunk.indexOf(BYTE_ORDER_MARK) === 0 ? chunk.subarray(3) : chunk;
      splitter ??= chooseSplitter(text);
      if (splitter !== undefined) yield splitter.push(text);
    }
  } catch (error) {
    throw codeOf(error) === undefined ? error : cannotRead(file, error);
  }
  if (splitter !== undefined) yield splitter.end();
}

/** An array begins with a bracket, and a message that is set over several lines with a brace alone. */
function chooseSplitter(chunk: Buffer): LineSplitter | ArraySplitter | undefined {
  const start = chunk.toString('latin1', 0, 4096).trimStart();
  if (start === '') return undefined;
  if (start.startsWith('[')) return new ArraySplitter(1);
  return /^\{[ \t\r]*\n/.test(start) ? new ArraySplitter(0) : new LineSplitter();
}

/** Takes lines apart. Blank ones are none; a carriage return before the line's end is not part of it. */
class LineSplitter {
  #begun: Buffer[] = [];
  #bytes = 0;
  #line = 1;

  push(chunk: Buffer): MessageText[] {
    const end = chunk.lastIndexOf(NEWLINE);
    let found: MessageText[] = [];
    if (end >= 0) {
      this.#begun.push(chunk.subarray(0, end));
      found = this.#take(Buffer.concat(this.#begun));
      this.#begun = [];
      this.#bytes = 0;
    }
    // Of a line that is too long no more is kept than it takes to know that.
    if (this.#bytes <= GOODS_ITEM_MESSAGE_LIMIT) {
      this.#begun.push(chunk.subarray(end + 1));
      this.#bytes += chunk.length - end - 1;
    }
    return found;
  }

  end(): MessageText[] {
    return this.#take(Buffer.concat(this.#begun));
  }

  #take(bytes: Buffer): MessageText[] {
    const found: MessageText[] = [];
    const whole = isUtf8(bytes);
    for (const text of bytes.toString(whole ? 'utf8' : 'latin1').split('\n')) {
      const line = this.#line++;
      const message = text.endsWith('\r') ? text.slice(0, -1) : text;
      if (message.trim() !== '') found.push({ line, found: whole ? message : mend(message) });
    }
    return found;
  }
}

/** A line as bytes, where not all lines around it are UTF-8. */
function mend(latin1: string): MessageText['found'] {
  const bytes = Buffer.from(latin1, 'latin1');
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const { notUtf8, tooLong } = goodsItemTextErrors;
  return { error: bytes.length > GOODS_ITEM_MESSAGE_LIMIT ? tooLong : notUtf8 };
}
