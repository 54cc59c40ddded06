-- locks: nothing
--
-- Relations: two messages of one mode are coupled by their MRNs. They are followed as couplings by documents are.
create table movement_relation (
  -- Its own, by which it is cancelled.
  mrn text primary key collate "C",
  -- The message on which the other one hangs, and that one. Where one of the two has ended, it leads nowhere.
  parent integer not null references movement on delete cascade deferrable initially deferred,
  child integer not null references movement on delete cascade deferrable initially deferred,
  -- Who has made it, and in which request.
  maker integer not null,
  request_id uuid not null,
  related_at timestamptz not null,
  -- Null while it is current.
  cancelled_at timestamptz
);
-- No two messages are related twice.
create unique index movement_relation_pair on movement_relation (parent, child) where cancelled_at is null;
create index movement_relation_parent on movement_relation (parent);
create index movement_relation_child on movement_relation (child);
-- By which goods are found that a relation has hung on something.
create index movement_relation_related_at on movement_relation (related_at, child);

-- The messages of a level that hang on a message by a relation. Whoever has made it knew both MRNs, so it counts where only
-- expected parties may present too.
create function related_below(message integer, of_level text) returns table (id integer) language sql stable as $$
  select r.child
  from movement_relation r
  cross join lateral (select * from movement where declaration_id = r.parent offset 0) upper_message
  cross join lateral (select * from movement where declaration_id = r.child offset 0) lower_message
  where r.parent = message and r.cancelled_at is null and lower_message.level = of_level
    and were_current_together(upper_message::movement, lower_message::movement)
$$;

-- The messages of a level on which a message hangs by a relation.
create function related_above(message integer, of_level text) returns table (id integer) language sql stable as $$
  select r.parent
  from movement_relation r
  cross join lateral (select * from movement where declaration_id = r.parent offset 0) upper_message
  cross join lateral (select * from movement where declaration_id = r.child offset 0) lower_message
  where r.child = message and r.cancelled_at is null and upper_message.level = of_level
    and were_current_together(upper_message::movement, lower_message::movement)
$$;

-- As before, with relations. The number of what hangs on a transport by a relation is null, so that it comes last.
create or replace function masters_of_transport(transport integer, expected_only boolean)
returns table (id integer, number integer) language sql stable as $$
  select master.declaration_id, r.number
  from movement t
  join movement_reference r on r.declaration_id = t.declaration_id and r.kind = 'MASTER_CONSIGNMENT'
  cross join lateral (
    select * from movement
    where document_number = r.reference and document_type = r.reference_type and carrier = t.carrier and mode = t.mode
      and level = 'MASTER_CONSIGNMENT'
    offset 0
  ) master
  where t.declaration_id = transport and were_current_together(t, master::movement)
    and may_couple(t, master::movement, expected_only)
  union all
  select related.id, null from related_below(transport, 'MASTER_CONSIGNMENT') related
$$;

create or replace function direct_houses_of_transport(transport integer, expected_only boolean)
returns table (id integer, number integer) language sql stable as $$
  select house.declaration_id, r.number
  from movement t
  join movement_reference r on r.declaration_id = t.declaration_id and r.kind = 'HOUSE_CONSIGNMENT'
  cross join lateral (
    select m.* from movement m
    join house_consignment h on h.ens_id = m.declaration_id
    where m.document_number = r.reference and m.document_type = r.reference_type and m.carrier = t.carrier
      and m.mode = t.mode and m.level = 'HOUSE_CONSIGNMENT'
      and h.master_document_number is null and h.receptacle_id is null
    offset 0
  ) house
  where t.declaration_id = transport and were_current_together(t, house::movement)
    and may_couple(t, house::movement, expected_only)
  union all
  select related.id, null from related_below(transport, 'HOUSE_CONSIGNMENT') related
$$;

