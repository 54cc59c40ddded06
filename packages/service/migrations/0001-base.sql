-- locks: nothing; creates every table
--
-- The schema of the first release. Keys are compared byte by byte (collate "C"), whatever language the database was made
-- for (decision 0056). Functions contain only what several statements share (decision 0082).

-- Organisations and their clients -------------------------------------------------------------------------------------

-- An organisation as tokens name it: '0192:974760673', or the organizationIdentifier of an eSeal.
create table organisation (
  id integer generated always as identity primary key,
  identifier text collate "C" not null unique,
  name text not null default '',
  kind text not null default 'domestic' check (kind in ('domestic', 'foreign')),
  blocked boolean not null default false,
  created_at timestamptz not null default now()
);

-- What the authority has granted an organisation: scopes in their plain form, without the prefix.
create table organisation_scope (
  organisation_id integer not null references organisation on delete cascade,
  scope text collate "C" not null,
  granted_at timestamptz not null default now(),
  primary key (organisation_id, scope)
);

-- The clients of an organisation. Nothing here is secret: certificates and public keys.
create table client (
  organisation_id integer not null references organisation on delete cascade,
  client_id text collate "C" not null,
  -- What it may request at the identity provider; null: whatever its organisation is granted.
  scopes text[],
  -- Certificates that are accepted without their chain: base64 DER.
  certificates text[] not null default '{}',
  -- Public keys (RFC 7517), each with a kid.
  keys jsonb not null default '[]',
  blocked boolean not null default false,
  primary key (organisation_id, client_id)
);
-- Blocked clients are found by their id, without regard to capitals.
create index client_lower_id on client (lower(client_id));
-- An id belongs to one organisation. That of an eSeal is its serial number, which is unique only for each issuer.
create unique index client_registered_id on client (client_id) where lower(client_id) not like 'eidas-%';

-- Clients that were registered and are not any more. Their tokens are refused until they are registered again, also
-- where an external identity provider continues to issue them.
create table removed_client (
  organisation_id integer not null references organisation on delete cascade,
  client_id text collate "C" not null,
  primary key (organisation_id, client_id)
);
create index removed_client_lower_id on removed_client (lower(client_id));

-- The jti of every grant that may still be valid: each is used once, on whichever server.
create table used_grant (
  client_id text collate "C" not null,
  jti text collate "C" not null,
  ends_at timestamptz not null,
  primary key (client_id, jti)
);
create index used_grant_ends_at on used_grant (ends_at);

-- Sessions of people who signed in to the console, readable by every server. The content of the cookie is not stored:
-- only its digest. The provider's tokens are encrypted with a key that is derived from the cookie.
create table console_session (
  digest bytea primary key,
  subject text collate "C" not null,
  name text not null,
  organisation text collate "C" not null,
  role text,
  scopes text[] not null,
  -- What the person may act as, of which a session uses one.
  assignments json not null,
  provider_session text collate "C",
  sealed_tokens bytea,
  started_at timestamptz not null,
  used_at timestamptz not null,
  ends_at timestamptz not null,
  -- When the provider has confirmed the rights of the person, and when it is asked again.
  confirmed_at timestamptz,
  confirm_after timestamptz,
  -- Until when a server may be confirming them: a role that is chosen meanwhile waits for the result, because the
  -- provider's tokens may change.
  confirming_until timestamptz
);
create index console_session_of_subject on console_session (subject);
create index console_session_of_provider_session on console_session (provider_session);

-- Logout tokens of the provider that were received, so that none has an effect twice.
create table console_logout (
  token_id text collate "C" primary key,
  ends_at timestamptz not null
);

-- Customs offices (CL141) ---------------------------------------------------------------------------------------------

-- The imported list, which replaces the built-in one.
create table customs_office (
  reference_number text collate "C" primary key,
  name text not null,
  valid_from date,
  valid_to date
);

create table code_list_import (
  code_list text collate "C" primary key,
  imported_at timestamptz not null,
  entries integer not null
);

-- What is pre-notified ------------------------------------------------------------------------------------------------

-- Who registered what is pre-notified: one row for each transaction; null if Landfall itself did.
create table registration (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  organisation_id integer references organisation,
  client_id text,
  request_id uuid not null
);

