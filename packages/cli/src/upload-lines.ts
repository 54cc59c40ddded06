// Sends lines in one request and reads the results of those that are done while others are still sent.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { type Check, type Operation, operations } from '@landfall/contract';
import { callService } from './call-service.js';
import type { Session } from './credentials.js';
import { CommandFailedError, codeOf } from './exit.js';
import { UnreachableError } from './reach-service.js';
import { readMessage } from './read-message.js';

/** What has become of one line, and the line of the answer that says so. */
export type LineResult<Result> = { result: Result; text: string };

/**
 * What is sent, and how many bytes that is where it is known. Who is done with it destroys it: standard input that
 * nobody reads any more would keep the command waiting for its end.
 */
export type LinesToSend = { bytes: Readable; size: number | undefined };

/**
 * The lines of a file, or of standard input where its name is `-`.
 *
 * @throws CommandFailedError when it cannot be read
 */
export async function openLines(file: string): Promise<LinesToSend> {
  if (file === '-') return { bytes: process.stdin, size: undefined };
  try {
    const { size } = await stat(file);
    const stream = createReadStream(file);
    // It is opened now, so that a file that cannot be read is told before anything is sent.
    await new Promise((resolve, reject) => stream.once('open', resolve).once('error', reject));
    return { bytes: stream, size };
  } catch (error) {
    throw new CommandFailedError(`cannot read ${file} (${codeOf(error)})`);
  }
}

/**
 * Sends lines, and yields a result for each.
 *
 * @throws ServiceRefusedError when none is taken, UnreachableError when the connection is lost before all are answered
 */
export async function* uploadLines<Result>(
  session: Session,
  { operationId, method, path }: Pick<Operation, 'operationId' | 'method' | 'path'>,
  check: Check<Result>,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<LineResult<Result>, void, undefined> {
  // What was sent of a stream cannot be sent again: a token that is no longer good is replaced before.
  await callService(session, operations.testAuth);
  const response = await callService(
    session,
    { method, path },
    {
      headers: { 'Content-Type': 'application/x-ndjson', Accept: 'application/x-ndjson' },
      body: bytes,
      // However long it takes: while lines come, there is something to wait for.
      signal: new AbortController().signal,
    },
  );
  for await (const text of linesOf(response)) {
    yield { result: readMessage(text, check, operationId), text };
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
