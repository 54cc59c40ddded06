-- locks: nothing
--
-- A control that an officer or a system has decided stays on goods when whoever has lodged them cancels them, or when they
-- expire or are withdrawn: goods that are registered later and are the same take it over.

-- The controls of withdrawn goods, by what makes later goods the same ones. One that is decided later takes the place of an
-- earlier one, so whatever is registered finds a few rows, however often somebody cancels and lodges again.
create table kept_control (
  document_key text not null collate "C",
  document_type text not null collate "C",
  -- One of `relations_of_goods`.
  relation text not null collate "C",
  -- Where the control takes place; empty if that is not said.
  location text not null collate "C",
  -- The withdrawn goods, which have the decision.
  house_consignment_id uuid not null,
  kept_at timestamptz not null,
  primary key (document_key, document_type, relation, location)
);
create index kept_control_house on kept_control (house_consignment_id);

-- What goods have in common with others of their house document that are the same: a party of their declaration, their master
-- document, or their receptacle.
create function relations_of_goods(declaration integer, master_key text, master_type text, receptacle text)
returns table (relation text) language sql stable rows 4 as $$
  select 'PARTY ' || party
  from (select * from declaration e where e.id = $1 offset 0) e
  cross join lateral (select e.declarant as party union select e.representative) parties
  where party is not null
  union all
  select 'MASTER ' || $3 || ' ' || $2 where $2 is not null
  union all
  select 'RECEPTACLE ' || $4 where $4 is not null
$$;

-- The goods whose control holds for a house consignment too: withdrawn ones of the same document with a party, a master document
-- or a receptacle in common, for a year, because numbers are used again; and what is lodged at the same time in another mode or
-- with another carrier under its master document or receptacle. Where only expected parties may present, a party has to be in
-- common. Of what is lodged at the same time, the first hundred count.
create function kept_controls(house uuid, expected_only boolean) returns table (other uuid)
language sql stable rows 1 as $$
  with goods as materialized (
    select h.*, e.kind, array(
      select relation from relations_of_goods(h.ens_id, h.master_document_key, h.master_document_type, h.receptacle_id)
      where not expected_only or relation like 'PARTY %'
    ) as relations
    from (select * from house_consignment where id = house offset 0) h
    cross join lateral (select kind from declaration where id = h.ens_id offset 0) e
  )
  select k.house_consignment_id
  from goods h
  cross join lateral (
    select * from kept_control k
    where k.document_key = h.document_key and k.document_type = h.document_type and k.relation = any (h.relations)
    offset 0
  ) k
  where k.house_consignment_id <> h.id and k.kept_at > now() - interval '1 year'
  union
  select o.id
  from goods h
  cross join lateral (
    select o.* from house_consignment o
    where o.document_key = h.document_key and o.document_type = h.document_type and o.ens_id <> h.ens_id
      and o.routing = 'TO_CONTROL'
    order by o.id limit 100
  ) o
  where h.kind = 'HOUSE'
    and (o.master_document_key = h.master_document_key and o.master_document_type = h.master_document_type
      or o.receptacle_id = h.receptacle_id)
    and (select kind from declaration where id = o.ens_id) = 'HOUSE' and not is_closed(o.ens_id)
    and (
      select d.origin in ('OFFICER', 'ENGINE') from routing_decision d
      where d.house_consignment_id = o.id and d.takes_effect order by d.number desc limit 1
    )
    and (not expected_only or (
      select true from relations_of_goods(o.ens_id, null, null, null) r where r.relation = any (h.relations) limit 1
    ))
$$;

select audit_table('kept_control', '{document_key,document_type,relation,location}', '{}');
