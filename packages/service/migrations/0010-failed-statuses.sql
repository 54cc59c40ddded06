-- The failed requests of an organisation are read without scanning the others: few fail, so the index is small and
-- costs a successful presentation nothing.
create index validation_status_failed on validation_status (owner, position) where failed;
