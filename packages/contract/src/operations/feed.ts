// Headers and responses of the operations that read a feed.
import { type TSchema, Type } from 'typebox';
import { events, lines } from './media-types.js';
import type { OperationResponse } from './operation.js';

export const feedHeaders = {
  Prefer:
    '`wait=20` delays an empty response until there is an entry, for up to 20 s (maximum 60 s) (RFC 7240)',
  'Last-Event-ID': 'With `text/event-stream`: continue after this id, like `marker`',
};

/** Headers of a response that is a page of a list. */
export const pageHeaders = {
  Link: '`rel="next"` if more may follow',
  'Landfall-Count': 'The number of entries of the page: a response with fewer was cut on its way',
};

/** Headers of a page of a feed, and of a stream of its entries. */
const feedResponseHeaders = {
  ...pageHeaders,
  'Landfall-Timeline':
    'The timeline in which the entries were read, for the parameter `timeline`: another one after the database was restored to an earlier time',
};

export function feedResponse(what: string, item: TSchema): OperationResponse {
  return {
    description: `${what}, oldest first; empty if there is nothing new`,
    content: {
      'application/json': Type.Array(item),
      'application/x-ndjson': lines('One JSON object a line', item),
      'text/event-stream': events(
        'One event for each entry, with its id, as soon as the entry exists; a comment every 15 s',
        item,
      ),
    },
    headers: feedResponseHeaders,
  };
}
