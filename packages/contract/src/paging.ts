// How a feed is paged: after which marker, and at most how many.
import { Type } from 'typebox';
import { UUID_PATTERN } from './identifiers.js';

/** Most entries of a page, and the number when none is asked for. Wire contract, sections 4 and 5. */
export const PAGE_LIMIT = 1000;

/** A UUID in a query. */
export function uuidQuery(description: string) {
  return Type.Optional(Type.String({ format: 'uuid', pattern: UUID_PATTERN, description }));
}

/** The members that page a feed; `marker` says what is given as the marker. */
export function paging(marker: string) {
  return {
    marker: uuidQuery(`${marker} read: only later ones are answered`),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: PAGE_LIMIT,
        default: PAGE_LIMIT,
        description:
          'At most so many. A page of large entries is shorter: `Link` says whether more may follow',
      }),
    ),
  };
}
