// Sends lines in one request and reads the results of those that are done while others are still sent.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { type Check, type Operation, operations } from '@landfall/contract';
import { callService } from './call-service.js';
import type { Session } from './credentials.js';
import { codeOf } from './exit.js';
import { UnreachableError } from './reach-service.js';
import { cannotRead } from './read-file.js';
import { readMessage } from './read-message.js';

/** What has become of one line, and the line of the response that says so. */
export type LineResult<Result> = { result: Result; text: string };

/** A file, or standard input where its name is `-`. */
export type Upload = {
  file: string;
  /** Called as bytes are sent: how many so far, and of how many where that is known. */
  onSent?: (bytes: number, size: number | undefined) => void;
};

/**
 * Sends the lines of a file, and yields a result for each. Whichever half fails, what is sent or what is answered, its
 * error is reported and the other half ends.
 *
 * @throws CommandFailedError when the file cannot be read, ServiceRefusedError when no line is taken,
 * UnreachableError when the connection is lost before all are answered
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
    // What was sent of a stream cannot be sent again: a token that is no longer good is replaced before.
    await callService(session, operations.testAuth);
    const response = await callService(
      session,
      { method, path },
      {
        headers: { 'Content-Type': 'application/x-ndjson', Accept: 'application/x-ndjson' },
        body: body(),
        // However long it takes: while lines come, there is something to wait for.
        signal: new AbortController().signal,
      },
    );
    for await (const text of linesOf(response)) {
      yield { result: readMessage(text, check, operationId), text };
    }
  } catch (error) {
    // A file that cannot be read on breaks the connection too: the cause is reported, not the consequence.
    throw readError === undefined ? error : cannotRead(file, readError);
  } finally {
    // Standard input that nobody reads any more would keep the command waiting for its end.
    bytes.destroy();
  }
}

/** It is opened now, so that a file that cannot be opened is reported before anything is sent. */
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

async function* linesOf(response: Response): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let begun = '';
  try {
    for await (const chunk of response.body ?? []) {
      const lines = `${begun}${decoder.decode(chunk, { stream: true })}`.split('\n');
      begun = lines.pop() ?? '';
      yield* lines;
    }
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    throw new UnreachableError(
      `the connection was lost before all lines were answered (${codeOf(cause) ?? String(error)})`,
    );
  }
  if (begun !== '') throw new UnreachableError('the answer broke off within a line');
}
