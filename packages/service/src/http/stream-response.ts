// Sends the results of an upload while its lines are still being received, however long both are.
import type { Readable } from 'node:stream';
import type { ValidationError } from '@landfall/contract';
import type { FastifyReply } from 'fastify';
import { AccessEndedError } from './access-check.js';
import { NDJSON } from './ndjson.js';
import { HttpError } from './problem.js';
import { logAborted, logError, logNotRead } from './request-log.js';
import { ResultsNotReadError, SpooledResponse } from './spooled-response.js';
import type { UnreadResults } from './unread-results.js';
import { startSummary } from './upload-summary.js';

/** The result of a line. */
type LineResult = { line: number; status?: string | number };

/** Where results that are not read are counted, and the status of a line that is refused: as words by default. */
type Results = { unread: UnreadResults; refused?: 'REFUSED' | 400 };

/** Says that lines up to this one were begun: they may be processed although their results cannot be added. */
export type NoteBegun = (line: number) => void;

/** Adds results. Resolves once buffered; waits for a client that has not read very much. */
export type AddResults = (results: readonly LineResult[]) => Promise<void>;

/**
 * Sends the results that `work` adds, as lines of NDJSON or as a JSON array. An error before any result was added is sent
 * as a problem. If access ends after that, or the results are not read, a last result says from which line on nothing
 * was processed. After any other error the response is aborted, so that the client sees that it is incomplete.
 */
export async function streamResponse(
  reply: FastifyReply,
  mediaType: string,
  body: Readable,
  { unread, refused = 'REFUSED' }: Results,
  work: (add: AddResults, noteBegun: NoteBegun) => Promise<void>,
): Promise<FastifyReply> {
  const response = new SpooledResponse(unread, reply.request.caller?.organisationId ?? 0);
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const isArray = mediaType !== NDJSON;
  const summary = isArray ? undefined : startSummary(reply);
  let before = isArray ? '[' : '';
  /** The last line whose result is in the response, and the last one that was processed. */
  let answered = 0;
  let processed = 0;
  const toText = (result: LineResult): string => {
    summary?.add(result);
    const text = isArray ? `${before}${JSON.stringify(result)}` : `${JSON.stringify(result)}\n`;
    before = ',\n';
    return text;
  };
  const ending = () => (isArray ? `${before === '[' ? '[' : ''}]` : (summary?.text() ?? ''));
  const noteBegun: NoteBegun = (line) => {
    processed = Math.max(processed, line);
  };
  const working = work(async (results) => {
    const last = results.at(-1)?.line ?? answered;
    noteBegun(last);
    const adding = response.add(results.map(toText));
    // Before it was added: the client has to read for that.
    begin();
    try {
      await adding;
      answered = last;
    } catch (error) {
      if (error instanceof ResultsNotReadError) {
        answered = results[error.addedLines - 1]?.line ?? answered;
      }
      throw error;
    }
  }, noteBegun);
  const worked = working.then(
    () => response.finish(ending()),
    async (error: unknown) => {
      if (isAborted(body, error)) throw new HttpError(400, 'The upload was aborted');
      if (error instanceof AccessEndedError && answered > 0) {
        await response.finish(toText(resultAfterAccess(answered + 1, error, refused)) + ending());
      } else if (error instanceof ResultsNotReadError) {
        logNotRead(reply.request);
        const last = resultOfUnread(answered + 1, processed, error, refused);
        // A client that sends everything before it reads has to be rid of the rest.
        body.resume();
        await response.finishUnread(toText(last) + ending());
      } else throw error;
    },
  );
  await Promise.race([worked, begun]);
  // The status was sent already: the error can only be logged, and the response aborted.
  worked.catch((error: unknown) => {
    if (isAborted(body, error)) logAborted(reply.request);
    else logError(reply.request, error);
    response.destroy();
  });
  return reply.type(mediaType).send(response);
}

/** Whether the client has left. A body that was refused while it arrived is destroyed, too, by the refusal. */
function isAborted(body: Readable, error: unknown): boolean {
  return body.destroyed && !body.readableEnded && !(error instanceof HttpError);
}

/** A last result: nothing from this line on was begun. */
type LastResult = {
  line: number;
  status: 'REFUSED' | 400;
  validationErrors: ValidationError[];
};

/** The last result of an upload whose access ended after other results were sent. */
function resultAfterAccess(
  line: number,
  { message }: AccessEndedError,
  status: LastResult['status'],
): LastResult {
  const error = `${message}: nothing from this line on is processed`;
  return { line, status, validationErrors: [{ field: '', error, code: 'ACCESS_ENDED' }] };
}

/** The last result of an upload whose results were not read: those of lines that were processed may be missing. */
function resultOfUnread(
  line: number,
  processed: number,
  { seconds }: ResultsNotReadError,
  status: LastResult['status'],
): LastResult {
  const missing =
    processed < line
      ? 'nothing from this line on is processed'
      : `lines ${line} to ${processed} are processed, but their results are missing; nothing after them is processed`;
  const what = `the upload has ended, because its results were not read for ${seconds} seconds`;
  const next = 'send the lines from this one on again, and read the results meanwhile';
  const error = `${what}: ${missing}. To continue, ${next}`;
  return { line, status, validationErrors: [{ field: '', error, code: 'RESULTS_NOT_READ' }] };
}
