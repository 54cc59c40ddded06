-- concurrently
-- locks: nothing; reads all of validation_status_ens once
--
-- The declarations of a status, for its removal.
create index concurrently validation_status_ens_position on validation_status_ens (owner, position);