create table entry_summary_declaration (
  id integer generated always as identity primary key,
  mrn text collate "C" not null unique,
  customs_office_of_first_entry text not null,
  declarant integer not null references organisation,
  representative integer references organisation,
  estimated_time_of_arrival timestamptz,
  transport_means_number text,
  transport_means_type text,
  -- Who else may present the goods, where only those may whom the declaration names.
  carrier integer references organisation,
  presenters integer[]
);

create table house_consignment (
  id uuid primary key,
  ens_id integer not null references entry_summary_declaration,
  document_number text collate "C" not null,
  document_type text collate "C" not null,
  master_document_number text collate "C",
  master_document_type text collate "C",
  receptacle_id text collate "C",
  -- What a signal says of the consignment, up to its routing result: JSON text without the closing brace.
  signal_head text not null,
  -- The current decision.
  routing text check (routing in ('TO_CONTROL', 'TO_ENTRY')),
  routing_control_location text check (routing_control_location in ('ON_ENTRY', 'AFTER_ENTRY')),
  -- The last registration. Without a foreign key, which would be checked for each of very many rows.
  registration bigint,
  -- The decision made beforehand, as it was registered last; `routing` may have been decided otherwise since.
  registered_routing text check (registered_routing in ('TO_CONTROL', 'TO_ENTRY')),
  registered_control_location text check (registered_control_location in ('ON_ENTRY', 'AFTER_ENTRY')),
  -- Subheadings of the Harmonized System, in the order given; null without any. Routing profiles read them, presenting
  -- never does, so they come last in the row.
  subheadings text[],
  unique (ens_id, document_number, document_type)
);
create index house_consignment_document on house_consignment (document_number, document_type);
-- The declarations that a master document or a receptacle leads to are found without reading their goods (decision 0146).
create index house_consignment_master_document on house_consignment (master_document_number, ens_id, master_document_type)
  where master_document_number is not null;
create index house_consignment_receptacle on house_consignment (receptacle_id, ens_id) where receptacle_id is not null;
create index house_consignment_registration on house_consignment (registration);

create table house_consignment_container (
  container_id text collate "C" not null,
  house_consignment_id uuid not null references house_consignment on delete cascade,
  -- That of the house consignment, so that what a container leads to is found without reading goods.
  ens_id integer not null,
  primary key (container_id, house_consignment_id)
);
create index house_consignment_container_house on house_consignment_container (house_consignment_id);
create index house_consignment_container_ens on house_consignment_container (container_id, ens_id, house_consignment_id);

-- Presentations -------------------------------------------------------------------------------------------------------

-- Who receives the signals of a house consignment. A house consignment is presented exactly if it has a row: presenting
-- adds the presenter, the declarant of its declaration, and the representative.
create table signal_recipient (
  house_consignment_id uuid not null,
  organisation_id integer not null,
  -- Whose request it was, and which: the status of the request has its time.
  presenter integer not null,
  request_id uuid not null,
  -- Where the first signal is in the organisation's feed; null if there was no decision yet.
  signal_position bigint,
  -- The first presentation of the goods, in the declarant's row alone, which that presentation adds: when, at which
  -- customs office, and whether the goods wait for a decision since then.
  first_presented_at timestamptz,
  office text collate "C",
  awaits_decision boolean,
  primary key (house_consignment_id, organisation_id)
);
create index signal_recipient_first_presented_at on signal_recipient (first_presented_at)
  include (office, house_consignment_id) where first_presented_at is not null;
-- Goods leave it when they are decided, so it is small.
create index signal_recipient_awaits_decision on signal_recipient (first_presented_at, house_consignment_id)
  include (office) where awaits_decision;

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

-- Routing decisions ---------------------------------------------------------------------------------------------------

-- Every decision on a house consignment that changed the current one, in order; the last one is also in
-- house_consignment.routing, where presenting finds it.
create table routing_decision (
  house_consignment_id uuid not null references house_consignment on delete cascade,
  number integer not null,
  decided_at timestamptz not null,
  routing text not null check (routing in ('TO_CONTROL', 'TO_ENTRY')),
  routing_control_location text check (routing_control_location in ('ON_ENTRY', 'AFTER_ENTRY')),
  reason text,
  -- Whose request it was, by which client, and which; null if Landfall itself decided.
  organisation_id integer,
  client_id text,
  request_id text not null,
  -- The routing profile that decided, its version, and the number of its rule from 1; null if a person or another
  -- system decided.
  profile text,
  profile_version integer,
  profile_rule integer,
  primary key (house_consignment_id, number)
);

