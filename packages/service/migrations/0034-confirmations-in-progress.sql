-- locks: console_session, for a moment
--
-- Until when a server may be confirming the rights of a session: a role that is chosen meanwhile waits for the result,
-- because the provider's tokens may change.
alter table console_session add column confirming_until timestamptz;
