// Sends a response that is made while it is read, as long as its reader may read it.
import type { Readable } from 'node:stream';
import { AccessCheck, type AccessHolder } from './access-check.js';
import { PartsResponse } from './parts-response.js';

/** The parts as a response. It is aborted when access ends, so that the reader sees that it is incomplete. */
export function sendWhileAllowed(
  parts: AsyncIterable<Buffer>,
  reader: AccessHolder,
  clock: () => Date,
): Readable {
  const response = new PartsResponse(readParts(parts, () => access));
  const access = new AccessCheck(reader, clock, (error) => response.destroy(error));
  response.once('close', () => access.close());
  return response;
}

async function* readParts(
  parts: AsyncIterable<Buffer>,
  access: () => AccessCheck,
): AsyncGenerator<Buffer> {
  for await (const part of parts) {
    await access().require();
    yield part;
  }
}