create or replace function houses_of_master(master integer, expected_only boolean) returns table (id integer) language sql stable as $$
  select house.declaration_id
  from movement m
  cross join lateral (
    select under.* from house_consignment h
    cross join lateral (select * from movement where declaration_id = h.ens_id offset 0) under
    where h.master_document_key = identifier_key(m.document_number) and h.master_document_type = m.document_type
      and h.master_document_number = m.document_number
      and under.mode = m.mode and under.carrier = m.carrier
    offset 0
  ) house
  where m.declaration_id = master and were_current_together(m, house::movement)
    and may_couple(m, house::movement, expected_only)
  union all
  select house.declaration_id
  from movement m
  join movement_reference r on r.declaration_id = m.declaration_id and r.kind = 'RECEPTACLE'
  cross join lateral (
    select under.* from house_consignment h
    cross join lateral (select * from movement where declaration_id = h.ens_id offset 0) under
    where h.receptacle_id = r.reference and under.mode = m.mode
    offset 0
  ) house
  where m.declaration_id = master and were_current_together(m, house::movement)
    and may_couple(m, house::movement, expected_only)
  union all
  select related.id from related_below(master, 'HOUSE_CONSIGNMENT') related
$$;

create or replace function masters_of_house(house integer, expected_only boolean) returns table (id integer) language sql stable as $$
  select master.declaration_id
  from movement m
  join house_consignment h on h.ens_id = m.declaration_id
  cross join lateral (
    select * from movement
    where document_number = h.master_document_number and document_type = h.master_document_type and carrier = m.carrier
      and mode = m.mode and level = 'MASTER_CONSIGNMENT'
    offset 0
  ) master
  where m.declaration_id = house and were_current_together(master::movement, m)
    and may_couple(master::movement, m, expected_only)
  union all
  select master.declaration_id
  from movement m
  join house_consignment h on h.ens_id = m.declaration_id
  join movement_reference r on r.reference = h.receptacle_id and r.kind = 'RECEPTACLE'
  cross join lateral (
    select * from movement where declaration_id = r.declaration_id and mode = m.mode offset 0
  ) master
  where m.declaration_id = house and were_current_together(master::movement, m)
    and may_couple(master::movement, m, expected_only)
  union all
  select related.id from related_above(house, 'MASTER_CONSIGNMENT') related
$$;

create or replace function transports_of_master(master integer, expected_only boolean) returns table (id integer) language sql stable as $$
  select t.declaration_id
  from movement m
  join movement_reference r
    on r.reference = m.document_number and r.kind = 'MASTER_CONSIGNMENT' and r.reference_type = m.document_type
  cross join lateral (
    select * from movement
    where declaration_id = r.declaration_id and mode = m.mode and carrier = m.carrier
    offset 0
  ) t
  where m.declaration_id = master and were_current_together(t::movement, m)
    and may_couple(t::movement, m, expected_only)
  union all
  select related.id from related_above(master, 'TRANSPORT') related
$$;

create or replace function transports_of_house(house integer, expected_only boolean)
returns table (id integer, master integer) language sql stable as $$
  select t.id, m.id
  from movement h
  cross join lateral masters_of_house(h.declaration_id, expected_only) m
  cross join lateral transports_of_master(m.id, expected_only) t
  cross join lateral (select * from movement where declaration_id = t.id offset 0) transport
  where h.declaration_id = house and were_current_together(transport::movement, h)
  union
  select t.declaration_id, null
  from movement m
  join house_consignment h on h.ens_id = m.declaration_id
  join movement_reference r
    on r.reference = m.document_number and r.kind = 'HOUSE_CONSIGNMENT' and r.reference_type = m.document_type
  cross join lateral (
    select * from movement
    where declaration_id = r.declaration_id and mode = m.mode and carrier = m.carrier
    offset 0
  ) t
  where m.declaration_id = house and h.master_document_number is null and h.receptacle_id is null
    and were_current_together(t::movement, m) and may_couple(t::movement, m, expected_only)
  union
  select related.id, null from related_above(house, 'TRANSPORT') related
$$;

select audit_table('movement_relation', '{mrn}', '{}');
