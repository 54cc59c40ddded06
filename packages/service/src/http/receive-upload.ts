// Receives a body while its sender may send it, however long that takes.
import { finished, type Readable } from 'node:stream';
import type { ValidationError } from '@landfall/contract';
import { AccessCheck, AccessEndedError, type AccessHolder } from './access-check.js';

/** The body of an upload. */
export type Upload = {
  /** The bytes as they arrive. Throws AccessEndedError when access ends, also while nothing arrives. */
  chunks: AsyncIterable<Buffer>;
  /**
   * Rechecks access, before something of the upload is begun.
   *
   * @throws AccessEndedError
   * @throws DatabaseUnavailableError
   */
  requireAccess: () => Promise<void>;
};

/** Processes the body of an upload with the access of its sender, which is rechecked until `work` has ended. */
export async function receiveUpload<Result>(
  body: Readable,
  sender: AccessHolder,
  clock: () => Date,
  work: (upload: Upload) => Promise<Result>,
): Promise<Result> {
  let wake: () => void = () => undefined;
  const access = new AccessCheck(sender, clock, () => wake());
  const chunks = readChunks(body, access, (next) => {
    wake = next;
  });
  try {
    return await work({ chunks, requireAccess: () => access.require() });
  } finally {
    access.close();
  }
}

/**
 * The chunks of a body. Unlike the iterator of the stream it can stop while it waits, and it never destroys the stream:
 * the connection must still carry the response.
 */
async function* readChunks(
  body: Readable,
  access: AccessCheck,
  onWait: (wake: () => void) => void,
): AsyncGenerator<Buffer> {
  let ended: { error: Error | undefined } | undefined;
  let wake: () => void = () => undefined;
  const next = () => wake();
  onWait(next);
  body.on('readable', next);
  const stop = finished(body, { writable: false }, (error) => {
    ended = { error: error ?? undefined };
    next();
  });
  try {
    for (;;) {
      if (!access.valid) throw new AccessEndedError();
      const chunk: Buffer | null = body.destroyed ? null : body.read();
      if (chunk !== null) yield chunk;
      else if (ended?.error !== undefined) throw ended.error;
      else if (ended !== undefined) return;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    body.off('readable', next);
    stop();
  }
}

/** The last result of an upload whose access ended after other results were sent: nothing from this line on was begun. */
export function resultAfterAccess(
  line: number,
  { message }: AccessEndedError,
): { line: number; status: 'REFUSED'; validationErrors: ValidationError[] } {
  const error = `${message}: nothing from this line on is processed`;
  return {
    line,
    status: 'REFUSED',
    validationErrors: [{ field: '', error, code: 'ACCESS_ENDED' }],
  };
}
