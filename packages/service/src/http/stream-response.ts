// Sends a response while the request's body is still being read, however long both are.
import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { HttpError } from './problem.js';
import { logAborted, logError } from './request-log.js';
import { SpooledResponse } from './spooled-response.js';
import type { UnreadResults } from './unread-results.js';

/** Adds text to the response. Resolves once buffered; waits for a client that has not read very much. */
export type AddText = (text: string) => Promise<void>;

/**
 * Sends the text that `work` adds. An error before any text was added is sent as a problem. After that, the response
 * is aborted, so that the client sees that it is incomplete.
 */
export async function streamResponse(
  reply: FastifyReply,
  mediaType: string,
  body: Readable,
  unread: UnreadResults,
  work: (add: AddText) => Promise<void>,
): Promise<FastifyReply> {
  const response = new SpooledResponse(unread, reply.request.caller?.organisationId ?? 0);
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const working = work(async (text) => {
    const adding = response.add(text);
    // Before it was added: the client has to read for that.
    begin();
    await adding;
  });
  const worked = working.then(
    () => response.finish(),
    (error: unknown) => {
      const aborted = body.destroyed && !body.readableEnded;
      throw aborted ? new HttpError(400, 'The upload was aborted') : error;
    },
  );
  await Promise.race([worked, begun]);
  // The status was sent already: the error can only be logged, and the response aborted.
  worked.catch((error: unknown) => {
    if (body.destroyed && !body.readableEnded) logAborted(reply.request);
    else logError(reply.request, error);
    response.destroy();
  });
  return reply.type(mediaType).send(response);
}
