// Counts what responses hold until it was read, and refuses a response for which there is no room.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpError } from './problem.js';
import { addressKey } from './rate-limit.js';
import type { UnreadBytes, UnreadResponse } from './unread-bytes.js';

/** Shorter bodies fit into the buffers of a connection, in bytes. */
const SMALL_BYTES = 16 * 1024;

/** Headers of a body that is refused. */
const BODY_HEADERS = ['content-encoding', 'content-length', 'link', 'landfall-marker'];

/**
 * Counts what a response sends as a whole until it was read. Streams limit themselves.
 *
 * @returns what is sent
 * @throws HttpError 429 when there is no room for it
 */
export function limitUnread(
  unread: UnreadBytes,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): unknown {
  const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload);
  if (!isWhole || payload.length < SMALL_BYTES) return payload;
  // What is counted is what is held: of a text, Node.js would make the bytes later.
  const body = typeof payload === 'string' ? Buffer.from(payload) : payload;
  try {
    holdUnread(unread, request, reply, body);
  } catch (error) {
    for (const name of BODY_HEADERS) reply.removeHeader(name);
    throw error;
  }
  return body;
}

/**
 * Counts the body of a response until that is closed.
 *
 * @throws HttpError 429 when there is no room for it
 */
export function holdUnread(
  unread: UnreadBytes,
  request: FastifyRequest,
  reply: FastifyReply,
  body: Buffer,
): void {
  if (body.length < SMALL_BYTES) return;
  if (!openUnread(unread, request, reply).hold(body)) throw refuseUnread(unread);
}

/** What a response holds, until it is closed. */
export function openUnread(
  unread: UnreadBytes,
  { caller, raw: { socket } }: FastifyRequest,
  { raw }: FastifyReply,
): UnreadResponse {
  const reader = caller?.organisationId ?? addressKey(socket.remoteAddress ?? '');
  const response = unread.open(reader, () => socket.destroy());
  if (raw.closed || raw.destroyed) response.close();
  else raw.once('close', () => response.close());
  return response;
}

/**
 * Refuses a response that may be large before it is produced.
 *
 * @throws HttpError 429 when there is no room for so many bytes
 */
export function checkRoom(unread: UnreadBytes, organisation: number, bytes: number): void {
  if (!unread.hasRoom(organisation, bytes)) throw refuseUnread(unread);
}

/** There is no room for what a response would hold. */
export function refuseUnread(unread: UnreadBytes): HttpError {
  unread.refused++;
  return new HttpError(
    429,
    'Too much that was requested before is not read yet: read those responses, then request again',
    { 'Retry-After': '1' },
  );
}
