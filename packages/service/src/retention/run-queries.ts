// SQL of the retention of routing runs.
import type { Statement } from '../database/database.js';

/** Deletes the next run, after one, that has ended before a time and of which no house consignment is kept. */
export function deleteExpiredRun(
  before: Date,
  after: string | undefined,
): Statement<{ id: string; results: number }> {
  return {
    name: 'delete-expired-routing-run',
    text: `
      with due as materialized (
        select r.id from routing_run r
        where r.id > $2::uuid and r.state in ('COMPLETED', 'GIVEN_UP') and r.state_changed_at < $1
          and (
            select true from routing_run_result i
            where i.run_id = r.id and (
              (select true from house_consignment h where h.id = i.house_consignment_id) is not null
              or (select true from withdrawn_house_consignment w where w.id = i.house_consignment_id) is not null)
            limit 1) is null
        order by r.id limit 1
      ),
      result as (
        delete from routing_run_result where run_id = (select id from due) returning run_id
      ),
      gone as (
        delete from routing_run where id = (select id from due) returning id
      )
      select id, (select count(*)::integer from result) as results from gone`,
    values: [before, after ?? '00000000-0000-0000-0000-000000000000'],
  };
}
