-- The SQL of packages/service/src/push/. Generated: change the sources, then npm run generate.

-- count-subscriptions
-- packages/service/src/push/queries.ts
select count(*)::integer as count from push_subscription where organisation_id = $1;

-- insert-subscription
-- packages/service/src/push/queries.ts
with stored as (
  insert into push_subscription (id, organisation_id, client_id, kind, owner, url, signature, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, record_time($8::timestamptz))
  returning id, created_at
),
progress as (
  insert into push_progress (subscription_id, state, changed_at, is_verified, position, marker, failures,
    next_attempt_at, attempts, leased_until)
  select id, 'VERIFYING', created_at, false, $9, $10, 0, now(), 0, '-infinity' from stored
)
insert into push_secret (subscription_id, number, key) select id, 1, $11 from stored;

-- insert-subscription-attempt
-- packages/service/src/push/queries.ts
with numbered as (
  update push_progress set attempts = attempts + 1 where subscription_id = $1 returning attempts as number
),
removed as (
  delete from push_attempt a using numbered n where a.subscription_id = $1 and a.number <= n.number - $9
),
stored as (
  insert into push_attempt as a
    (subscription_id, number, at, kind, webhook_id, entries, marker, outcome, status, duration_ms)
  select $1, number, date_trunc('milliseconds', clock_timestamp()), $2, $3, $4, $5, $6, $7, $8 from numbered
  returning *
)
select json_strip_nulls(json_build_object('number', a.number, 'at', api_time(a.at), 'kind', a.kind,
    'webhookId', a.webhook_id, 'entries', a.entries, 'marker', a.marker, 'outcome', a.outcome,
    'status', a.status, 'durationMs', a.duration_ms)) as attempt from stored a;

-- lock-subscription
-- packages/service/src/push/queries.ts
select s.id from push_subscription s join push_progress p on p.subscription_id = s.id
where s.id = $1 and s.organisation_id = $2 and s.kind = any ($3::integer[])
for no key update of p;

-- lock-subscriptions
-- packages/service/src/push/queries.ts
select true as locked from pg_advisory_xact_lock(10, $1);

-- push-claim
-- packages/service/src/push/sending-queries.ts
with free as (
  select p.subscription_id from push_progress p join push_subscription s on s.id = p.subscription_id
  where p.subscription_id = any ($2::uuid[]) and p.state in ('VERIFYING', 'ACTIVE') and p.next_attempt_at <= now() and p.leased_until <= now()
  and (p.state = 'VERIFYING' or p.position < (
    select f.position from feed_state f where f.kind = s.kind and f.owner = s.owner))
  for update of p skip locked
)
update push_progress p
set sender = $1::uuid, leased_until = now() + interval '25 s'
from free join push_subscription s on s.id = free.subscription_id
join organisation o on o.id = s.organisation_id
where p.subscription_id = free.subscription_id
returning s.id, p.address, s.organisation_id as "organisationId", o.identifier as organisation, s.client_id as "clientId",
  s.kind, s.owner, s.url, s.signature, p.state, p.position, p.marker, p.sent_to as "sentTo", p.failures,
  coalesce(extract(epoch from now() - p.failing_since), 0)::double precision as "failingForS",
  array(
    select key from push_secret k
    where k.subscription_id = s.id and (k.retires_at is null or k.retires_at > now())
    order by number desc
  ) as keys,
  coalesce((select f.position from feed_state f where f.kind = s.kind and f.owner = s.owner), 0) as "feedEnd",
  coalesce((select f.removed_position from feed_state f where f.kind = s.kind and f.owner = s.owner), 0)
    as "removedPosition",
  may_still_act(s.organisation_id, s.client_id, array(select scope from unnest($3::integer[], $4::text[]) with ordinality as needed (kind, scope, number) where needed.kind = s.kind)) as "isAllowed";

-- push-due
-- packages/service/src/push/sending-queries.ts
select id, "organisationId", url, "isUnproven"
from (
  select s.id, s.organisation_id as "organisationId", s.url, p.next_attempt_at,
    p.failures > 0 or p.confirmed_at is null as "isUnproven",
    row_number() over (
      partition by s.organisation_id order by p.failures > 0 or p.confirmed_at is null, p.next_attempt_at, s.id) as turn
  from unnest($1::integer[], $2::integer[]) with ordinality as wanted (kind, owner, number)
  join push_subscription s using (kind, owner)
  join push_progress p on p.subscription_id = s.id
  where p.state in ('VERIFYING', 'ACTIVE') and p.next_attempt_at <= now() and p.leased_until <= now()
  and (p.state = 'VERIFYING' or p.position < (
    select f.position from feed_state f where f.kind = s.kind and f.owner = s.owner))
) due
order by turn, next_attempt_at limit $3::integer;

