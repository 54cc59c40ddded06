-- locks: nothing
--
-- Subscriptions: feeds that are sent to receivers. What somebody has subscribed to is apart from how far it is, because the
-- latter changes with each delivery, and the audit trail covers the former.
create table push_subscription (
  id uuid primary key,
  organisation_id integer not null,
  -- For whose access it is sent: whoever has created it, or has changed its address or resumed it last.
  client_id text not null collate "C",
  -- The feed.
  kind integer not null,
  owner integer not null,
  url text not null collate "C",
  signature text not null collate "C" check (signature in ('v1', 'v1a')),
  created_at timestamptz not null
);
create index push_subscription_organisation on push_subscription (organisation_id, id);
create index push_subscription_feed on push_subscription (kind, owner);
select audit_table('push_subscription', '{id}', '{}');

create table push_progress (
  subscription_id uuid primary key references push_subscription on delete cascade,
  state text not null collate "C" check (state in ('VERIFYING', 'ACTIVE', 'PAUSED', 'SUSPENDED')),
  reason text collate "C",
  changed_at timestamptz not null,
  -- Which of its addresses it has now. It is here too, so that what became of an attempt is compared under the lock of this row.
  address integer not null default 1,
  -- Whether the receiver at this address has repeated a challenge.
  is_verified boolean not null,
  -- The last entry that was confirmed: it, or the one after which deliveries begin. Null if there is none before the next.
  position bigint not null,
  marker uuid,
  confirmed_at timestamptz,
  -- The delivery that has begun and is not confirmed: its last entry, and when it was made. It is repeated as it is.
  sent_to bigint,
  sent_at timestamptz,
  failing_since timestamptz,
  failures integer not null,
  next_attempt_at timestamptz not null,
  -- How many attempts there were.
  attempts bigint not null,
  -- The one server that sends, and until when nobody else does.
  sender uuid,
  leased_until timestamptz not null
);
create index push_progress_due on push_progress (next_attempt_at) where state in ('VERIFYING', 'ACTIVE');

-- Of each subscription the newest one signs first; those before it sign until they retire.
create table push_secret (
  subscription_id uuid not null references push_subscription on delete cascade,
  number integer not null,
  key bytea not null,
  retires_at timestamptz,
  primary key (subscription_id, number)
);

create table push_attempt (
  subscription_id uuid not null references push_subscription on delete cascade,
  number bigint not null,
  at timestamptz not null,
  kind text not null collate "C",
  webhook_id text not null collate "C",
  entries integer not null,
  marker uuid,
  outcome text not null collate "C",
  status integer,
  duration_ms integer not null,
  primary key (subscription_id, number)
);

-- Whether something that lasts may still be done for a client of an organisation, by the rules of tokens: neither is blocked, the
-- client is not removed, and one of the scopes is granted. The subject of a person is no client of an organisation.
create function may_still_act(organisation integer, client text, scopes text[]) returns boolean language sql stable as $$
  select exists (
    select from organisation o
    where o.id = $1 and not o.blocked
      and exists (select from organisation_scope s where s.organisation_id = o.id and s.scope = any ($3))
      and not exists (
        select from client c join organisation p on p.id = c.organisation_id
        where lower(c.client_id) = lower($2) and (c.blocked or p.blocked)
          and (p.id = o.id or lower($2) not like 'eidas-%'))
      -- A client may have fewer scopes than its organisation.
      and not exists (
        select from client c
        where c.organisation_id = o.id and lower(c.client_id) = lower($2)
          and c.scopes is not null and not c.scopes && $3)
      and not exists (
        select from removed_client c where lower(c.client_id) = lower($2) and c.organisation_id = o.id)
  )
$$;
