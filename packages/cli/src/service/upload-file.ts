// Uploads the lines of a file or of standard input, and reads their results while it is still sending.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import {
  Connection,
  type Lines,
  type Operation,
  type TextSource,
  uploadLines,
} from '@landfall/client';
import { testAuth } from '@landfall/client/operations';
import { cannotRead } from '../input/read-file.js';
import type { Service } from './open-service.js';

/** A file, or standard input for `-`. */
export type UploadedFile = {
  file: string;
  /** Called with the number of bytes sent so far and the size of the file, if known. */
  onSent?: (bytes: number, size: number | undefined) => void;
  /** Makes lines of JSON of another format; without it, the file has them. */
  convert?: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
};

/** How long the service may make no progress, in milliseconds. */
const TIMEOUT_MS = 300_000;

/**
 * Yields a result for each line. Standard input may be silent for any time.
 *
 * @throws CommandFailedError when the file cannot be read, and the errors of `uploadLines` of the client
 */
export async function* uploadFile<Result extends { line: number; status: string }>(
  service: Service,
  operation: Operation<{ body: TextSource }, Lines<Result>>,
  { file, onSent = () => {}, convert = (chunks) => chunks }: UploadedFile,
): AsyncGenerator<Result, void, undefined> {
  const { bytes, size } = await openFile(file);
  const chunks = async function* () {
    let read = 0;
    try {
      for await (const chunk of bytes) {
        read += chunk.length;
        onSent(read, size);
        yield chunk;
      }
    } catch (error) {
      throw cannotRead(file, error);
    }
  };
  const { timeoutMs = TIMEOUT_MS } = service.sending;
  try {
    // What is wrong with the credentials is reported although standard input is silent.
    await replaceRefusedToken(service, operation);
    yield* uploadLines(convert(chunks()), async (body) => {
      await replaceRefusedToken(service, operation);
      return service.client.call(operation, { body }, { timeoutMs });
    });
  } finally {
    // An open standard input would keep the process running.
    bytes.destroy();
  }
}

/** A stream cannot be sent twice, so a stored token that the service refuses is replaced before. */
async function replaceRefusedToken({ client, tokens, sending }: Service, operation: Operation) {
  const scopes = typeof operation.access === 'string' ? [] : operation.access;
  const source = {
    getToken: () => tokens.getToken(scopes),
    discard: (token: string) => tokens.discard(token),
  };
  await new Connection({ baseUrl: client.baseUrl, tokens: source, ...sending }).call(testAuth, {});
}

/** Opens the file first, so that an error is reported before anything is sent. */
async function openFile(file: string): Promise<{ bytes: Readable; size: number | undefined }> {
  if (file === '-') return { bytes: process.stdin, size: undefined };
  try {
    const { size } = await stat(file);
    const bytes = createReadStream(file);
    await new Promise((resolve, reject) => bytes.once('open', resolve).once('error', reject));
    return { bytes, size };
  } catch (error) {
    throw cannotRead(file, error);
  }
}
