// SQL of the retention of registrations.
import type { Statement } from '../database/database.js';

/** Up to which registration was examined, `null` after the last; whether one was old, and how many were removed. */
export type ExpiredRegistrationsRow = { last: number | null; isOld: boolean; removed: number };

/** Examines the registrations after one, and removes those that were made before a time and have no house consignment. */
export function expireRegistrations(
  after: number,
  before: Date,
  limit: number,
): Statement<ExpiredRegistrationsRow> {
  return {
    name: 'expire-registrations',
    // The house consignment with the next registration is always read from the index.
    text: `
      with examined as materialized (
        select id, at from registration where id > $1 order by id limit $3
      ),
      gone as (
        delete from registration where id = any (array(
          select id from examined
          where at < $2 and (
            select h.registration from house_consignment h where h.registration >= examined.id
            order by h.registration limit 1
          ) is distinct from examined.id
            and (select true from withdrawn_house_consignment w
              where w.registration = examined.id limit 1) is null
            and (select true from withdrawn_house_consignment w
              where w.withdrawal = examined.id limit 1) is null
            and (select true from declaration e
              where e.withdrawal = examined.id limit 1) is null
        ))
        returning id
      )
      select max(id) as last, coalesce(bool_or(at < $2), false) as "isOld",
        (select count(*)::integer from gone) as removed
      from examined`,
    values: [after, before, limit],
  };
}
