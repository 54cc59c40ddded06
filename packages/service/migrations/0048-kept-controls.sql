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

-- Whether an officer or a system has made the current decision on a house consignment.
create function is_by_officer_or_engine(house uuid) returns boolean language sql stable as $$
  select d.origin in ('OFFICER', 'ENGINE') from routing_decision d
  where d.house_consignment_id = house and d.takes_effect order by d.number desc limit 1
$$;

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

-- What is lodged at the same time as a lodged house consignment, in another mode or with another carrier, under its house document
-- and its master document or receptacle. Where only expected parties may present, a party has to be in common.
--
-- The first hundred count: anybody can lodge as many as he likes.
create function lodged_beside(house uuid, expected_only boolean) returns table (other uuid)
language plpgsql stable rows 1 as $$
begin
  return query
  with candidate as materialized (
    select o.*
    from (select * from house_consignment where id = house offset 0) h
    cross join lateral (
      select * from house_consignment g
      where g.document_key = h.document_key and g.document_type = h.document_type
        and (g.master_document_key = h.master_document_key and g.master_document_type = h.master_document_type
          or g.receptacle_id = h.receptacle_id)
      order by g.id <> house, g.id limit 101
    ) o
    where (select kind from declaration where id = o.ens_id) = 'HOUSE' and not is_closed(o.ens_id)
  )
  select o.id from candidate h join candidate o on o.id <> h.id
  where h.id = house and (not expected_only or (
    select true
    from relations_of_goods(h.ens_id, null, null, null) own
    join relations_of_goods(o.ens_id, null, null, null) its using (relation)
    limit 1
  ));
end
$$;

-- The goods whose control holds for a house consignment too: withdrawn ones of the same document with a party, a master document
-- or a receptacle in common, for a year, because numbers are used again; and what is lodged at the same time. Where only expected
-- parties may present, a party has to be in common.
create function kept_controls(house uuid, expected_only boolean) returns table (other uuid)
language plpgsql stable rows 1 as $$
begin
  return query
  select k.house_consignment_id
  from (select * from house_consignment where id = house offset 0) h
  cross join lateral relations_of_goods(h.ens_id, h.master_document_key, h.master_document_type, h.receptacle_id) r
  cross join lateral (
    select * from kept_control k
    where k.document_key = h.document_key and k.document_type = h.document_type and k.relation = r.relation
    offset 0
  ) k
  where k.house_consignment_id <> house and k.kept_at > now() - interval '1 year'
    and (not expected_only or r.relation like 'PARTY %')
  union
  select o.id
  from lodged_beside(house, expected_only) beside
  join house_consignment o on o.id = beside.other
  where o.routing = 'TO_CONTROL' and is_by_officer_or_engine(o.id);
end
$$;

-- As before, but what an ENS has presented and released a week before goods are lodged is of other goods: a release of numbers
-- that are used again is none of these. A control, and what nobody has decided, stays the same goods for ever.
create or replace function told_twice(of_document_key text, of_document_type text, expected_only boolean)
returns table (lodged uuid, declared uuid) language sql stable as $$
  with candidate as materialized (
    select o.*, e.kind, e.declarant, e.representative, e.carrier, e.presenters
    from house_consignment o
    cross join lateral (select * from declaration where id = o.ens_id offset 0) e
    where o.document_key = of_document_key and o.document_type = of_document_type
  ),
  lodged as materialized (
    select l.*, m.lodged_at, m.ended_at
    from (select * from candidate where kind = 'HOUSE' order by id limit 100) l
    cross join lateral (select lodged_at, ended_at from movement where declaration_id = l.ens_id offset 0) m
  ),
  declared as materialized (
    select d.*, coalesce((select at from registration where id = d.registration), '-infinity') as registered_at
    from (select * from candidate where kind is null order by id limit 100) d
  ),
  pair as materialized (
    select l.id as one, e.id as two, l.lodged_at, l.ended_at
    from lodged l
    join declared e on
      (l.master_document_key = e.master_document_key and l.master_document_type = e.master_document_type
        or l.receptacle_id = e.receptacle_id)
      and (l.ended_at is null or e.registered_at < l.ended_at)
      and not (e.routing is not distinct from 'TO_ENTRY' and (
        select true from signal_recipient c
        where c.house_consignment_id = e.id and c.first_presented_at < l.lodged_at - interval '7 days' limit 1
      ) is not null)
      -- One of several spellings of a declaration is meant by its own text only.
      and (e.only_spelling is null or e.only_spelling = l.document_number)
      and (not expected_only
        or may_present(l.declarant, e.declarant, e.representative, e.carrier, e.presenters)
        or may_present(l.representative, e.declarant, e.representative, e.carrier, e.presenters))
  )
  select one, two from pair
  where not exists (select from pair closed where closed.two = pair.two and closed.ended_at <= pair.lodged_at)
$$;

select audit_table('kept_control', '{document_key,document_type,relation,location}', '{}');