-- push-feeds-with-due
-- packages/service/src/push/sending-queries.ts
select distinct s.kind, s.owner
from push_progress p join push_subscription s on s.id = p.subscription_id
where p.state in ('VERIFYING', 'ACTIVE') and p.next_attempt_at <= now() and p.leased_until <= now()
  and (p.state = 'VERIFYING' or p.position < (
    select f.position from feed_state f where f.kind = s.kind and f.owner = s.owner)) and (s.kind, s.owner) > ($1, $2)
order by s.kind, s.owner limit $3;

-- push-figures
-- packages/service/src/push/sending-queries.ts
select p.state, count(*)::integer as subscriptions, count(*) filter (where p.failures > 0)::integer as failing,
  coalesce(sum(greatest(coalesce(f.position, 0) - p.position, 0)), 0)::double precision as lag
from push_progress p
join push_subscription s on s.id = p.subscription_id
left join feed_state f on f.kind = s.kind and f.owner = s.owner
group by p.state;

-- push-release
-- packages/service/src/push/sending-queries.ts
update push_progress set leased_until = '-infinity' where sender = $1 and leased_until > now();

-- push-store-steps
-- packages/service/src/push/sending-queries.ts
with step as materialized (
  select step.*, s.kind,
    may_still_act(s.organisation_id, s.client_id, array(select scope from unnest($15::integer[], $16::text[]) with ordinality as needed (kind, scope, number) where needed.kind = s.kind)) as is_allowed
  from unnest($1::uuid[], $2::integer[], $3::bigint[], $4::uuid[], $5::boolean[], $6::double precision[], $7::bigint[], $8::text[], $9::text[], $10::integer[], $11::uuid[], $12::text[], $13::integer[], $14::integer[]) with ordinality as step (id, address, confirmed, confirmed_marker, is_verified, wait, begin_to, attempt_kind, webhook_id, entries, marker, outcome, status, duration, number) join push_subscription s on s.id = step.id
),
stored as (
  -- The address is compared under the lock: it may have changed since the statement began.
  update push_progress p
  set position = coalesce(i.confirmed, p.position),
    marker = case when i.confirmed is null then p.marker else i.confirmed_marker end,
    confirmed_at = case when i.confirmed is not null and i.outcome is not null
      then date_trunc('milliseconds', clock_timestamp()) else p.confirmed_at end,
    is_verified = p.is_verified or (i.is_verified and p.address = i.address),
    state = case when p.state = 'VERIFYING' and i.is_verified and p.address = i.address then 'ACTIVE' else p.state end,
    changed_at = case when p.state = 'VERIFYING' and i.is_verified and p.address = i.address
      then date_trunc('milliseconds', clock_timestamp()) else p.changed_at end,
    failing_since = case when p.address <> i.address then p.failing_since
      when i.wait is not null then coalesce(p.failing_since, date_trunc('milliseconds', clock_timestamp()))
      when i.outcome is not null then null else p.failing_since end,
    failures = case when p.address <> i.address then p.failures
      when i.wait is not null then p.failures + 1 when i.outcome is not null then 0 else p.failures end,
    next_attempt_at = case when i.wait is not null and p.address = i.address
      then now() + i.wait * interval '1 s' else p.next_attempt_at end,
    attempts = p.attempts + (i.outcome is not null)::integer,
    -- A delivery that has begun and failed is repeated as it is.
    sent_to = case when i.begin_to is not null then i.begin_to when i.confirmed is not null then null else p.sent_to end,
    sent_at = case when i.begin_to is null or i.begin_to is not distinct from p.sent_to and i.confirmed is null
      then p.sent_at else date_trunc('milliseconds', clock_timestamp()) end,
    leased_until = case when p.state = 'ACTIVE' and i.begin_to is not null and p.address = i.address and i.is_allowed
      then now() + interval '25 s' else '-infinity' end
  from step i
  where p.subscription_id = i.id and p.sender = $17::uuid
  returning p.subscription_id as id, p.attempts, p.sent_at, i.is_allowed, i.kind,
    p.leased_until > now() as begins
),
logged as (
  insert into push_attempt (subscription_id, number, at, kind, webhook_id, entries, marker, outcome, status, duration_ms)
  select i.id, stored.attempts, date_trunc('milliseconds', clock_timestamp()), i.attempt_kind, i.webhook_id, i.entries,
    i.marker, i.outcome, i.status, i.duration
  from step i join stored using (id) where i.outcome is not null
),
removed as (
  delete from push_attempt a using stored
  where a.subscription_id = stored.id and a.number <= stored.attempts - $18::integer
)
select id, begins, is_allowed as "isAllowed", sent_at as "sentAt" from stored;

