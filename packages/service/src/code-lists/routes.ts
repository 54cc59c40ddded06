// The route of the code lists: replace the list of customs offices (CL141).
import { isUtf8 } from 'node:buffer';
import { MAX_REPORTED_ERRORS, operations, type ValidationError } from '@landfall/contract';
import type { FastifyInstance } from 'fastify';
import { actorOf } from '../http/caller.js';
import { addOperation, type RouteContext } from '../http/operation.js';
import { HttpError, ValidationFailedError } from '../http/problem.js';
import { type CodeLists, importCustomsOffices } from './import-customs-offices.js';
import { readCustomsOffices } from './read-customs-offices.js';

export function addCodeListRoutes(http: RouteContext, codeLists: CodeLists): void {
  readCsv(http.app);
  addOperation(http, operations.importCustomsOffices, async ({ body, query, caller, request }) => {
    const list = await readCustomsOffices(Buffer.isBuffer(body) ? body : Buffer.alloc(0));
    if (!list.valid) throw listRefused(list.errors);
    const result = await importCustomsOffices(codeLists, list.offices, query, {
      at: http.clock(),
      actor: actorOf(caller),
      requestId: request.id,
    });
    if ('errors' in result) throw new ValidationFailedError(result.errors);
    return result;
  });
}

function listRefused(errors: readonly ValidationError[]): ValidationFailedError {
  const isMore = errors.length > MAX_REPORTED_ERRORS;
  const count = errors.length === 1 ? '1 error' : `${errors.length} errors`;
  const which = `more than ${MAX_REPORTED_ERRORS} errors; the first ${MAX_REPORTED_ERRORS} are reported`;
  const detail = `The list has ${isMore ? which : count}. Nothing was changed.`;
  return new ValidationFailedError(errors, detail);
}

/** Reads bodies of CSV; each operation declares the media types that it accepts. */
function readCsv(app: FastifyInstance): void {
  app.addContentTypeParser<Buffer>('text/csv', { parseAs: 'buffer' }, (_request, body, done) => {
    if (isUtf8(body)) done(null, body);
    else done(new HttpError(400, 'The body is not valid UTF-8'), undefined);
  });
}
