// The query members for paging: marker and limit.
import { Type } from 'typebox';
import { UUID_PATTERN } from './identifiers.js';

/** Maximum and default number of entries of a page. */
export const PAGE_LIMIT = 1000;

/** A UUID in a query. */
export function uuidQuery(description: string) {
  return Type.Optional(Type.String({ format: 'uuid', pattern: UUID_PATTERN, description }));
}

/** The maximum number of entries of a page, in a query. */
export const pageLimit = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: PAGE_LIMIT,
    default: PAGE_LIMIT,
    description:
      'Maximum number of entries. A page of large entries is shorter; `Link` says whether more may follow',
  }),
);

/** The members for paging a feed: it begins after a marker, or at a time. `marker` describes which id is the marker. */
export function feedPaging(marker: string) {
  return {
    ...paging(marker),
    timeline: uuidQuery(
      '`Landfall-Timeline` of the response from which the marker is. With it, a marker is never taken for another entry that has the same id since the database was restored to an earlier time: it is refused with `UNKNOWN_MARKER`, and the error names the marker to continue after',
    ),
    since: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'In place of `marker`: the page begins with the first entry that was added at this time or later (RFC 3339). A time before everything that is kept begins with the oldest entry; before a time in the future, nothing is there. Continue with the marker of the last entry that was read',
      }),
    ),
  };
}

/** The members for paging. `marker` describes which id is the marker. */
export function paging(marker: string) {
  return {
    marker: uuidQuery(`${marker} that was read; the page begins after it`),
    limit: pageLimit,
  };
}
