-- locks: reads and writes of connection and reading, for a moment
--
-- Tables are named for their rows: an organisation that receives the signals of a house consignment, and an access of a
-- client to a feed.

alter table connection rename to signal_recipient;
alter table reading rename to feed_access;
alter index connection_pkey rename to signal_recipient_pkey;
alter index reading_pkey rename to feed_access_pkey;
alter index reading_owner_kind_last_position_idx rename to feed_access_owner_kind_last_position_idx;

-- The first presentation that would have presented a house consignment, had it been added before; null if there is none.
create or replace function added_after_presentation(house uuid) returns json language sql stable as $$
  select json_build_object(
    'by', (select identifier from organisation o where o.id = l.presenter),
    'at', to_char(l.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'requestId', l.request_id,
    'level', l.level)
  from house_consignment h
  join level_presentation l on l.ens_id = h.ens_id
  where h.id = house
    and l.at <= (select r.at from registration r where r.id = h.registration)
    and case l.level
      when 'ENTRY_SUMMARY_DECLARATION' then true
      when 'MASTER_CONSIGNMENT' then l.reference = h.master_document_number and l.document_type = h.master_document_type
      when 'RECEPTACLE' then l.reference = h.receptacle_id
      when 'CONTAINER' then (
        select true from house_consignment_container c
        where c.house_consignment_id = h.id and c.container_id = l.reference limit 1)
    end
    and (
      select true from signal_recipient c
      where c.house_consignment_id = h.id and c.presenter = l.presenter and c.request_id = l.request_id limit 1) is null
  order by l.at limit 1
$$;