-- remove-subscription
-- packages/service/src/push/queries.ts
delete from push_subscription where id = $1;

-- rotate-subscription-secret
-- packages/service/src/push/queries.ts
with removed as (
  delete from push_secret
  where subscription_id = $1 and number <= (select max(number) from push_secret where subscription_id = $1) - $5 + 1
),
retiring as (
  update push_secret set retires_at = now() + make_interval(hours => $3)
  where subscription_id = $1 and retires_at is null
),
changed as (
  update push_progress set changed_at = record_time($4::timestamptz) where subscription_id = $1
)
insert into push_secret (subscription_id, number, key)
select $1, max(number) + 1, $2 from push_secret where subscription_id = $1;

-- select-subscription
-- packages/service/src/push/queries.ts
select s.kind, s.signature, p.state, s.url, p.is_verified as "isVerified",
  array(
    select key from push_secret k
    where k.subscription_id = s.id and (k.retires_at is null or k.retires_at > now())
    order by number desc
  ) as keys,
  json_strip_nulls(json_build_object('id', s.id, 'url', s.url, 'signature', s.signature, 'state', p.state,
    'reason', p.reason, 'client', s.client_id, 'createdAt', api_time(s.created_at),
    'changedAt', api_time(p.changed_at), 'marker', p.marker,
    'pending', greatest(coalesce((
      select f.position from feed_state f where f.kind = s.kind and f.owner = s.owner), 0) - p.position, 0),
    'confirmedAt', api_time(p.confirmed_at), 'failingSince', api_time(p.failing_since),
    'failures', nullif(p.failures, 0),
    'nextAttemptAt', case when p.failures > 0 and p.state in ('VERIFYING', 'ACTIVE')
      then api_time(p.next_attempt_at) end)) as shown from push_subscription s join push_progress p on p.subscription_id = s.id
where s.id = $1 and s.organisation_id = $2 and s.kind = any ($3::integer[]);

-- select-subscription-attempts
-- packages/service/src/push/queries.ts
select number, json_strip_nulls(json_build_object('number', a.number, 'at', api_time(a.at), 'kind', a.kind,
    'webhookId', a.webhook_id, 'entries', a.entries, 'marker', a.marker, 'outcome', a.outcome,
    'status', a.status, 'durationMs', a.duration_ms))::text as body from push_attempt a
where subscription_id = $1 and ($2::bigint is null or number < $2) and ($3::text is null or outcome = $3)
order by number desc limit $4;

-- select-subscriptions
-- packages/service/src/push/queries.ts
select s.kind, s.signature, p.state, s.url, p.is_verified as "isVerified",
  array(
    select key from push_secret k
    where k.subscription_id = s.id and (k.retires_at is null or k.retires_at > now())
    order by number desc
  ) as keys,
  json_strip_nulls(json_build_object('id', s.id, 'url', s.url, 'signature', s.signature, 'state', p.state,
    'reason', p.reason, 'client', s.client_id, 'createdAt', api_time(s.created_at),
    'changedAt', api_time(p.changed_at), 'marker', p.marker,
    'pending', greatest(coalesce((
      select f.position from feed_state f where f.kind = s.kind and f.owner = s.owner), 0) - p.position, 0),
    'confirmedAt', api_time(p.confirmed_at), 'failingSince', api_time(p.failing_since),
    'failures', nullif(p.failures, 0),
    'nextAttemptAt', case when p.failures > 0 and p.state in ('VERIFYING', 'ACTIVE')
      then api_time(p.next_attempt_at) end)) as shown from push_subscription s join push_progress p on p.subscription_id = s.id
where s.organisation_id = $1 and s.kind = any ($2::integer[])
order by s.id;

-- suspend-subscription
-- packages/service/src/push/queries.ts
update push_progress p
set state = 'SUSPENDED', reason = $3, changed_at = date_trunc('milliseconds', clock_timestamp()), leased_until = '-infinity'
from push_subscription s
where p.subscription_id = $1 and s.id = $1 and p.address = $2 and p.state in ('VERIFYING', 'ACTIVE')
returning (select identifier from organisation o where o.id = s.organisation_id) as organisation;

-- update-subscription
-- packages/service/src/push/queries.ts
with changed as (
  update push_subscription set client_id = $2, url = $3 where id = $1
)
update push_progress p
set state = $4, reason = null, is_verified = $5, changed_at = record_time($6::timestamptz),
  failing_since = null, failures = 0, next_attempt_at = now(),
  address = p.address + (s.url <> $3)::integer
from (select url from push_subscription where id = $1) s
where p.subscription_id = $1;
