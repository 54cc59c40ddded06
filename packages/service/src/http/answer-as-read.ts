// Answers a body while it is still read, however long both are.
import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { PatientAnswer } from './patient-answer.js';
import { HttpError } from './problem.js';

/** Adds text to the answer; resolves when it is taken care of. */
export type AddText = (text: string) => Promise<void>;

/**
 * Answers with what `work` adds. What fails before anything was added is answered as a problem; after that, the
 * answer breaks off, and so tells that it is not whole.
 */
export async function answerAsRead(
  reply: FastifyReply,
  mediaType: string,
  body: Readable,
  work: (add: AddText) => Promise<void>,
): Promise<FastifyReply> {
  const answer = new PatientAnswer();
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const working = work(async (text) => {
    await answer.add(text);
    begin();
  });
  const worked = working.then(
    () => answer.finish(),
    (error: unknown) => {
      const brokenOff = body.destroyed && !body.readableEnded;
      throw brokenOff ? new HttpError(400, 'The upload broke off') : error;
    },
  );
  await Promise.race([worked, begun]);
  worked.catch((error: Error) => answer.destroy(error));
  return reply.type(mediaType).send(answer);
}
