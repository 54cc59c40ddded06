-- The SQL of packages/service/src/console/. Generated: change the sources, then npm run generate.

-- begin-console-confirmation
-- packages/service/src/console/session-queries.ts
update console_session set confirm_after = $3, confirming_until = $4
where digest = $1 and confirm_after <= $2
returning sealed_tokens as "sealedTokens";

-- delete-all-console-sessions
-- packages/service/src/console/session-queries.ts
delete from console_session;

-- delete-console-session
-- packages/service/src/console/session-queries.ts
delete from console_session where digest = $1;

-- delete-console-session-of
-- packages/service/src/console/session-queries.ts
delete from console_session where digest = any($1::bytea[]);

-- delete-console-sessions-of-provider-session
-- packages/service/src/console/session-queries.ts
with locked as materialized (
  select digest from console_session where provider_session = $1 and ($2::text is null or subject = $2)
  order by digest for update
)
delete from console_session where digest in (select digest from locked) returning digest;

-- delete-console-sessions-of-subject
-- packages/service/src/console/session-queries.ts
with locked as materialized (
  select digest from console_session where subject = $1 order by digest for update
)
delete from console_session where digest in (select digest from locked) returning digest;

-- delete-ended-console-logouts
-- packages/service/src/console/session-queries.ts
delete from console_logout where token_id in (
  select token_id from console_logout where ends_at <= $1 limit $2 for update skip locked
)
returning token_id;

-- delete-ended-console-sessions
-- packages/service/src/console/session-queries.ts
delete from console_session where digest in (
  select digest from console_session where ends_at <= $1 or used_at <= $2 limit $3 for update skip locked
)
returning digest;

-- delete-oldest-console-sessions
-- packages/service/src/console/session-queries.ts
with oldest as (
  select digest from console_session where subject = $1 order by started_at desc, digest offset $2
),
locked as materialized (
  select digest from console_session where digest in (select digest from oldest) order by digest for update
)
delete from console_session where digest in (select digest from locked);

-- end-console-confirmation
-- packages/service/src/console/session-queries.ts
update console_session set confirming_until = null where digest = $1;

-- insert-console-logout
-- packages/service/src/console/session-queries.ts
insert into console_logout (token_id, ends_at, subject, provider_session, received_at)
select $1, greatest($2::timestamptz, now + $5::integer * interval '1 ms'), $3, $4, now
from (select date_trunc('milliseconds', clock_timestamp()) as now) clock
on conflict do nothing
returning token_id;

-- insert-console-session
-- packages/service/src/console/session-queries.ts
insert into console_session (
  digest, subject, name, organisation, role, scopes, assignments, provider_session, sealed_tokens,
  started_at, used_at, ends_at, confirmed_at, confirm_after
) values (
  $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11, case when $12::timestamptz is not null then $10::timestamptz end, $12
);

-- lock-console-session
-- packages/service/src/console/session-queries.ts
select sealed_tokens as "sealedTokens", assignments, coalesce(confirming_until > $2, false) as "isConfirming"
from console_session where digest = $1 and ends_at > $2
for update;

-- lock-console-sign-in
-- packages/service/src/console/session-queries.ts
select pg_advisory_xact_lock(6, $1::integer);

-- reassign-console-session
-- packages/service/src/console/session-queries.ts
update console_session
set digest = $2, sealed_tokens = $3, organisation = $4, role = $5, scopes = $6, used_at = $7
where digest = $1;

-- select-console-logout-since
-- packages/service/src/console/session-queries.ts
select is_too_late as "isTooLate"
from (select clock_timestamp() - $4::integer * interval '1 ms' >= $3::timestamptz as is_too_late) clock
where is_too_late or exists (
  select from console_logout
  where received_at > $3 and case
    when provider_session is null then subject = $1
    else provider_session = $2 and (subject is null or subject = $1)
  end
);

-- select-console-session-of
-- packages/service/src/console/session-queries.ts
select digest, subject, name, organisation, role, scopes, assignments, provider_session as "providerSession",
  sealed_tokens as "sealedTokens", ends_at as "endsAt", confirmed_at as "confirmedAt",
  confirm_after as "confirmAfter"
from console_session
where digest = any($1::bytea[]) and ends_at > $2 and used_at > $3;

-- select-console-sign-in-time
-- packages/service/src/console/session-queries.ts
select date_trunc('milliseconds', clock_timestamp()) as now;

-- select-current-console-session
-- packages/service/src/console/session-queries.ts
select confirmed_at as "confirmedAt", confirm_after as "confirmAfter" from console_session
where digest = $1 and ends_at > $2 and used_at > $3;

-- store-console-confirmation
-- packages/service/src/console/session-queries.ts
update console_session
set scopes = $2, assignments = $3, sealed_tokens = $4, ends_at = least(ends_at, $6),
  confirmed_at = case when $7::timestamptz is not null then $5::timestamptz end, confirm_after = $7,
  confirming_until = null
where digest = $1;

-- use-console-session
-- packages/service/src/console/session-queries.ts
with used as (
  update console_session set used_at = $2
  where digest = $1 and ends_at > $2 and used_at > $3 and used_at <= $4
)
select subject, name, organisation, role, scopes, assignments, provider_session as "providerSession",
  sealed_tokens as "sealedTokens", ends_at as "endsAt", confirmed_at as "confirmedAt",
  confirm_after as "confirmAfter"
from console_session
where digest = $1 and ends_at > $2 and used_at > $3;