-- The signals that decisions after presentation issued. Those that presenting issued are in
-- signal_recipient.signal_position.
create table issued_signal (
  house_consignment_id uuid not null,
  owner integer not null,
  position bigint not null,
  decision integer not null,
  primary key (house_consignment_id, owner, position)
);

-- Routing profiles: a version never changes, and one of all is live, or none.
create table routing_profile (
  name text collate "C" not null,
  version integer not null,
  created_at timestamptz not null,
  -- The profile as it was put: JSON text.
  profile text not null,
  live_since timestamptz,
  primary key (name, version)
);
create unique index routing_profile_live on routing_profile ((true)) where live_since is not null;

-- Feeds ---------------------------------------------------------------------------------------------------------------
--
-- The table of a kind of feed has the entries of all owners: owner, position, id, entry. Positions of an owner count
-- from 1 without a gap. Whoever appends holds the owner's advisory lock until its commit, so entries become visible in
-- the order of their positions (decision 0020). `append_to_feeds` is the only writer.

-- The state of each feed that has ever had an entry: where it ends, and the last entry that retention removed. The id of
-- that entry is a marker that is still good, because every entry after it is kept; an older marker has expired. Whoever
-- changes the row holds the owner's lock. Pages have room for new versions of their rows, so that a change reaches no
-- index.
create table feed_state (
  kind integer,
  owner integer,
  position bigint not null,
  removed_position bigint not null default 0,
  removed_id uuid,
  primary key (kind, owner)
) with (fillfactor = 50);

-- Outcomes of presentations. The id is the requestId, which can be used once.
create table validation_status (
  owner integer not null,
  position bigint not null,
  id uuid not null,
  failed boolean not null,
  -- The declaration that the reference reached, if it reached exactly one.
  ens_id integer,
  entry text not null,
  primary key (owner, position)
);
create unique index validation_status_id on validation_status (owner, id);
create index validation_status_ens_id on validation_status (owner, ens_id, position) where ens_id is not null;
-- Few fail, so the index is small and costs a successful presentation nothing.
create index validation_status_failed on validation_status (owner, position) where failed;

-- The declarations that the reference of a request reached, if it reached several.
create table validation_status_ens (
  owner integer not null,
  ens_id integer not null,
  position bigint not null,
  primary key (owner, ens_id, position)
);
create index validation_status_ens_position on validation_status_ens (owner, position);

-- The declarations of statuses that retention has removed, so that a check of a release still knows which goods an
-- organisation may see (decision 0146).
create table removed_status_ens (
  ens_id integer not null references entry_summary_declaration on delete cascade,
  owner integer not null,
  primary key (ens_id, owner)
);

create function keep_declaration_of_status() returns trigger language plpgsql as $$
begin
  insert into removed_status_ens (ens_id, owner)
  select e.id, old.owner from entry_summary_declaration e
  where e.id = old.ens_id
    and not exists (select from removed_status_ens r where r.ens_id = old.ens_id and r.owner = old.owner)
  -- One that is being deleted is left out instead of breaking the reference.
  for key share of e
  on conflict do nothing;
  return null;
end
$$;

create trigger keep_declaration after delete on validation_status
for each row when (old.ens_id is not null and not old.failed) execute function keep_declaration_of_status();

create trigger keep_declaration after delete on validation_status_ens
for each row execute function keep_declaration_of_status();

-- Routing signals. The id is the marker and contains the position (UUID v8).
create table routing_signal (
  owner integer not null,
  position bigint not null,
  id uuid not null,
  entry text not null,
  primary key (owner, position)
);

-- The stream of goods items: one feed for the whole installation, whose owner is 0. The id is the publisher's eventId,
-- and the marker.
create table goods_item_event (
  owner integer not null,
  position bigint not null,
  id uuid not null,
  -- The goods item; null for a removal without data.
  declaration text collate "C",
  number bigint,
  -- The end of its subject when it is relayed: '<direction>.<HS chapter>'.
  topic text not null,
  published_at timestamptz not null,
  entry text not null,
  primary key (owner, position)
);
create unique index goods_item_event_id on goods_item_event (owner, id);

