-- locks: console_logout, for a moment
--
-- A logout that the provider reports while somebody signs in ends the session that comes of it, so it is remembered with
-- whom it concerns. Servers of the previous release record the token alone.
alter table console_logout
  add column subject text collate "C",
  add column provider_session text collate "C",
  add column received_at timestamptz;
