// Lists whose entries are read as texts.
import { ConnectionError } from '../errors/connection-error.js';
import type { Operation, OperationInput } from './operation.js';
import { nextQuery, type Page } from './page.js';
import { checkCount, type ResultForm, unexpected } from './result-form.js';

const textsResult: ResultForm = {
  contentType: 'application/x-ndjson',
  read: async (open, operationId) => {
    const entries = (await open.text()).split('\n');
    const rest = entries.pop() ?? '';
    if (rest !== '') entries.push(rest);
    if (!entries.every((line) => line.startsWith('{'))) {
      throw unexpected(operationId, 'is not a list of objects');
    }
    if (rest !== '') throw new ConnectionError(`the response to ${operationId} was cut`);
    checkCount(open.response, entries.length, operationId);
    const marker = open.response.headers.get('landfall-marker') ?? undefined;
    return { entries, next: nextQuery(open.response), marker };
  },
};

/**
 * The same list, with each entry as the text that the service sends: parsing would change numbers, such as 2.50 to 2.5.
 * The list is one that the service gives as lines.
 *
 * @example
 * const { entries } = await landfall.call(asTexts(listCurrentGoodsItems), { query: { limit: 100 } });
 */
export function asTexts<Input extends OperationInput, Query>(
  operation: Operation<Input, Page<unknown, Query>>,
): Operation<Input, Page<string, Query>> {
  // The cast is true because the form of the result makes its type.
  return { ...operation, result: textsResult } as Operation<Input, Page<string, Query>>;
}
