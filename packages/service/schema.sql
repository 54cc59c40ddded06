-- The schema after all migrations. Generated: change packages/service/migrations/, then npm run generate.

CREATE TYPE public.new_entry AS (
	kind integer,
	owner integer,
	id uuid,
	head text,
	tail text,
	failed boolean,
	ens_id integer,
	declaration text COLLATE pg_catalog."C",
	number bigint,
	topic text,
	published_at timestamp with time zone
);

CREATE FUNCTION public.added_after_presentation(house uuid) RETURNS json
    LANGUAGE sql STABLE
    AS $$
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

CREATE FUNCTION public.api_time(at timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE
    AS $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

CREATE FUNCTION public.append_audit_record(lock_namespace integer, entry text, OUT chain integer, OUT "position" bigint) RETURNS record
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.append_to_feeds(entries public.new_entry[], lock_namespace integer, record text, OUT positions bigint[], OUT appended text) RETURNS record
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.audit_time() RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    AS $$
  select coalesce(nullif(current_setting('landfall.audit_time', true), '')::timestamptz, now())
$$;

CREATE FUNCTION public.find_house_consignment(mrn text, document_number text, document_type text) RETURNS TABLE(houses integer, house uuid)
    LANGUAGE sql STABLE
    AS $_$
  select count(*)::integer, case when count(*) = 1 then (array_agg(id))[1] end
  from (
    (select h.id from entry_summary_declaration e
      join house_consignment h on h.ens_id = e.id and h.document_number = $2 and h.document_type = $3
      where e.mrn = $1 limit 1)
    union all
    (select h.id from house_consignment h
      where $1 is null and h.document_number = $2 and h.document_type = $3 limit 2)
  ) found
$_$;

CREATE FUNCTION public.keep_declaration_of_status() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.lock_in_order(namespace integer, numbers integer[], wait_ms integer) RETURNS integer[]
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.may_present(presenter integer, declarant integer, representative integer, carrier integer, presenters integer[]) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
  select presenter in (declarant, representative, carrier) or presenter = any(presenters)
$$;

CREATE FUNCTION public.mint_marker(feed_position bigint, seed bigint) RETURNS uuid
    LANGUAGE sql IMMUTABLE
    AS $$
  select encode(
    int8send((feed_position << 16) | 32768)
      || int8send((hashint8extended(feed_position, seed) & 4611686018427387903) | (-9223372036854775808)),
    'hex')::uuid
$$;

CREATE FUNCTION public.new_signal(owner integer, signal_head text, routing text, routing_control_location text, issued text) RETURNS public.new_entry
    LANGUAGE sql IMMUTABLE
    AS $$
  select row(2, owner, null, signal_head || ',"routingResult":{"id":"',
    '","routing":"' || routing || coalesce('","routingControlLocation":"' || routing_control_location, '')
      || '","documentIssueDate":"' || issued || '"}}', null, null, null, null, null, null)::new_entry
$$;

CREATE FUNCTION public.new_status(owner integer, id uuid, failed boolean, ens_id integer, entry text) RETURNS public.new_entry
    LANGUAGE sql IMMUTABLE
    AS $$
  select row(1, owner, id, entry, null, failed, ens_id, null, null, null, null)::new_entry
$$;

CREATE FUNCTION public.reach_level(level text, reference text, reference_type text, mrn text, presenter integer, expected_only boolean) RETURNS TABLE(house uuid, stored_at tid, decided boolean, ens integer, ens_mrn text, declarant integer, representative integer)
    LANGUAGE plpgsql STABLE
    AS $$
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

CREATE FUNCTION public.validation_status_entry(request_id text, failed boolean, level text, notified text, mrn text, office text, houses bigint, errors text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
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

CREATE TABLE public.audit_record (
    chain integer NOT NULL,
    "position" bigint NOT NULL,
    digest bytea NOT NULL,
    entry text NOT NULL,
    recorded_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
)
PARTITION BY RANGE (recorded_at);
ALTER TABLE ONLY public.audit_record ALTER COLUMN entry SET STORAGE EXTERNAL;

CREATE VIEW public.audit_chain AS
 WITH RECURSIVE found AS (
         SELECT min(audit_record.chain) AS chain
           FROM public.audit_record
        UNION ALL
         SELECT ( SELECT min(r.chain) AS min
                   FROM public.audit_record r
                  WHERE (r.chain > found_1.chain)) AS min
           FROM found found_1
          WHERE (found_1.chain IS NOT NULL)
        )
 SELECT found.chain
   FROM found
  WHERE (found.chain IS NOT NULL);

CREATE TABLE public.audit_chain_end (
    chain integer NOT NULL,
    "position" bigint NOT NULL,
    digest bytea NOT NULL,
    recorded_at timestamp with time zone NOT NULL
)
WITH (fillfactor='20');

CREATE TABLE public.audit_export (
    until timestamp with time zone NOT NULL,
    sha256 text NOT NULL COLLATE pg_catalog."C",
    ends jsonb NOT NULL,
    exported_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.audit_record_later (
    chain integer NOT NULL,
    "position" bigint NOT NULL,
    digest bytea NOT NULL,
    entry text NOT NULL,
    recorded_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
ALTER TABLE ONLY public.audit_record_later ALTER COLUMN entry SET STORAGE EXTERNAL;

CREATE TABLE public.audit_removal (
    kind text NOT NULL COLLATE pg_catalog."C",
    until timestamp with time zone NOT NULL,
    ends jsonb NOT NULL,
    CONSTRAINT audit_removal_kind_check CHECK ((kind = ANY (ARRAY['records'::text, 'feed accesses'::text])))
);

CREATE TABLE public.audit_verification (
    single boolean DEFAULT true NOT NULL,
    at timestamp with time zone NOT NULL,
    records bigint NOT NULL,
    breaks integer NOT NULL,
    records_only boolean NOT NULL,
    CONSTRAINT audit_verification_single_check CHECK (single)
);

CREATE TABLE public.client (
    organisation_id integer NOT NULL,
    client_id text NOT NULL COLLATE pg_catalog."C",
    scopes text[],
    certificates text[] DEFAULT '{}'::text[] NOT NULL,
    keys jsonb DEFAULT '[]'::jsonb NOT NULL,
    blocked boolean DEFAULT false NOT NULL
);

CREATE TABLE public.code_list_import (
    code_list text NOT NULL COLLATE pg_catalog."C",
    imported_at timestamp with time zone NOT NULL,
    entries integer NOT NULL
);

CREATE TABLE public.consignment_event (
    chain integer NOT NULL,
    "position" bigint NOT NULL,
    index integer NOT NULL,
    house_consignment_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    entry text NOT NULL,
    recorded_at timestamp with time zone DEFAULT public.audit_time() NOT NULL
)
PARTITION BY RANGE (recorded_at);

CREATE TABLE public.consignment_event_later (
    chain integer NOT NULL,
    "position" bigint NOT NULL,
    index integer NOT NULL,
    house_consignment_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    entry text NOT NULL,
    recorded_at timestamp with time zone DEFAULT public.audit_time() NOT NULL
);

CREATE TABLE public.console_logout (
    token_id text NOT NULL COLLATE pg_catalog."C",
    ends_at timestamp with time zone NOT NULL
);

CREATE TABLE public.console_session (
    digest bytea NOT NULL,
    subject text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    organisation text NOT NULL COLLATE pg_catalog."C",
    role text,
    scopes text[] NOT NULL,
    assignments json NOT NULL,
    provider_session text COLLATE pg_catalog."C",
    sealed_tokens bytea,
    started_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    confirmed_at timestamp with time zone,
    confirm_after timestamp with time zone,
    confirming_until timestamp with time zone
);

CREATE TABLE public.customs_office (
    reference_number text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    valid_from date,
    valid_to date
);

CREATE TABLE public.detached_partition (
    partition oid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    parent text NOT NULL COLLATE pg_catalog."C",
    until timestamp with time zone NOT NULL
);

CREATE TABLE public.entry_summary_declaration (
    id integer NOT NULL,
    mrn text NOT NULL COLLATE pg_catalog."C",
    customs_office_of_first_entry text NOT NULL,
    declarant integer NOT NULL,
    representative integer,
    estimated_time_of_arrival timestamp with time zone,
    transport_means_number text,
    transport_means_type text,
    carrier integer,
    presenters integer[]
);

ALTER TABLE public.entry_summary_declaration ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.entry_summary_declaration_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.feed_access (
    chain integer NOT NULL,
    "position" bigint NOT NULL,
    index integer NOT NULL,
    kind integer NOT NULL,
    owner integer NOT NULL,
    client_id text NOT NULL,
    first_position bigint NOT NULL,
    last_position bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    recorded_at timestamp with time zone DEFAULT public.audit_time() NOT NULL
)
PARTITION BY RANGE (recorded_at);

CREATE TABLE public.feed_access_later (
    chain integer NOT NULL,
    "position" bigint NOT NULL,
    index integer NOT NULL,
    kind integer NOT NULL,
    owner integer NOT NULL,
    client_id text NOT NULL,
    first_position bigint NOT NULL,
    last_position bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    recorded_at timestamp with time zone DEFAULT public.audit_time() NOT NULL
);

CREATE TABLE public.feed_state (
    kind integer NOT NULL,
    owner integer NOT NULL,
    "position" bigint NOT NULL,
    removed_position bigint DEFAULT 0 NOT NULL,
    removed_id uuid
)
WITH (fillfactor='50');

CREATE TABLE public.goods_item (
    declaration text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL,
    "position" bigint NOT NULL,
    topic text NOT NULL,
    entry text
);

CREATE TABLE public.goods_item_event (
    owner integer NOT NULL,
    "position" bigint NOT NULL,
    id uuid NOT NULL,
    declaration text COLLATE pg_catalog."C",
    number bigint,
    topic text NOT NULL,
    published_at timestamp with time zone NOT NULL,
    entry text NOT NULL
);

CREATE TABLE public.goods_item_expired (
    owner integer NOT NULL,
    "position" bigint NOT NULL,
    id uuid NOT NULL,
    declaration text COLLATE pg_catalog."C",
    number bigint,
    topic text NOT NULL,
    digest bytea NOT NULL
);

CREATE TABLE public.house_consignment (
    id uuid NOT NULL,
    ens_id integer NOT NULL,
    document_number text NOT NULL COLLATE pg_catalog."C",
    document_type text NOT NULL COLLATE pg_catalog."C",
    master_document_number text COLLATE pg_catalog."C",
    master_document_type text COLLATE pg_catalog."C",
    receptacle_id text COLLATE pg_catalog."C",
    signal_head text NOT NULL,
    routing text,
    routing_control_location text,
    registration bigint,
    registered_routing text,
    registered_control_location text,
    subheadings text[],
    CONSTRAINT house_consignment_registered_control_location_check CHECK ((registered_control_location = ANY (ARRAY['ON_ENTRY'::text, 'AFTER_ENTRY'::text]))),
    CONSTRAINT house_consignment_registered_routing_check CHECK ((registered_routing = ANY (ARRAY['TO_CONTROL'::text, 'TO_ENTRY'::text]))),
    CONSTRAINT house_consignment_routing_check CHECK ((routing = ANY (ARRAY['TO_CONTROL'::text, 'TO_ENTRY'::text]))),
    CONSTRAINT house_consignment_routing_control_location_check CHECK ((routing_control_location = ANY (ARRAY['ON_ENTRY'::text, 'AFTER_ENTRY'::text])))
);

CREATE TABLE public.house_consignment_container (
    container_id text NOT NULL COLLATE pg_catalog."C",
    house_consignment_id uuid NOT NULL,
    ens_id integer NOT NULL
);

CREATE TABLE public.issued_signal (
    house_consignment_id uuid NOT NULL,
    owner integer NOT NULL,
    "position" bigint NOT NULL,
    decision integer NOT NULL
);

CREATE TABLE public.level_presentation (
    ens_id integer NOT NULL,
    presenter integer NOT NULL,
    request_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    level text NOT NULL,
    reference text NOT NULL,
    document_type text
);

CREATE TABLE public.migration (
    name text NOT NULL COLLATE pg_catalog."C",
    digest text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL,
    oldest_version text COLLATE pg_catalog."C"
);

CREATE TABLE public.migration_progress (
    name text NOT NULL COLLATE pg_catalog."C",
    "position" text NOT NULL,
    rows bigint NOT NULL
);

CREATE TABLE public.organisation (
    id integer NOT NULL,
    identifier text NOT NULL COLLATE pg_catalog."C",
    name text DEFAULT ''::text NOT NULL,
    kind text DEFAULT 'domestic'::text NOT NULL,
    blocked boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT organisation_kind_check CHECK ((kind = ANY (ARRAY['domestic'::text, 'foreign'::text])))
);

ALTER TABLE public.organisation ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.organisation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.organisation_scope (
    organisation_id integer NOT NULL,
    scope text NOT NULL COLLATE pg_catalog."C",
    granted_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.primary_history (
    timeline text NOT NULL COLLATE pg_catalog."C",
    token uuid DEFAULT gen_random_uuid() NOT NULL
);

CREATE TABLE public.registration (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    organisation_id integer,
    client_id text,
    request_id uuid NOT NULL
);

ALTER TABLE public.registration ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.registration_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.relay_position (
    stream text NOT NULL COLLATE pg_catalog."C",
    owner integer NOT NULL,
    "position" bigint NOT NULL,
    sequence bigint NOT NULL
);

CREATE TABLE public.removal_time (
    is_only boolean DEFAULT true NOT NULL,
    "time" timestamp with time zone NOT NULL,
    read_at timestamp with time zone NOT NULL,
    CONSTRAINT removal_time_is_only_check CHECK (is_only)
);

CREATE TABLE public.removed_client (
    organisation_id integer NOT NULL,
    client_id text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE public.removed_status_ens (
    ens_id integer NOT NULL,
    owner integer NOT NULL
);

CREATE TABLE public.routing_decision (
    house_consignment_id uuid NOT NULL,
    number integer NOT NULL,
    decided_at timestamp with time zone NOT NULL,
    routing text NOT NULL,
    routing_control_location text,
    reason text,
    organisation_id integer,
    client_id text,
    request_id text NOT NULL,
    profile text,
    profile_version integer,
    profile_rule integer,
    CONSTRAINT routing_decision_routing_check CHECK ((routing = ANY (ARRAY['TO_CONTROL'::text, 'TO_ENTRY'::text]))),
    CONSTRAINT routing_decision_routing_control_location_check CHECK ((routing_control_location = ANY (ARRAY['ON_ENTRY'::text, 'AFTER_ENTRY'::text])))
);

CREATE TABLE public.routing_profile (
    name text NOT NULL COLLATE pg_catalog."C",
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    profile text NOT NULL,
    live_since timestamp with time zone
);

CREATE TABLE public.routing_signal (
    owner integer NOT NULL,
    "position" bigint NOT NULL,
    id uuid NOT NULL,
    entry text NOT NULL
);

CREATE TABLE public.server_figures (
    at timestamp with time zone NOT NULL,
    server text NOT NULL COLLATE pg_catalog."C",
    started_at timestamp with time zone NOT NULL,
    version text NOT NULL,
    is_stopped boolean NOT NULL,
    figures jsonb NOT NULL,
    callers jsonb NOT NULL
);

CREATE TABLE public.signal_recipient (
    house_consignment_id uuid NOT NULL,
    organisation_id integer NOT NULL,
    presenter integer NOT NULL,
    request_id uuid NOT NULL,
    signal_position bigint,
    first_presented_at timestamp with time zone,
    office text COLLATE pg_catalog."C",
    awaits_decision boolean
);

CREATE TABLE public.used_grant (
    client_id text NOT NULL COLLATE pg_catalog."C",
    jti text NOT NULL COLLATE pg_catalog."C",
    ends_at timestamp with time zone NOT NULL
);

CREATE TABLE public.validation_status (
    owner integer NOT NULL,
    "position" bigint NOT NULL,
    id uuid NOT NULL,
    failed boolean NOT NULL,
    ens_id integer,
    entry text NOT NULL
);

CREATE TABLE public.validation_status_ens (
    owner integer NOT NULL,
    ens_id integer NOT NULL,
    "position" bigint NOT NULL
);

ALTER TABLE ONLY public.audit_record ATTACH PARTITION public.audit_record_later FOR VALUES FROM (MINVALUE) TO (MAXVALUE);

ALTER TABLE ONLY public.consignment_event ATTACH PARTITION public.consignment_event_later FOR VALUES FROM (MINVALUE) TO (MAXVALUE);

ALTER TABLE ONLY public.feed_access ATTACH PARTITION public.feed_access_later FOR VALUES FROM (MINVALUE) TO (MAXVALUE);

ALTER TABLE ONLY public.audit_chain_end
    ADD CONSTRAINT audit_chain_end_pkey PRIMARY KEY (chain);

ALTER TABLE ONLY public.audit_export
    ADD CONSTRAINT audit_export_pkey PRIMARY KEY (until);

ALTER TABLE ONLY public.audit_record_later
    ADD CONSTRAINT audit_record_later_pkey PRIMARY KEY (chain, "position");

ALTER TABLE ONLY public.audit_removal
    ADD CONSTRAINT audit_removal_pkey PRIMARY KEY (kind);

ALTER TABLE ONLY public.audit_verification
    ADD CONSTRAINT audit_verification_pkey PRIMARY KEY (single);

ALTER TABLE ONLY public.client
    ADD CONSTRAINT client_pkey PRIMARY KEY (organisation_id, client_id);

ALTER TABLE ONLY public.code_list_import
    ADD CONSTRAINT code_list_import_pkey PRIMARY KEY (code_list);

ALTER TABLE ONLY public.consignment_event_later
    ADD CONSTRAINT consignment_event_later_pkey PRIMARY KEY (chain, "position", index);

ALTER TABLE ONLY public.console_logout
    ADD CONSTRAINT console_logout_pkey PRIMARY KEY (token_id);

ALTER TABLE ONLY public.console_session
    ADD CONSTRAINT console_session_pkey PRIMARY KEY (digest);

ALTER TABLE ONLY public.customs_office
    ADD CONSTRAINT customs_office_pkey PRIMARY KEY (reference_number);

ALTER TABLE ONLY public.detached_partition
    ADD CONSTRAINT detached_partition_pkey PRIMARY KEY (partition);

ALTER TABLE ONLY public.entry_summary_declaration
    ADD CONSTRAINT entry_summary_declaration_mrn_key UNIQUE (mrn);

ALTER TABLE ONLY public.entry_summary_declaration
    ADD CONSTRAINT entry_summary_declaration_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.feed_access_later
    ADD CONSTRAINT feed_access_later_pkey PRIMARY KEY (chain, "position", index);

ALTER TABLE ONLY public.feed_state
    ADD CONSTRAINT feed_state_pkey PRIMARY KEY (kind, owner);

ALTER TABLE ONLY public.goods_item_event
    ADD CONSTRAINT goods_item_event_pkey PRIMARY KEY (owner, "position");

ALTER TABLE ONLY public.goods_item_expired
    ADD CONSTRAINT goods_item_expired_pkey PRIMARY KEY (owner, id);

ALTER TABLE ONLY public.goods_item
    ADD CONSTRAINT goods_item_pkey PRIMARY KEY (declaration, number);

ALTER TABLE ONLY public.house_consignment_container
    ADD CONSTRAINT house_consignment_container_pkey PRIMARY KEY (container_id, house_consignment_id);

ALTER TABLE ONLY public.house_consignment
    ADD CONSTRAINT house_consignment_ens_id_document_number_document_type_key UNIQUE (ens_id, document_number, document_type);

ALTER TABLE ONLY public.house_consignment
    ADD CONSTRAINT house_consignment_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.issued_signal
    ADD CONSTRAINT issued_signal_pkey PRIMARY KEY (house_consignment_id, owner, "position");

ALTER TABLE ONLY public.level_presentation
    ADD CONSTRAINT level_presentation_pkey PRIMARY KEY (ens_id, presenter, request_id);

ALTER TABLE ONLY public.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.migration_progress
    ADD CONSTRAINT migration_progress_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.organisation
    ADD CONSTRAINT organisation_identifier_key UNIQUE (identifier);

ALTER TABLE ONLY public.organisation
    ADD CONSTRAINT organisation_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.organisation_scope
    ADD CONSTRAINT organisation_scope_pkey PRIMARY KEY (organisation_id, scope);

ALTER TABLE ONLY public.primary_history
    ADD CONSTRAINT primary_history_pkey PRIMARY KEY (timeline);

ALTER TABLE ONLY public.registration
    ADD CONSTRAINT registration_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.relay_position
    ADD CONSTRAINT relay_position_pkey PRIMARY KEY (stream, owner);

ALTER TABLE ONLY public.removal_time
    ADD CONSTRAINT removal_time_pkey PRIMARY KEY (is_only);

ALTER TABLE ONLY public.removed_client
    ADD CONSTRAINT removed_client_pkey PRIMARY KEY (organisation_id, client_id);

ALTER TABLE ONLY public.removed_status_ens
    ADD CONSTRAINT removed_status_ens_pkey PRIMARY KEY (ens_id, owner);

ALTER TABLE ONLY public.routing_decision
    ADD CONSTRAINT routing_decision_pkey PRIMARY KEY (house_consignment_id, number);

ALTER TABLE ONLY public.routing_profile
    ADD CONSTRAINT routing_profile_pkey PRIMARY KEY (name, version);

ALTER TABLE ONLY public.routing_signal
    ADD CONSTRAINT routing_signal_pkey PRIMARY KEY (owner, "position");

ALTER TABLE ONLY public.server_figures
    ADD CONSTRAINT server_figures_pkey PRIMARY KEY (at, server);

ALTER TABLE ONLY public.signal_recipient
    ADD CONSTRAINT signal_recipient_pkey PRIMARY KEY (house_consignment_id, organisation_id);

ALTER TABLE ONLY public.used_grant
    ADD CONSTRAINT used_grant_pkey PRIMARY KEY (client_id, jti);

ALTER TABLE ONLY public.validation_status_ens
    ADD CONSTRAINT validation_status_ens_pkey PRIMARY KEY (owner, ens_id, "position");

ALTER TABLE ONLY public.validation_status
    ADD CONSTRAINT validation_status_pkey PRIMARY KEY (owner, "position");

CREATE INDEX client_lower_id ON public.client USING btree (lower(client_id));

CREATE UNIQUE INDEX client_registered_id ON public.client USING btree (client_id) WHERE (lower(client_id) !~~ 'eidas-%'::text);

CREATE INDEX consignment_event_house ON public.consignment_event_later USING btree (house_consignment_id);

CREATE INDEX console_session_of_provider_session ON public.console_session USING btree (provider_session);

CREATE INDEX console_session_of_subject ON public.console_session USING btree (subject);

CREATE INDEX feed_access_feed ON public.feed_access_later USING btree (owner, kind, last_position);

CREATE UNIQUE INDEX goods_item_event_id ON public.goods_item_event USING btree (owner, id);

CREATE INDEX house_consignment_container_ens ON public.house_consignment_container USING btree (container_id, ens_id, house_consignment_id);

CREATE INDEX house_consignment_container_house ON public.house_consignment_container USING btree (house_consignment_id);

CREATE INDEX house_consignment_document ON public.house_consignment USING btree (document_number, document_type);

CREATE INDEX house_consignment_master_document ON public.house_consignment USING btree (master_document_number, ens_id, master_document_type) WHERE (master_document_number IS NOT NULL);

CREATE INDEX house_consignment_receptacle ON public.house_consignment USING btree (receptacle_id, ens_id) WHERE (receptacle_id IS NOT NULL);

CREATE INDEX house_consignment_registration ON public.house_consignment USING btree (registration);

CREATE INDEX removed_client_lower_id ON public.removed_client USING btree (lower(client_id));

CREATE UNIQUE INDEX routing_profile_live ON public.routing_profile USING btree ((true)) WHERE (live_since IS NOT NULL);

CREATE INDEX signal_recipient_awaits_decision ON public.signal_recipient USING btree (first_presented_at, house_consignment_id) INCLUDE (office) WHERE awaits_decision;

CREATE INDEX signal_recipient_first_presented_at ON public.signal_recipient USING btree (first_presented_at) INCLUDE (office, house_consignment_id) WHERE (first_presented_at IS NOT NULL);

CREATE INDEX used_grant_ends_at ON public.used_grant USING btree (ends_at);

CREATE INDEX validation_status_ens_id ON public.validation_status USING btree (owner, ens_id, "position") WHERE (ens_id IS NOT NULL);

CREATE INDEX validation_status_ens_position ON public.validation_status_ens USING btree (owner, "position");

CREATE INDEX validation_status_failed ON public.validation_status USING btree (owner, "position") WHERE failed;

CREATE UNIQUE INDEX validation_status_id ON public.validation_status USING btree (owner, id);

CREATE TRIGGER keep_declaration AFTER DELETE ON public.validation_status FOR EACH ROW WHEN (((old.ens_id IS NOT NULL) AND (NOT old.failed))) EXECUTE FUNCTION public.keep_declaration_of_status();

CREATE TRIGGER keep_declaration AFTER DELETE ON public.validation_status_ens FOR EACH ROW EXECUTE FUNCTION public.keep_declaration_of_status();

ALTER TABLE ONLY public.client
    ADD CONSTRAINT client_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisation(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.entry_summary_declaration
    ADD CONSTRAINT entry_summary_declaration_carrier_fkey FOREIGN KEY (carrier) REFERENCES public.organisation(id);

ALTER TABLE ONLY public.entry_summary_declaration
    ADD CONSTRAINT entry_summary_declaration_declarant_fkey FOREIGN KEY (declarant) REFERENCES public.organisation(id);

ALTER TABLE ONLY public.entry_summary_declaration
    ADD CONSTRAINT entry_summary_declaration_representative_fkey FOREIGN KEY (representative) REFERENCES public.organisation(id);

ALTER TABLE ONLY public.house_consignment_container
    ADD CONSTRAINT house_consignment_container_house_consignment_id_fkey FOREIGN KEY (house_consignment_id) REFERENCES public.house_consignment(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.house_consignment
    ADD CONSTRAINT house_consignment_ens_id_fkey FOREIGN KEY (ens_id) REFERENCES public.entry_summary_declaration(id);

ALTER TABLE ONLY public.organisation_scope
    ADD CONSTRAINT organisation_scope_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisation(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.registration
    ADD CONSTRAINT registration_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisation(id);

ALTER TABLE ONLY public.removed_client
    ADD CONSTRAINT removed_client_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisation(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.removed_status_ens
    ADD CONSTRAINT removed_status_ens_ens_id_fkey FOREIGN KEY (ens_id) REFERENCES public.entry_summary_declaration(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.routing_decision
    ADD CONSTRAINT routing_decision_house_consignment_id_fkey FOREIGN KEY (house_consignment_id) REFERENCES public.house_consignment(id) ON DELETE CASCADE;
