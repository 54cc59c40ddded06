-- locks: nothing
--
-- The digests of rows in a record are read in time that grows with their number. Before, the whole list was copied for each
-- of them: verifying one record of 30,000 rows took minutes.
create or replace view audited_row_record (table_name, digest, rows, chain, position, recorded_at) as
  select named.table_name, item, named.rows, chain, position, recorded_at
  from audit_record
  cross join lateral string_to_table(split_part(split_part(entry, ',"rowDigests":"', 2), '"', 1), ';') list
  cross join lateral (
    select split_part(substr(list, 2), ' ', 1) as table_name,
      case left(list, 1) when '+' then 1 when '-' then -1 end::bigint as rows, substr(list, strpos(list, ' ') + 1) as items
    -- Without it, these are computed for each digest.
    offset 0
  ) named
  cross join lateral string_to_table(named.items, ' ') item
  where strpos(entry, ',"rowDigests":"') > 0
    and recorded_at >= coalesce((select until from audit_removal where kind = 'records'), '-infinity');