-- What is kept of an expired event: enough to recognise a duplicate, an old marker, and what a removal refers to.
create table goods_item_expired (
  owner integer not null,
  position bigint not null,
  id uuid not null,
  declaration text collate "C",
  number bigint,
  topic text not null,
  -- SHA-256 of its content.
  digest bytea not null,
  primary key (owner, id)
);

-- The current goods items, each with the event that added it.
create table goods_item (
  declaration text collate "C" not null,
  number bigint not null,
  position bigint not null,
  topic text not null,
  -- The text of that event, once the event itself has expired.
  entry text,
  primary key (declaration, number)
);

-- How far each feed of a kind is relayed: the last entry that the JetStream stream has, and its sequence number there.
create table relay_position (
  stream text collate "C",
  owner integer,
  position bigint not null,
  sequence bigint not null,
  primary key (stream, owner)
);

-- The audit trail -----------------------------------------------------------------------------------------------------
--
-- The tables that grow with every change and every read are partitioned by the time at which a row was recorded
-- (decision 0125). The last partition has no end, so a row always has a partition; servers close it at the end of a
-- month, and create the partitions of further months (database/partitions.ts). The keys are those of each partition:
-- PostgreSQL could only have a key of the whole table that contains the time. A position is given once per chain, under
-- the lock of the chain.

-- The time at which the last record of the transaction was appended: the rows that belong to a record are in the same
-- partition.
create function audit_time() returns timestamptz language sql stable as $$
  select coalesce(nullif(current_setting('landfall.audit_time', true), '')::timestamptz, now())
$$;

-- The digest of a record is sha256(digest of the previous record of its chain || entry), so a record cannot be changed,
-- removed or moved without breaking all that follow. There are several chains, so that writers do not wait for each
-- other. Checkpoints name the ends of all chains, so that an end cannot be cut off either (decision 0046).
create table audit_record (
  chain integer not null,
  position bigint not null,
  digest bytea not null,
  entry text not null,
  recorded_at timestamptz not null default clock_timestamp()
) partition by range (recorded_at);
-- Compressing a record costs each presentation more than it saves.
alter table audit_record alter column entry set storage external;
create table audit_record_later (like audit_record including defaults including storage, primary key (chain, position));
alter table audit_record attach partition audit_record_later for values from (minvalue) to (maxvalue);

-- Where each chain ends: the next record is found by key, however many records and partitions there are. Whoever changes
-- the row holds the lock of the chain.
create table audit_chain_end (
  chain integer primary key,
  position bigint not null,
  digest bytea not null,
  recorded_at timestamptz not null
) with (fillfactor = 20);
-- More chains than transactions that append at one moment.
insert into audit_chain_end select chain, 0, '', '-infinity' from generate_series(1, 32) chain;

-- What happened to single house consignments and is in no other table: changed, withdrawn. The audit record of the events
-- has their digest, in the order of their indexes.
create table consignment_event (
  chain integer not null,
  position bigint not null,
  index integer not null,
  house_consignment_id uuid not null,
  at timestamptz not null,
  entry text not null,
  recorded_at timestamptz not null default audit_time()
) partition by range (recorded_at);
create table consignment_event_later (like consignment_event including defaults, primary key (chain, position, index));
create index consignment_event_house on consignment_event_later (house_consignment_id);
alter table consignment_event attach partition consignment_event_later for values from (minvalue) to (maxvalue);

-- Which client was given which positions of which feed, and when: a row for at most 1,000 positions.
create table feed_access (
  chain integer not null,
  position bigint not null,
  index integer not null,
  kind integer not null,
  owner integer not null,
  client_id text not null,
  first_position bigint not null,
  last_position bigint not null,
  at timestamptz not null,
  recorded_at timestamptz not null default audit_time()
) partition by range (recorded_at);
create table feed_access_later (like feed_access including defaults, primary key (chain, position, index));
create index feed_access_feed on feed_access_later (owner, kind, last_position);
alter table feed_access attach partition feed_access_later for values from (minvalue) to (maxvalue);

