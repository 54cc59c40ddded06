-- locks: routing_decision for an instant
--
-- Ways out of a control are closed: what goods had in common with others before they were replaced counts too, and what is lodged
-- beside goods, and what is told of these in an ENS, is found all the way.

-- Of a decision that was made on other goods, or on another record of these: the MRN of those goods, null for another record, and
-- when it was made. Null for a decision that was made on the house consignment itself.
alter table routing_decision
  add column taken_from text collate "C",
  add column first_decided_at timestamptz;

select audit_table('routing_decision', '{house_consignment_id,number}', '{}');

comment on column kept_control.location is
  'What tells controls of one key apart. Of withdrawn goods: where the control takes place, after OFFICER if an officer decided it. Of goods that are current, and had this in common before: their id.';

-- What tells a control of withdrawn goods from others of the same key, so that none takes the place of a stricter one; null if
-- neither an officer nor a system has decided it.
create function kept_as(house uuid, routing text, location text) returns text language sql stable as $$
  select case when $2 = 'TO_CONTROL' then (
    select case d.origin when 'OFFICER' then trim('OFFICER ' || coalesce($3, '')) when 'ENGINE' then coalesce($3, '') end
    from routing_decision d
    where d.house_consignment_id = $1 and d.takes_effect order by d.number desc limit 1
  ) end
$$;

-- When the control of goods was decided, on whatever goods; null if neither an officer nor a system has decided one.
create function controlled_since(house uuid) returns timestamptz language sql stable as $$
  select case when d.routing = 'TO_CONTROL' and d.origin in ('OFFICER', 'ENGINE') then coalesce(d.first_decided_at, d.decided_at) end
  from routing_decision d
  where d.house_consignment_id = $1 and d.takes_effect order by d.number desc limit 1
$$;

-- What goods have by which others of their house document are the same: whoever has declared them, a representative that they
-- name, their master document, their receptacle.
create function relations_to_keep(declaration integer, master_key text, master_type text, receptacle text)
returns table (relation text) language sql stable rows 4 as $$
  select case party when e.declarant then 'PARTY ' else 'NAMED ' end || party
  from (select * from declaration e where e.id = $1 offset 0) e
  cross join lateral (select e.declarant as party union select e.representative) parties
  where party is not null
  union all
  select 'MASTER ' || $3 || ' ' || $2 where $2 is not null
  union all
  select 'RECEPTACLE ' || $4 where $4 is not null
$$;

-- By which kept relations goods are the same as others. Where only expected parties may present, whoever has declared them has
-- to have declared the others: anybody may name a representative.
create function relations_to_find(declaration integer, master_key text, master_type text, receptacle text, expected_only boolean)
returns table (relation text) language sql stable rows 6 as $$
  select as_what || party
  from (select * from declaration e where e.id = $1 offset 0) e
  cross join lateral (select e.declarant as party union select e.representative) parties
  cross join (values ('PARTY '), ('NAMED ')) named (as_what)
  where party is not null and (not $5 or as_what = 'PARTY ' and party = e.declarant)
  union all
  select 'MASTER ' || $3 || ' ' || $2 where $2 is not null and not $5
  union all
  select 'RECEPTACLE ' || $4 where $4 is not null and not $5
$$;

-- The goods whose control was kept and holds for a house consignment too: those of the same document that are withdrawn, or had
-- one of its relations before they were replaced. For a year, because numbers are used again.
create function controls_kept_for(house uuid, expected_only boolean) returns table (other uuid)
language plpgsql stable rows 1 as $$
begin
  return query
  select distinct k.house_consignment_id
  from (select * from house_consignment where id = house offset 0) h
  cross join lateral relations_to_find(
    h.ens_id, h.master_document_key, h.master_document_type, h.receptacle_id, expected_only) r
  cross join lateral (
    select * from kept_control k
    where k.document_key = h.document_key and k.document_type = h.document_type and k.relation = r.relation
    offset 0
  ) k
  where k.house_consignment_id <> house and k.kept_at > now() - interval '1 year'
    -- What is current and has the relation still is another consignment, or lodged beside.
    and (
      select true
      from (select * from house_consignment where id = k.house_consignment_id offset 0) o
      cross join lateral relations_to_keep(o.ens_id, o.master_document_key, o.master_document_type, o.receptacle_id) has
      where has.relation = r.relation limit 1
    ) is null;
end
$$;

