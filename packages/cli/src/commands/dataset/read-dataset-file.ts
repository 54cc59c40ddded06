// Reads a dataset from a file or standard input.
import { createReadStream } from 'node:fs';
import { type DatasetLine, DatasetReader } from '@landfall/contract';
import { cannotRead } from '../../input/read-file.js';

/**
 * The lines of a dataset in the batches in which they are read.
 *
 * @param file its path; `-` for standard input
 * @param onRead called with the number of bytes read so far
 * @throws CommandFailedError when it cannot be read
 */
export async function* readDatasetFile(
  file: string,
  onRead: (bytes: number) => void = () => {},
): AsyncGenerator<DatasetLine[]> {
  const reader = new DatasetReader();
  let bytes = 0;
  const input: AsyncIterable<Buffer> = file === '-' ? process.stdin : createReadStream(file);
  const chunks = input[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await chunks.next().catch((error: unknown) => {
      throw cannotRead(file, error);
    });
    if (done) break;
    bytes += value.length;
    onRead(bytes);
    yield reader.push(value);
  }
  yield reader.end();
}
