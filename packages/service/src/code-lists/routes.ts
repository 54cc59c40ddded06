// The address of the code lists: replace the list of customs offices (CL141).
import { isUtf8 } from 'node:buffer';
import { operations, type ValidationError } from '@landfall/contract';
import type { FastifyInstance } from 'fastify';
import { actorOf } from '../http/caller.js';
import { addOperation, type RouteContext } from '../http/operation.js';
import { HttpError, ValidationFailedError } from '../http/problem.js';
import type { ImportCustomsOffices } from './import-customs-offices.js';
import { readCustomsOffices } from './read-customs-offices.js';

/** Largest list, in bytes: that of the whole EU has some 200,000. */
const LIST_LIMIT = 4 * 1024 * 1024;

/** How many errors of a list are told. */
const TOLD_ERRORS = 100;

export function addCodeListRoutes(
  http: RouteContext,
  importCustomsOffices: ImportCustomsOffices,
): void {
  readCsv(http.app);
  addOperation(
    http,
    operations.importCustomsOffices,
    async (request, reply, caller) => {
      const list = readCustomsOffices(String(request.body ?? ''));
      if (!list.valid) throw listRefused(list.errors);
      const imported = await importCustomsOffices(list.offices, {
        at: new Date(),
        actor: actorOf(caller),
        requestId: request.id,
      });
      return reply.send(imported);
    },
    { bodyLimit: LIST_LIMIT },
  );
}

function listRefused(errors: readonly ValidationError[]): ValidationFailedError {
  const told = errors.slice(0, TOLD_ERRORS);
  const which = told.length < errors.length ? `; the first ${told.length} are told` : '';
  const count = errors.length === 1 ? '1 error' : `${errors.length} errors`;
  return new ValidationFailedError(told, `The list has ${count}${which}. Nothing was changed.`);
}

/** Each operation says which media types it takes; here is only how CSV is read. */
function readCsv(app: FastifyInstance): void {
  app.addContentTypeParser<Buffer>('text/csv', { parseAs: 'buffer' }, (_request, body, done) => {
    if (isUtf8(body)) done(null, body.toString('utf8'));
    else done(new HttpError(400, 'The body is not valid UTF-8'), undefined);
  });
}
