// Sends a response while the request's body is still read, however long both are.
import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { HttpError } from './problem.js';
import { logAborted, logError } from './request-log.js';
import { SpooledResponse } from './spooled-response.js';

/** Adds text to the response. Resolves once buffered; never waits for the client. */
export type AddText = (text: string) => Promise<void>;

/**
 * Sends what `work` adds. An error before anything was added is sent as a problem; after that, the response breaks
 * off, which tells the client that it is not whole.
 */
export async function streamResponse(
  reply: FastifyReply,
  mediaType: string,
  body: Readable,
  work: (add: AddText) => Promise<void>,
): Promise<FastifyReply> {
  const response = new SpooledResponse();
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const working = work(async (text) => {
    await response.add(text);
    begin();
  });
  const worked = working.then(
    () => response.finish(),
    (error: unknown) => {
      const brokenOff = body.destroyed && !body.readableEnded;
      throw brokenOff ? new HttpError(400, 'The upload broke off') : error;
    },
  );
  await Promise.race([worked, begun]);
  // The status is sent already: the error can only be logged, and the response end without its last chunk.
  worked.catch((error: unknown) => {
    if (body.destroyed && !body.readableEnded) logAborted(reply.request);
    else logError(reply.request, error);
    response.destroy();
  });
  return reply.type(mediaType).send(response);
}
