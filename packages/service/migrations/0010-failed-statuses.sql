-- concurrently
-- locks: nothing; reads all of validation_status once
--
-- The failed requests of an organisation are read without scanning the others: few fail, so the index is small and
-- costs a successful presentation nothing.
create index concurrently validation_status_failed on validation_status (owner, position) where failed;
