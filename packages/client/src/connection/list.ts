// A list: its first page, and all that follow.
import type { Connection } from './connection.js';
import type { Operation, OperationInput } from './operation.js';
import type { RequestOptions } from './options.js';
import type { Page } from './page.js';
import { noticeRepetition } from './repetition.js';

/**
 * A call of a list. Await it for one page. Iterate it for the entries of all pages, which are read as the loop goes on.
 *
 * @example
 * for await (const { id, state } of landfall.listHouseConsignments({ mrn })) console.log(id, state);
 */
export type List<Entry, Query> = Promise<Page<Entry, Query>> &
  AsyncIterable<Entry> & {
    /** The pages, from the first one. Each further one is requested when the loop asks for it. */
    pages(): AsyncGenerator<Page<Entry, Query>, void, undefined>;
  };

/**
 * Calls an operation that has pages. The method of the operation does the same.
 *
 * @throws what `Connection.call` throws; UnexpectedResponseError when the next page is one that was read
 * @example
 * const page = await readList(connection, listOrganisations, {});
 */
export function readList<Input extends OperationInput, Entry, Query extends object>(
  connection: Connection,
  operation: Operation<Input, Page<Entry, Query>>,
  input: Input,
  options: RequestOptions = {},
): List<Entry, Query> {
  const first = connection.call(operation, input, options);
  // It may be read later: whoever reads gets the error.
  first.catch(() => undefined);
  async function* pages(): AsyncGenerator<Page<Entry, Query>, void, undefined> {
    let page = await first;
    const notice = noticeRepetition(operation);
    notice(JSON.stringify(input.query ?? {}));
    for (;;) {
      yield page;
      const { next } = page;
      if (next === undefined) return;
      notice(JSON.stringify(next));
      // What follows the first page is there already.
      const further = { ...options, waitSeconds: undefined };
      page = await connection.call(operation, { ...input, query: next }, further);
    }
  }
  async function* entries(): AsyncGenerator<Entry, void, undefined> {
    for await (const page of pages()) yield* page.entries;
  }
  return Object.assign(first, { pages, [Symbol.asyncIterator]: entries });
}