-- The chains that have records. Each is found from the previous one in the index, because "select distinct" would read
-- the whole table.
create view audit_chain as
  with recursive found as (
    select min(chain) as chain from audit_record
    union all
    select (select min(r.chain) from audit_record r where r.chain > found.chain) from found where chain is not null
  )
  select chain from found where chain is not null;

-- What retention has removed of the audit trail: all that was recorded before a time. Of records, where each chain ended
-- then. A record of the trail has the same.
create table audit_removal (
  kind text collate "C" primary key check (kind in ('records', 'feed accesses')),
  until timestamptz not null,
  ends jsonb not null
);

-- The months of the audit trail that were exported, each to a file that was read again and verified. Only these are
-- removed by retention.
create table audit_export (
  until timestamptz primary key,
  sha256 text collate "C" not null,
  -- Where each chain ended at that time.
  ends jsonb not null,
  exported_at timestamptz not null default now()
);

-- The last verification of the audit trail: one row at most.
create table audit_verification (
  single boolean primary key default true check (single),
  at timestamptz not null,
  records bigint not null,
  breaks integer not null,
  records_only boolean not null
);

-- The partitions that Landfall has detached to drop them, from before it detaches one until it has dropped it. A table
-- that an operator has detached is not here, and stays (decision 0154).
create table detached_partition (
  partition oid primary key,
  name text collate "C" not null,
  parent text collate "C" not null,
  -- The end of the rows that it had.
  until timestamptz not null
);

-- Servers -------------------------------------------------------------------------------------------------------------

-- One row for each timeline of PostgreSQL on which servers found the primary. A standby follows this primary exactly if
-- it has the token of the primary's timeline: one that has more than the primary, after a failover, never gets it.
create table primary_history (
  timeline text collate "C" primary key,
  token uuid not null default gen_random_uuid()
);

-- The time by which data is removed. It follows the clock of the database and is never ahead of it. When that clock has
-- jumped, this time approaches it gradually, so that what a wrong clock makes look old is not removed at once
-- (decision 0143).
create table removal_time (
  is_only boolean primary key default true check (is_only),
  time timestamptz not null,
  -- What the clock of the database was when it was last read.
  read_at timestamptz not null
);

-- The key figures of every server, one row a minute, for a day: whoever writes a row removes the old ones. Any server
-- can show all servers, and one that has stopped reporting is noticed.
create table server_figures (
  at timestamptz not null,
  server text collate "C" not null,
  started_at timestamptz not null,
  version text not null,
  -- Whether it is the last row of a server that was stopped.
  is_stopped boolean not null,
  -- What was measured since the previous row of the server.
  figures jsonb not null,
  -- The organisations with the most requests: how many they made, and how many were refused or failed.
  callers jsonb not null,
  primary key (at, server)
);

-- Functions that change or lock something -----------------------------------------------------------------------------

-- Takes advisory locks until commit, in the order of their numbers; returns the numbers that it has locked. It waits up
-- to `wait_ms` for one that another transaction holds. If that was not enough, it leaves out this one and all others
-- that are not free. So nobody waits long while holding what others need, and a loop, unlike a query, keeps the order
-- whatever the planner does.
create function lock_in_order(namespace integer, numbers integer[], wait_ms integer) returns integer[]
language plpgsql as $$
declare
  wanted integer;
  locked integer[] := '{}';
  may_wait boolean := wait_ms > 0;
  usual_timeout text := current_setting('lock_timeout');
begin
  for wanted in
    select distinct number from unnest(numbers) number where number is not null order by number
  loop
    if pg_try_advisory_xact_lock(namespace, wanted) then
      locked := array_append(locked, wanted);
    elsif may_wait then
      begin
        perform set_config('lock_timeout', wait_ms::text, true);
        perform pg_advisory_xact_lock(namespace, wanted);
        perform set_config('lock_timeout', usual_timeout, true);
        locked := array_append(locked, wanted);
      exception when lock_not_available then
        may_wait := false;
      end;
    end if;
  end loop;
  return locked;
end
$$;

