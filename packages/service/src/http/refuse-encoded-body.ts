// Bodies are read as they are, in UTF-8: what is compressed or in another charset is refused before it is read.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpError } from './problem.js';

/** Refuses bodies with a Content-Encoding, or with a charset other than UTF-8. */
export function refuseEncodedBody(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, payload, done) => done(refusalOf(request), payload));
}

function refusalOf({ headers }: FastifyRequest): HttpError | null {
  const { 'content-length': length, 'transfer-encoding': transfer } = headers;
  const hasBody = transfer !== undefined || (length !== undefined && length !== '0');
  const { 'content-encoding': encoding, 'content-type': contentType } = headers;
  if (!hasBody) return null;
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    return new HttpError(415, 'A body must not be compressed: there must be no Content-Encoding', {
      // What would be accepted (RFC 9110, section 15.5.16).
      'Accept-Encoding': 'identity',
    });
  }
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    return new HttpError(415, 'The charset of a body must be UTF-8');
  }
  return null;
}
