// Uploads lines in one request and reads results while it is still sending.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import {
  type Check,
  type FoundText,
  LineSplitter,
  type Operation,
  operations,
} from '@landfall/contract';
import { cannotRead } from '../input/read-file.js';
import { CommandFailedError, codeOf } from '../process/exit.js';
import { callService } from './call-service.js';
import type { Session } from './credentials.js';
import { UnreachableError } from './reach-service.js';
import { readMessage } from './read-message.js';

/** The result of one line: parsed, and the line of the response. */
export type LineResult<Result> = { result: Result; text: string };

/** The largest line of a response. */
const MAX_RESULT_BYTES = 4 * 1024 * 1024;

/** A file, or standard input for `-`. */
export type Upload = {
  file: string;
  /** Called with the number of bytes sent so far and the size of the file, if known. */
  onSent?: (bytes: number, size: number | undefined) => void;
};

/**
 * Uploads the lines of a file and yields a result for each. A failure of either side, request or response, ends both
 * and is reported.
 *
 * @throws CommandFailedError when the file cannot be read, ServiceRefusedError when the request is refused,
 * UnreachableError when the connection is lost before every line has a result
 */
export async function* uploadLines<Result>(
  session: Session,
  { operationId, method, path }: Pick<Operation, 'operationId' | 'method' | 'path'>,
  check: Check<Result>,
  { file, onSent = () => {} }: Upload,
): AsyncGenerator<LineResult<Result>, void, undefined> {
  const { bytes, size } = await openFile(file);
  let readError: unknown;
  const body = async function* () {
    let sent = 0;
    try {
      for await (const chunk of bytes) {
        sent += chunk.length;
        onSent(sent, size);
        yield chunk;
      }
    } catch (error) {
      readError = error;
      throw error;
    }
  };
  try {
    // A stream cannot be sent twice, so this call replaces an expired token first.
    await callService(session, operations.testAuth);
    const response = await callService(
      session,
      { method, path },
      {
        headers: { 'Content-Type': 'application/x-ndjson', Accept: 'application/x-ndjson' },
        body: body(),
        // No timeout: an upload takes as long as it needs.
        signal: new AbortController().signal,
      },
    );
    for await (const text of readResults(response)) {
      yield { result: readMessage(text, check, operationId), text };
    }
  } catch (error) {
    // A read error of the file also breaks the connection; the cause is reported, not the consequence.
    throw readError === undefined ? error : cannotRead(file, readError);
  } finally {
    // An open standard input would keep the process running.
    bytes.destroy();
  }
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

async function* readResults(response: Response): AsyncGenerator<string, void, undefined> {
  const tooLong = { field: '', error: 'is too long', code: 'SIZE' } as const;
  const splitter = new LineSplitter(MAX_RESULT_BYTES, tooLong);
  try {
    for await (const chunk of response.body ?? []) yield* splitter.push(chunk).map(readText);
  } catch (error) {
    if (error instanceof CommandFailedError) throw error;
    const cause = error instanceof Error ? error.cause : undefined;
    throw new UnreachableError(
      `the connection was lost before every line had a result (${codeOf(cause) ?? String(error)})`,
    );
  }
  if (splitter.pendingBytes > 0) throw new UnreachableError('the response ended within a line');
}

function readText({ line, found }: FoundText): string {
  if (typeof found === 'string') return found;
  throw new CommandFailedError(`unexpected response: line ${line} ${found.error.error}`);
}
