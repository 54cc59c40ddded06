// Sends a response that is made while it is read, as long as its reader may read it.
import { Readable } from 'node:stream';
import { AccessCheck, AccessEndedError, type AccessHolder } from './access-check.js';

/** The parts as a response. It is aborted when access ends, so that the reader sees that it is incomplete. */
export function sendWhileAllowed(
  parts: AsyncIterable<string>,
  reader: AccessHolder,
  clock: () => Date,
): Readable {
  const response = Readable.from(readParts(parts, () => access));
  const access = new AccessCheck(reader, clock, () => response.destroy(new AccessEndedError()));
  response.once('close', () => access.close());
  return response;
}

async function* readParts(
  parts: AsyncIterable<string>,
  access: () => AccessCheck,
): AsyncGenerator<string> {
  for await (const part of parts) {
    await access().require();
    yield part;
  }
}