-- Appends a record to a chain of the audit trail that no other transaction appends to, and keeps the chain locked until
-- the end of the transaction. The lock is the last one that a transaction takes, so its holder waits for nothing more.
-- Sessions begin at different chains: the first attempt nearly always succeeds, and when all chains are locked it waits
-- for one. Each statement of a volatile function sees what was committed before that statement, so the end of the chain
-- is read after the lock. Within a chain the time never decreases, so a partition has consecutive positions.
create function append_audit_record(lock_namespace integer, entry text, out chain integer, out "position" bigint)
language plpgsql as $$
declare
  chains constant integer := 32; -- the rows of audit_chain_end
  locked boolean;
  new_digest bytea;
  new_time timestamptz;
begin
  for step in 1 .. chains loop
    chain := (pg_backend_pid() + step) % chains + 1;
    locked := pg_try_advisory_xact_lock(lock_namespace, chain);
    exit when locked;
  end loop;
  if not locked then
    perform pg_advisory_xact_lock(lock_namespace, chain);
  end if;

  update audit_chain_end last set
    position = last.position + 1,
    digest = sha256(last.digest || convert_to(append_audit_record.entry, 'UTF8')),
    recorded_at = greatest(last.recorded_at, clock_timestamp())
  where last.ctid = ( -- the newest version, as in append_to_feeds
    select newest.ctid from audit_chain_end newest
    where newest.chain <= append_audit_record.chain order by newest.chain desc limit 1)
  returning last.position, last.digest, last.recorded_at into append_audit_record.position, new_digest, new_time;
  perform set_config('landfall.audit_time', new_time::text, true);
  insert into audit_record (chain, position, digest, entry, recorded_at)
  values (append_audit_record.chain, append_audit_record.position, new_digest, append_audit_record.entry, new_time);
end
$$;

-- An entry that is to be appended: the kind and the owner of its feed, its id, and its text. Without an id a marker is
-- minted and put between `head` and `tail`. The other columns are those that only one table has.
create type new_entry as (
  kind integer,
  owner integer,
  id uuid,
  head text,
  tail text,
  -- validation_status
  failed boolean,
  ens_id integer,
  -- goods_item_event
  declaration text collate "C",
  number bigint,
  topic text,
  published_at timestamptz
);

-- Appends entries to their feeds in the given order. The owners are locked (`lock_in_order`). Returns the position of each
-- entry, in that order, and what the audit trail has of them, as JSON: `entries` lists the ranges of each feed as
-- kind/owner/first-last, and `digest` is that of the texts of their entries, one after the other in that order. With a
-- `record`, JSON text without its last three braces, that is appended to the audit trail too.
create function append_to_feeds(
  entries new_entry[], lock_namespace integer, record text, out positions bigint[], out appended text
) language plpgsql as $$
declare
  ends bigint[]; -- where the feeds ended before, in the order of the feeds
  ranges text;
begin
  -- A row that every batch changes has many versions while some transaction runs for long. The newest is the last one in
  -- the index, so it is read from that end.
  with feed as materialized (
    select kind, owner, count(*) as entries, (
      select case when (s.kind, s.owner) = (e.kind, e.owner) then s.ctid end from feed_state s
      where (s.kind, s.owner) <= (e.kind, e.owner) order by s.kind desc, s.owner desc limit 1
    ) as stored_at
    from unnest(append_to_feeds.entries) e group by kind, owner
  ),
  grown as (
    update feed_state s set position = s.position + feed.entries from feed where s.ctid = feed.stored_at
    returning s.kind, s.owner, s.position, s.position - feed.entries as before
  ),
  begun as (
    insert into feed_state (kind, owner, position) select kind, owner, feed.entries from feed where stored_at is null
    returning kind, owner, position, 0::bigint as before
  )
  select array_agg(before order by kind, owner),
    string_agg(kind || '/' || owner || '/' || before + 1 || '-' || position, ' ' order by kind, owner)
  into ends, ranges
  from (select * from grown union all select * from begun) feed;

  with numbered as (
    select e.*, ends[dense_rank() over (order by kind, owner)]
      + row_number() over (partition by kind, owner order by ordinal) as position
    from unnest(append_to_feeds.entries) with ordinality as e (kind, owner, id, head, tail, failed, ens_id, declaration,
      number, topic, published_at, ordinal)
  ),
  minted as (
    select n.*, coalesce(id, mint_marker(position, (select hashtextextended(gen_random_uuid()::text, 0)))) as new_id
    from numbered n
    offset 0 -- so that each marker is minted once, not wherever it is used
  ),
  entry as materialized (
    select m.*, head || coalesce(new_id::text || tail, '') as entry from minted m
  ),
  new_status as (
    insert into validation_status (owner, position, id, failed, ens_id, entry)
    select owner, position, new_id, failed, ens_id, entry from entry where kind = 1
  ),
  new_signal as (
    insert into routing_signal (owner, position, id, entry)
    select owner, position, new_id, entry from entry where kind = 2
  ),
  new_goods_item_event as (
    insert into goods_item_event (owner, position, id, declaration, number, topic, published_at, entry)
    select owner, position, new_id, declaration, number, topic, published_at, entry from entry where kind = 6
  )
  select array_agg(position order by ordinal),
    '{"entries":"' || ranges || '","digest":"'
      || encode(sha256(convert_to(string_agg(entry, '' order by kind, owner, position), 'UTF8')), 'hex') || '"}'
  into positions, appended
  from entry;

  if record is not null then
    perform append_audit_record(lock_namespace, record || ',"appended":[' || appended || ']}}');
  end if;
