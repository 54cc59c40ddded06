// Reads JSON bodies strictly: UTF-8 alone, and no member that its object has more than once.
import { isUtf8 } from 'node:buffer';
import { duplicateMember, inspectJson } from '@landfall/contract';
import type { FastifyInstance } from 'fastify';
import { HttpError, ValidationFailedError } from './problem.js';

/** Makes the server read JSON so. Other bytes than UTF-8 are refused, not replaced (RFC 8259, section 8.1). */
export function readJsonStrictly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer' },
    (request, body, done) => {
      if (!isUtf8(body)) return done(new HttpError(400, 'The body is not valid UTF-8'), undefined);
      const text = body.toString('utf8');
      parse(request, text, (error, value) => {
        const refused = error ?? refuseDuplicates(text);
        done(refused, refused === null ? value : undefined);
      });
    },
  );
}

/** Such a body is as unreadable as one that is no JSON: which value is meant depends on who reads it. */
function refuseDuplicates(text: string): ValidationFailedError | null {
  const { duplicates } = inspectJson(text);
  return duplicates.length === 0
    ? null
    : new ValidationFailedError(duplicates.map(duplicateMember));
}
