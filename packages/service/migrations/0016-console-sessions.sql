-- locks: nothing
--
-- Sessions of people who signed in to the console, readable by every server. What the cookie contains is not here: only
-- its digest.
create table console_session (
  digest bytea primary key,
  subject text collate "C" not null,
  name text not null,
  organisation text collate "C" not null,
  scopes text[] not null,
  id_token text,
  used_at timestamptz not null,
  ends_at timestamptz not null
);

create index console_session_of_subject on console_session (organisation, subject);
