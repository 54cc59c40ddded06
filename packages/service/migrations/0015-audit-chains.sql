-- locks: reads and writes of consignment_event and feed_access, for a moment
--
-- What several statements share about the audit trail, and columns named for what they are: the index of a row within
-- its record.

alter table consignment_event rename column place to index;
alter table feed_access rename column place to index;

-- The chains that have records. Each is found from the previous one in the index, because "select distinct" would read
-- the whole table.
create view audit_chain as
  with recursive found as (
    select min(chain) as chain from audit_record
    union all
    select (select min(r.chain) from audit_record r where r.chain > found.chain) from found where chain is not null
  )
  select chain from found where chain is not null;
