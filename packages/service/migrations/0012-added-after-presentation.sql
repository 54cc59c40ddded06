-- locks: nothing
-- Presentations above the house level, by the declarations that they reached: they do not present what is added later.

create table level_presentation (
  ens_id integer not null,
  presenter integer not null,
  request_id uuid not null,
  at timestamptz not null,
  level text not null,
  -- What was presented: number of the master document, container or receptacle, or MRN.
  reference text not null,
  document_type text,
  primary key (ens_id, presenter, request_id)
);

-- The first presentation that would have presented a house consignment, had it been added before; null if there is none.
create function added_after_presentation(house uuid) returns json language sql stable as $$
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
      select true from connection c
      where c.house_consignment_id = h.id and c.presenter = l.presenter and c.request_id = l.request_id limit 1) is null
  order by l.at limit 1
$$;
