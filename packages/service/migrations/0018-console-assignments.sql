-- locks: nothing that lasts: signs everybody out of the console once
--
-- What a person may act as, of which a session uses one; when the provider has confirmed it; and what the back-channel
-- logout of the provider needs. The provider's tokens are encrypted with a key that follows from the cookie. The table
-- is made anew, because a session of before has none of this.
drop table console_session;

create table console_session (
  digest bytea primary key,
  subject text collate "C" not null,
  name text not null,
  organisation text collate "C" not null,
  role text,
  scopes text[] not null,
  assignments json not null,
  provider_session text collate "C",
  sealed_tokens bytea,
  started_at timestamptz not null,
  used_at timestamptz not null,
  ends_at timestamptz not null,
  confirmed_at timestamptz,
  confirm_after timestamptz
);

create index console_session_of_subject on console_session (subject);
create index console_session_of_provider_session on console_session (provider_session);

-- Logout tokens of the provider that were received, so that none has an effect twice.
create table console_logout (
  token_id text collate "C" primary key,
  ends_at timestamptz not null
);
