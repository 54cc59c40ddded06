// Reads the messages of an upload while it is received. It holds one chunk and one incomplete message at a time.
import {
  ElementSplitter,
  type FoundText,
  GOODS_ITEM_MESSAGE_LIMIT,
  goodsItemTextErrors,
  LineSplitter,
  type TextSplitter,
} from '@landfall/contract';

/** The messages that end in one chunk, and how many bytes are held of the next, incomplete one. */
export type UploadPart = { found: readonly FoundText[]; pendingBytes: number };

const { tooLong } = goodsItemTextErrors;
const OPEN_LIST = 0x5b;
const NOT_BLANK_PATTERN = /[^ \t\r\n]/;

/** Reads the messages of NDJSON, one per line. */
export function readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<UploadPart> {
  return readParts(chunks, () => new LineSplitter(GOODS_ITEM_MESSAGE_LIMIT, tooLong));
}

/** Reads the messages of a JSON body: the elements of an array, or a single message. */
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

/** @param choose makes the splitter once a chunk shows which one is needed */
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
