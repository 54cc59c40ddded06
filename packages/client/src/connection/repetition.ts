// Notices that what must always be new comes again, such as the next page of a list, with little memory.
import { UnexpectedResponseError } from '../errors/landfall-error.js';
import type { Operation } from './operation.js';

/**
 * The function that notes each place to which a reader comes, of which none may come again. It remembers one of them
 * (Brent's algorithm), so it notices a cycle at the latest in its third round.
 *
 * It throws an UnexpectedResponseError for the remembered place, and does not note it then.
 */
export function noticeRepetition({
  operationId,
}: Pick<Operation, 'operationId'>): (place: string) => void {
  let remembered: string;
  let count = 0;
  return (place) => {
    if (place === remembered) {
      throw new UnexpectedResponseError(`${operationId} repeats itself`);
    }
    count += 1;
    // At each power of two.
    if ((count & (count - 1)) === 0) remembered = place;
  };
}
