-- locks: audited_row_base, for a moment
--
-- Taking rows as they are without a trace would make an altered row a good one. The trail says when that was done, by whom
-- and how many rows of which table, and verification reports it.

-- Records that rows were accepted: how many of each table the trail did not have as they are, or had and the table lacks.
create function record_accepted_rows(tables json) returns void language sql volatile as $$
  select append_audit_record(3, '{"at":"' || api_time(clock_timestamp()) || '","action":"rows.accepted","details":{"accepted":'
    || json_build_object('user', session_user, 'tables', tables) || ',"rowBase":{"number":'
    || nextval('audited_row_base_number') || ',"digest":"' || digest_audited_row_base() || '"}}}')
$$;

create or replace function accept_audited_rows() returns void language plpgsql as $$
declare
  tables json;
begin
  lock table audited_row_base in exclusive mode;
  with difference as materialized (
    select * from audited_difference
  ),
  accepted as (
    insert into audited_row_base as base (table_name, digest, rows)
    select table_name, digest, -rows from difference
    on conflict (table_name, digest) do update set rows = base.rows + excluded.rows
  )
  select json_object_agg(table_name, rows) into tables
  from (select table_name, sum(abs(rows)) as rows from difference group by table_name order by table_name) each;
  if tables is not null then
    delete from audited_row_base where rows = 0;
    perform record_accepted_rows(tables);
  end if;
end
$$;

-- Rows that were there before the trail covered them were accepted without a record of it.
select record_accepted_rows(tables)
from (
  select json_object_agg(table_name, rows) as tables
  from (select table_name, sum(abs(rows)) as rows from audited_row_base group by table_name order by table_name) each
) base
where tables is not null and not exists (select from audit_removal where kind = 'records');
