-- locks: nothing
--
-- A presentation above the house level is kept by its reference, so that a house consignment that the reference comes to
-- reach later is flagged in the transaction that registers it.

create table presented_reference (
  -- The order of presentations of one reference: they are recorded under its lock.
  number bigint generated always as identity primary key,
  level text collate "C" not null,
  -- Number of the master document, container or receptacle, or MRN.
  reference text collate "C" not null,
  document_type text collate "C",
  -- The declaration to which the presentation of a master document was restricted.
  mrn text collate "C",
  presenter integer not null,
  request_id uuid not null,
  at timestamptz not null,
  -- Whether only goods of declarations that name the presenter could be presented.
  expected_only boolean not null
);
create index presented_reference_reference on presented_reference (reference, level);

-- House consignments that a presented reference has come to reach afterwards.
create table entered_house_consignment (
  house_consignment_id uuid not null,
  presentation bigint not null references presented_reference,
  primary key (house_consignment_id, presentation)
);

create index entered_house_consignment_presentation on entered_house_consignment (presentation);

insert into presented_reference (level, reference, document_type, presenter, request_id, at, expected_only)
select distinct level, reference, document_type, presenter, request_id, at, false from level_presentation
order by at;

-- Locks references until commit: those of a presentation exclusively, those of a registration shared. They have 256 numbers,
-- so that a registration of thousands of references takes few locks. In order, and after the locks of feeds.
create function lock_references(namespace integer, identifiers text[], is_shared boolean) returns void
language plpgsql as $$
declare
  wanted integer;
begin
  for wanted in select distinct hashtext(identifier) & 255 from unnest(identifiers) identifier order by 1 loop
    if is_shared then
      perform pg_advisory_xact_lock_shared(namespace, wanted);
    else
      perform pg_advisory_xact_lock(namespace, wanted);
    end if;
  end loop;
end
$$;

-- The first presentation of a reference after which a house consignment entered it, as JSON; null if there is none.
create function entered_after_presentation(house uuid) returns json
language sql stable as $$
  select json_build_object(
    'by', (select identifier from organisation o where o.id = p.presenter),
    'at', api_time(p.at),
    'requestId', p.request_id,
    'level', p.level)
  from entered_house_consignment entered
  join presented_reference p on p.number = entered.presentation
  where entered.house_consignment_id = house
  order by p.number limit 1
$$;