-- As before, but of what is lodged only that counts which is the same goods as something declared: the first thousand, of which
-- no organisation has more than a hundred.
create or replace function told_twice(of_document_key text, of_document_type text, expected_only boolean)
returns table (lodged uuid, declared uuid) language sql stable as $$
  with candidate as materialized (
    select o.*, e.kind, e.declarant, e.representative, e.carrier, e.presenters
    from house_consignment o
    cross join lateral (select * from declaration where id = o.ens_id offset 0) e
    where o.document_key = of_document_key and o.document_type = of_document_type
  ),
  declared as materialized (
    select d.*, coalesce((select at from registration where id = d.registration), '-infinity') as registered_at
    from (select * from candidate where kind is null order by id limit 100) d
  ),
  lodged as materialized (
    select l.*, m.lodged_at, m.ended_at
    from (
      select * from candidate c
      where kind = 'HOUSE' and (
        select true from declared d
        where d.master_document_key = c.master_document_key and d.master_document_type = c.master_document_type
          or d.receptacle_id = c.receptacle_id
        limit 1
      )
      order by id limit 1000
    ) l
    cross join lateral (select lodged_at, ended_at from movement where declaration_id = l.ens_id offset 0) m
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

-- What is connected with a house consignment, over any number of records: records of the same goods, and what is lodged beside
-- them at the same time, under one house document and one master document or receptacle, or without either and with a party in
-- common. A control of one is a control of all. Where only expected parties may present, what is lodged beside was declared by
-- the same one.
--
-- `goods` is one for all records of the same goods, which carry one decision; `is_same`: those of the house consignment itself.
--
-- The last ten thousand records count, of which no organisation has lodged more than a hundred that are current.
create function goods_beside(house uuid, expected_only boolean)
returns table (other uuid, goods text, is_same boolean)
language plpgsql stable rows 1 as $$
declare
  of_document record;
begin
  select document_key, document_type into of_document from house_consignment where id = house;
  if of_document.document_key is null or (
    select true from movement m
    where m.house_key = of_document.document_key and m.document_type = of_document.document_type limit 1
  ) is null then
    return;
  end if;
  return query
  with recursive told as materialized (
    select lodged as one, declared as two
    from told_twice(of_document.document_key, of_document.document_type, expected_only)
  ),
  lodged as materialized (
    select g.id, g.master_document_key, g.master_document_type, g.receptacle_id, e.declarant, e.representative
    from (
      select * from house_consignment
      where document_key = of_document.document_key and document_type = of_document.document_type
      order by ens_id desc limit 10000
    ) g
    cross join lateral (select * from declaration where id = g.ens_id offset 0) e
    where e.kind = 'HOUSE' and (select state from movement where declaration_id = g.ens_id) is null
  ),
  -- From each record to what it has in common with others, so that many with one thing in common cost no more than their number.
  link as materialized (
    select l.id, common
    from lodged l
    cross join lateral (
      select 'MASTER ' || l.master_document_type || ' ' || l.master_document_key
        || case when expected_only then ' BY ' || l.declarant else '' end
      union all
      select 'RECEPTACLE ' || l.receptacle_id || case when expected_only then ' BY ' || l.declarant else '' end
      union all
      select 'PARTY ' || party
      from (select l.declarant as party union select l.representative) parties
      where l.master_document_key is null and l.receptacle_id is null and (not expected_only or party = l.declarant)
    ) has (common)
    where common is not null
  ),
  step as materialized (
    select 'GOODS ' || id as here, common as there from link
    union all
    select common, 'GOODS ' || id from link
    union all
    select 'GOODS ' || one, 'GOODS ' || two from told
    union all
    select 'GOODS ' || two, 'GOODS ' || one from told
  ),
  reached (node) as (
    select ('GOODS ' || house) collate "C"
    union
    select step.there from reached join step on step.here = reached.node
  ),
  -- All records of the same goods are connected with something declared.
  told_with (declared, id) as (
    select two, two from told
    union
    select told_with.declared, case when told.one = told_with.id then told.two else told.one end
    from told_with join told on told_with.id in (told.one, told.two)
  ),
  named as materialized (
    select substr(node, 7)::uuid as id, coalesce(
      (select min(told_with.declared::text) from told_with where told_with.id = substr(node, 7)::uuid),
      substr(node, 7)) as goods
    from reached where node like 'GOODS %'
  )
  select named.id, named.goods, named.goods = (select own.goods from named own where own.id = house)
  from named where named.id <> house;
end
$$;

-- For servers of the previous release, which ask for these: as `goods_beside` and `controls_kept_for`.
create or replace function lodged_beside(house uuid, expected_only boolean) returns table (other uuid)
language plpgsql stable rows 1 as $$
begin
  return query select beside.other from goods_beside(house, expected_only) beside;
end
$$;

create or replace function kept_controls(house uuid, expected_only boolean) returns table (other uuid)
language plpgsql stable rows 1 as $$
begin
  return query
  select kept.other from controls_kept_for(house, expected_only) kept
  union
  select o.id
  from goods_beside(house, expected_only) beside
  join house_consignment o on o.id = beside.other
  where o.routing = 'TO_CONTROL' and is_by_officer_or_engine(o.id);
end
$$;
