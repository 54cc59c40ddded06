// Receives a body while its sender may send it, however long that takes.
import { finished, type Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { Turns } from '../turns.js';
import { AccessCheck, type AccessHolder } from './access-check.js';

/** The body of an upload. */
export type Upload = {
  /** The bytes as they arrive. Throws what AccessCheck does when access ends, also while nothing arrives. */
  chunks: AsyncIterable<Buffer>;
  /**
   * Rechecks access, before something of the upload is begun.
   *
   * @throws AccessEndedError
   * @throws UnmetConditionError when the server refuses requests
   * @throws DatabaseUnavailableError
   */
  requireAccess: () => Promise<void>;
};

/**
 * Processes the body of an upload with the access of its sender, which is rechecked until `work` has ended. Until then the
 * upload counts as open.
 */
export function receiveUpload<Result>(
  body: Readable,
  { caller, request }: { caller: AccessHolder; request: FastifyRequest },
  clock: () => Date,
  work: (upload: Upload) => Promise<Result>,
): Promise<Result> {
  const turns = new Turns(request.caller?.organisationId);
  const working = receive(body, caller, clock, turns, work);
  request.openUpload?.countUntil(working);
  return working;
}

async function receive<Result>(
  body: Readable,
  sender: AccessHolder,
  clock: () => Date,
  turns: Turns,
  work: (upload: Upload) => Promise<Result>,
): Promise<Result> {
  const arrival = new Arrival(body);
  const access = new AccessCheck(sender, clock, arrival.wake);
  try {
    return await work({
      chunks: readChunks(body, access, arrival, turns),
      requireAccess: () => access.require(),
    });
  } finally {
    access.close();
    // Whoever has stopped early may still wait for a chunk. From now on the rest can be discarded.
    arrival.close();
  }
}

/** Waits for what arrives of a body. */
class Arrival {
  readonly #body: Readable;
  readonly #stop: () => void;
  #wake: () => void = () => undefined;
  ended: { error: Error | undefined } | undefined;
  readonly wake = (): void => this.#wake();

  constructor(body: Readable) {
    this.#body = body;
    body.on('readable', this.wake);
    this.#stop = finished(body, { writable: false }, (error) => {
      this.ended = { error: error ?? undefined };
      this.wake();
    });
  }

  next(): Promise<void> {
    return new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }

  close(): void {
    this.#body.off('readable', this.wake);
    this.#stop();
  }
}

/**
 * The chunks of a body. Unlike the iterator of the stream it can stop while it waits, and it never destroys the stream:
 * the connection must still carry the response.
 */
async function* readChunks(
  body: Readable,
  access: AccessCheck,
  arrival: Arrival,
  turns: Turns,
): AsyncGenerator<Buffer> {
  for (;;) {
    if (access.ended !== undefined) throw access.ended;
    const chunk: Buffer | null = body.destroyed ? null : body.read();
    if (chunk !== null) {
      // Finding the lines of a long chunk takes milliseconds, also if all of them are blank.
      if (turns.isOverBefore(chunk.length)) await turns.next();
      yield chunk;
    } else if (arrival.ended?.error !== undefined) throw arrival.ended.error;
    else if (arrival.ended !== undefined) return;
    else await arrival.next();
  }
}