end
$$;

-- Functions of one expression or one query ----------------------------------------------------------------------------
--
-- They are no more volatile than they say, so PostgreSQL puts them into the query that calls them, instead of running a
-- query for each row.

-- The id of an entry that serves as its marker: a UUID v8 (RFC 9562) of the position in 48 bits and of 62 bits that
-- nobody can foresee, a hash of the position under a random seed. So the entry is found by its position, and a made-up
-- id is refused. The version, 8, and the variant, binary 10, are where RFC 9562 has them.
create function mint_marker(feed_position bigint, seed bigint) returns uuid language sql immutable as $$
  select encode(
    int8send((feed_position << 16) | 32768)
      || int8send((hashint8extended(feed_position, seed) & 4611686018427387903) | (-9223372036854775808)),
    'hex')::uuid
$$;

-- The text of a validation status; `errors` is the list of errors without its brackets.
create function validation_status_entry(
  request_id text, failed boolean, level text, notified text, mrn text, office text, houses bigint, errors text
) returns text language sql immutable as $$
  select '{"requestId":"' || request_id
    || '","status":"' || case when failed then 'FAILURE' else 'SUCCESS' end
    || '","level":"' || level
    || '","notificationDate":"' || notified
    || coalesce('","mrn":"' || mrn, '')
    || coalesce('","customsOfficeOfPresentation":"' || office, '')
    || '","houseConsignments":' || houses::text
    || coalesce(',"validationErrorList":[' || errors || ']', '')
    || '}'
$$;

-- A validation status that is to be appended.
create function new_status(owner integer, id uuid, failed boolean, ens_id integer, entry text)
returns new_entry language sql immutable as $$
  select row(1, owner, id, entry, null, failed, ens_id, null, null, null, null)::new_entry
$$;

-- A routing signal that is to be appended: what is known of the consignment, and the decision.
create function new_signal(
  owner integer, signal_head text, routing text, routing_control_location text, issued text
) returns new_entry language sql immutable as $$
  select row(2, owner, null, signal_head || ',"routingResult":{"id":"',
    '","routing":"' || routing || coalesce('","routingControlLocation":"' || routing_control_location, '')
      || '","documentIssueDate":"' || issued || '"}}', null, null, null, null, null, null)::new_entry
$$;

-- A time as the API writes it: UTC, with milliseconds.
create function api_time(at timestamptz) returns text language sql stable as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- Whether an organisation is named by a declaration as one that may present its goods.
create function may_present(
  presenter integer, declarant integer, representative integer, carrier integer, presenters integer[]
) returns boolean language sql immutable as $$
  select presenter in (declarant, representative, carrier) or presenter = any(presenters)
$$;

-- How many house consignments a transport document leads to, with an MRN or without: 0, 1, or 2 for several; and which
-- one it is if there is exactly one.
create function find_house_consignment(mrn text, document_number text, document_type text)
returns table (houses integer, house uuid) language sql stable as $$
  select count(*)::integer, case when count(*) = 1 then (array_agg(id))[1] end
  from (
    (select h.id from entry_summary_declaration e
      join house_consignment h on h.ens_id = e.id and h.document_number = $2 and h.document_type = $3
      where e.mrn = $1 limit 1)
    union all
    (select h.id from house_consignment h
      where $1 is null and h.document_number = $2 and h.document_type = $3 limit 2)
  ) found
