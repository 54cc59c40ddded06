// Reads the messages of an upload as it comes: never more in memory than a chunk and the message that it breaks off in.
import {
  ElementSplitter,
  type FoundText,
  GOODS_ITEM_MESSAGE_LIMIT,
  goodsItemTextErrors,
  LineSplitter,
  type TextSplitter,
} from '@landfall/contract';

/** What came with one chunk: the messages that end in it, and how many bytes are kept of the one that has begun. */
export type UploadPart = { found: readonly FoundText[]; pendingBytes: number };

const { tooLong } = goodsItemTextErrors;
const OPEN_LIST = 0x5b;
const NOT_BLANK_PATTERN = /[^ \t\r\n]/;

/** The messages of NDJSON, one a line. */
export function readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<UploadPart> {
  return readParts(chunks, () => new LineSplitter(GOODS_ITEM_MESSAGE_LIMIT, tooLong));
}

/** The messages of a JSON body: the elements of an array, or the one that it is. */
export function readJson(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<UploadPart> {
  return readParts(chunks, (chunk) => {
    const first = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
      .toString('latin1')
      .search(NOT_BLANK_PATTERN);
    if (first < 0) return undefined;
    const form = chunk[first] === OPEN_LIST ? 'array' : 'whole';
    return new ElementSplitter(form, GOODS_ITEM_MESSAGE_LIMIT, tooLong);
  });
}

/** @param choose chooses how the text is taken apart, once there is enough of it to know */
async function* readParts(
  chunks: AsyncIterable<Uint8Array>,
  choose: (chunk: Uint8Array) => TextSplitter | undefined,
): AsyncGenerator<UploadPart> {
  let splitter: TextSplitter | undefined;
  for await (const chunk of chunks) {
    splitter ??= choose(chunk);
    if (splitter === undefined) continue;
    const found = splitter.push(chunk);
    yield { found, pendingBytes: splitter.pendingBytes };
  }
  if (splitter !== undefined) yield { found: splitter.end(), pendingBytes: 0 };
}
