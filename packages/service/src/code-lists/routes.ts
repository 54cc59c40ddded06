// The routes of the code lists: those that are imported are replaced, and all are read.
import { isUtf8 } from 'node:buffer';
import { MAX_REPORTED_ERRORS, operations, type ValidationError } from '@landfall/contract';
import type { FastifyInstance } from 'fastify';
import { actorOf } from '../http/caller.js';
import { addOperation, type RouteContext } from '../http/operation.js';
import { setPageHeaders } from '../http/page-headers.js';
import { HttpError, ValidationFailedError } from '../http/problem.js';
import { getCodeList } from './get-code-list.js';
import { type CodeLists, importCustomsOffices } from './import-customs-offices.js';
import { importUnloCodes } from './import-unlo-codes.js';
import { listCodeLists } from './list-code-lists.js';
import { readCustomsOffices } from './read-customs-offices.js';
import { readUnloCodes } from './read-unlo-codes.js';

export function addCodeListRoutes(http: RouteContext, codeLists: CodeLists): void {
  readCsv(http.app);
  const { database } = codeLists;
  addOperation(http, operations.importCustomsOffices, async ({ body, query, caller, request }) => {
    const list = await readCustomsOffices(bytesOf(body));
    if (!list.valid) throw listRefused(list.errors);
    const context = { at: http.clock(), actor: actorOf(caller), requestId: request.id };
    const result = await importCustomsOffices(codeLists, list.entries, query, context);
    if ('errors' in result) throw new ValidationFailedError(result.errors);
    return result;
  });

  addOperation(http, operations.importUnloCodes, async ({ body, query, caller, request }) => {
    const list = await readUnloCodes(bytesOf(body));
    if (!list.valid) throw listRefused(list.errors);
    const context = { at: http.clock(), actor: actorOf(caller), requestId: request.id };
    const result = await importUnloCodes(codeLists, list.entries, query, context);
    if ('errors' in result) throw new ValidationFailedError(result.errors);
    return result;
  });

  addOperation(http, operations.listCodeLists, () => listCodeLists(database));

  addOperation(
    http,
    operations.getCodeList,
    async ({ params: { list }, query, request, reply }) => {
      const read = await getCodeList(database, list, query);
      if (read === undefined) throw new HttpError(404, `There is no code list ${list}`);
      const { page, next, etag, importedAt } = read;
      reply.header('ETag', etag);
      if (importedAt !== undefined) reply.header('Last-Modified', importedAt.toUTCString());
      setPageHeaders(http.baseUrl, request, reply, { count: page.length, next });
      return page;
    },
  );
}

function bytesOf(body: unknown): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
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