$$;

-- The house consignments that a reference above the house level leads to, with their declarations; a declaration without
-- house consignments has one row. Declarations are found one after the other by an index, without their goods, so goods of
-- which the presenter may know nothing are not read, however many they are (decision 0146): "offset 0" keeps the planner
-- from reading the goods first.
create function reach_level(
  level text, reference text, reference_type text, mrn text, presenter integer, expected_only boolean
) returns table (house uuid, stored_at tid, decided boolean, ens integer, ens_mrn text, declarant integer, representative integer)
language plpgsql stable as $$
begin
  if level = 'MASTER_CONSIGNMENT' then
    return query
    with recursive found (id) as (
      (select h.ens_id from house_consignment h
        where h.master_document_number = reference and h.master_document_type = reference_type
        order by h.ens_id limit 1)
      union all
      select (select h.ens_id from house_consignment h
        where h.master_document_number = reference and h.master_document_type = reference_type and h.ens_id > found.id
        order by h.ens_id limit 1)
      from found where found.id is not null
    )
    select h.id, h.ctid, h.routing is not null, e.id, e.mrn, e.declarant, e.representative
    from found
    cross join lateral (select * from entry_summary_declaration where id = found.id offset 0) e
    cross join lateral (
      select g.id, g.ctid, g.routing from house_consignment g
      where g.ens_id = e.id and g.master_document_number = reference and g.master_document_type = reference_type
      offset 0
    ) h
    where (reach_level.mrn is null or e.mrn = reach_level.mrn)
      and (not expected_only or may_present(presenter, e.declarant, e.representative, e.carrier, e.presenters));
  elsif level = 'RECEPTACLE' then
    return query
    with recursive found (id) as (
      (select h.ens_id from house_consignment h where h.receptacle_id = reference order by h.ens_id limit 1)
      union all
      select (select h.ens_id from house_consignment h where h.receptacle_id = reference and h.ens_id > found.id
        order by h.ens_id limit 1)
      from found where found.id is not null
    )
    select h.id, h.ctid, h.routing is not null, e.id, e.mrn, e.declarant, e.representative
    from found
    cross join lateral (select * from entry_summary_declaration where id = found.id offset 0) e
    cross join lateral (
      select g.id, g.ctid, g.routing from house_consignment g where g.ens_id = e.id and g.receptacle_id = reference
      offset 0
    ) h
    where not expected_only or may_present(presenter, e.declarant, e.representative, e.carrier, e.presenters);
  elsif level = 'CONTAINER' then
    return query
    with recursive found (id) as (
      (select c.ens_id from house_consignment_container c where c.container_id = reference order by c.ens_id limit 1)
      union all
      select (select c.ens_id from house_consignment_container c
        where c.container_id = reference and c.ens_id > found.id order by c.ens_id limit 1)
      from found where found.id is not null
    )
    select h.id, h.ctid, h.routing is not null, e.id, e.mrn, e.declarant, e.representative
    from found
    cross join lateral (select * from entry_summary_declaration where id = found.id offset 0) e
    cross join lateral (
      select g.id, g.ctid, g.routing from house_consignment_container c
      join house_consignment g on g.id = c.house_consignment_id
      where c.ens_id = e.id and c.container_id = reference
      offset 0
    ) h
    where not expected_only or may_present(presenter, e.declarant, e.representative, e.carrier, e.presenters);
  elsif level = 'ENTRY_SUMMARY_DECLARATION' then
    return query
    select h.id, h.ctid, h.routing is not null, e.id, e.mrn, e.declarant, e.representative
    from entry_summary_declaration e
    left join house_consignment h on h.ens_id = e.id
    where e.mrn = reference
      and (not expected_only or may_present(presenter, e.declarant, e.representative, e.carrier, e.presenters));
  end if;
end
$$;

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
      select true from signal_recipient c
      where c.house_consignment_id = h.id and c.presenter = l.presenter and c.request_id = l.request_id limit 1) is null
  order by l.at limit 1
$$;
