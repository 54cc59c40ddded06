-- locks: nothing
--
-- What movement messages name, by which they are coupled: a transport its master consignments and direct house consignments,
-- a master consignment the receptacles of mail. Couplings are followed when they are asked for, so the order in which
-- messages are lodged never matters.
create table movement_reference (
  declaration_id integer not null references movement on delete cascade deferrable initially deferred,
  kind text not null collate "C" check (kind in ('MASTER_CONSIGNMENT', 'HOUSE_CONSIGNMENT', 'RECEPTACLE')),
  -- In the order of the message.
  number integer not null,
  -- The number of a document, or of a receptacle, as it was sent.
  reference text not null collate "C",
  -- The type of the document; null of a receptacle.
  reference_type text collate "C",
  primary key (declaration_id, kind, number)
);
-- By which the messages are found that name something.
create index movement_reference_reference on movement_reference (reference, kind, declaration_id);

-- Whether a message was lodged by its carrier, or its representative is the carrier. Without this query in it, the next
-- condition becomes part of a statement: calling a function for each coupling cost more than finding it.
create function is_lodged_for_carrier(message movement) returns boolean language sql stable as $$
  select (select carrier from declaration where id = message.declaration_id) in (message.submitter, message.representative)
$$;

-- Whether one message couples to another that it names. Where only expected parties may present, whoever lodges the upper one
-- must be its carrier, or a party to the lower one: the number of a waybill can be guessed.
create function may_couple(upper_message movement, lower_message movement, expected_only boolean) returns boolean
language sql stable as $$
  select not expected_only
    or upper_message.submitter in (lower_message.submitter, lower_message.representative)
    or upper_message.representative in (lower_message.submitter, lower_message.representative)
    or is_lodged_for_carrier(upper_message)
$$;

-- Whether two messages were current at the same time. What was closed stays coupled to what it was current with, and never
-- to a later message with the same documents. What was cancelled or has expired is coupled to nothing.
create function were_current_together(one movement, other movement) returns boolean language sql immutable as $$
  select coalesce(one.state, 'CLOSED') = 'CLOSED' and coalesce(other.state, 'CLOSED') = 'CLOSED'
    and coalesce(one.ended_at, 'infinity') > other.lodged_at and coalesce(other.ended_at, 'infinity') > one.lodged_at
$$;

-- The current master consignments that a current transport names, and where it names them.
create function masters_of_transport(transport integer, expected_only boolean)
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
$$;

-- The current house consignments that hang directly on a current transport, and where it names them.
create function direct_houses_of_transport(transport integer, expected_only boolean)
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
$$;

-- The current house consignments under a current master consignment: by its document and carrier, and mail by its receptacles.
create function houses_of_master(master integer, expected_only boolean) returns table (id integer) language sql stable as $$
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
$$;

-- Whose feeds are locked when goods under a current master consignment are presented by their own documents.
create function parties_under_master(master integer) returns table (party integer) language sql stable as $$
  select distinct parties.party
  from houses_of_master(master, false) under
  cross join lateral (select declarant, representative from declaration where id = under.id offset 0) d
  cross join lateral (values (d.declarant), (d.representative)) parties (party)
  where parties.party is not null
$$;

-- Every current house consignment that a transport reaches, with the master consignment by which it does; null for a direct
-- one. Under several masters, a house consignment is there once for each.
create function houses_of_transport(transport integer, expected_only boolean)
returns table (id integer, master integer) language sql stable as $$
  select h.id, m.id
  from movement t
  cross join lateral masters_of_transport(t.declaration_id, expected_only) m
  cross join lateral houses_of_master(m.id, expected_only) h
  cross join lateral (select * from movement where declaration_id = h.id offset 0) house
  where t.declaration_id = transport and were_current_together(t, house::movement)
  union all
  select id, null from direct_houses_of_transport(transport, expected_only)
$$;

-- The current master consignments above a house consignment.
create function masters_of_house(house integer, expected_only boolean) returns table (id integer) language sql stable as $$
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
$$;

-- The current transports that name a master consignment.
create function transports_of_master(master integer, expected_only boolean) returns table (id integer) language sql stable as $$
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
$$;

-- The current transports that reach a house consignment, with the master consignment by which each does; null for a direct one.
create function transports_of_house(house integer, expected_only boolean)
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
$$;

select audit_table('movement_reference', '{declaration_id,kind,number}', '{}');
