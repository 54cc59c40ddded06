// How bodies are read: uncompressed, in UTF-8, and JSON without duplicate members.
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { duplicateMember, inspectJson, isTooDeep, tooDeep, withBrackets } from '@landfall/contract';
import type { FastifyInstance } from 'fastify';
import { toError } from '../native-error.js';
import { Turns } from '../turns.js';
import { HttpError, ValidationFailedError } from './problem.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether paths in errors have indexes in brackets, as those of movement messages do. */
    indexesInBrackets?: boolean;
  }
}

/** The media type of a change of some members (RFC 7396). */
const MERGE_PATCH = 'application/merge-patch+json';

/** Bytes of a body of JSON from which on it is read in a turn of its own: most of what is sent is shorter. */
const LONG_JSON_BYTES = 4096;

/** Whether a request has a body (RFC 9112, section 6.3). */
export function hasBody(headers: IncomingHttpHeaders): boolean {
  const { 'content-length': length, 'transfer-encoding': transfer } = headers;
  return transfer !== undefined || (length !== undefined && length !== '0');
}

/** The error of a body with a Content-Encoding, or with a charset other than UTF-8; `null` for one that may be read. */
export function checkCoding(headers: IncomingHttpHeaders): HttpError | null {
  const { 'content-encoding': encoding, 'content-type': contentType } = headers;
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    return new HttpError(415, 'A body must not be compressed: there must be no Content-Encoding', {
      // The codings that are accepted (RFC 9110, section 15.5.16).
      'Accept-Encoding': 'identity',
    });
  }
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    return new HttpError(415, 'The charset of a body must be UTF-8');
  }
  return null;
}

/** Reads JSON strictly: invalid UTF-8 is refused, not replaced (RFC 8259, section 8.1), and so are duplicate members. */
export function readJsonStrictly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser<Buffer>(
    ['application/json', MERGE_PATCH],
    { parseAs: 'buffer' },
    (request, body, done) => {
      const read = () => {
        if (!isUtf8(body)) {
          return done(new HttpError(400, 'The body is not valid UTF-8'), undefined);
        }
        const text = body.toString('utf8');
        if (isTooDeep(text)) return done(new ValidationFailedError([tooDeep]), undefined);
        parse(request, text, (error, value) => {
          const { indexesInBrackets = false } = request.routeOptions.config;
          const refusal = error ?? refuseDuplicates(text, indexesInBrackets);
          done(refusal, refusal === null ? value : undefined);
        });
      };
      if (body.length <= LONG_JSON_BYTES) return read();
      const turn = new Turns(request.caller?.organisationId).next();
      turn.then(read).catch((error: unknown) => done(toError(error), undefined));
    },
  );
}

/** Parsers disagree on which of two members counts, so a body with duplicates is unreadable. */
export function refuseDuplicates(
  text: string,
  indexesInBrackets: boolean,
): ValidationFailedError | null {
  const { duplicates } = inspectJson(text);
  return duplicates.length === 0
    ? null
    : new ValidationFailedError(
        duplicates.map((path) => duplicateMember(indexesInBrackets ? withBrackets(path) : path)),
      );
}
