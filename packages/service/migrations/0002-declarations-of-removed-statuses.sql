-- locks: writes to validation_status and validation_status_ens, for a moment
--
-- The declarations of statuses that retention has removed, so that a check of a release still knows which goods an
-- organisation may see (decision 0146). A trigger writes them, because servers of the previous release remove too.
create table removed_status_ens (
  ens_id integer not null references entry_summary_declaration (id) on delete cascade,
  owner integer not null,
  primary key (ens_id, owner)
);

create function keep_declaration_of_status() returns trigger language plpgsql as $$
begin
  insert into removed_status_ens (ens_id, owner)
  select e.id, old.owner from entry_summary_declaration e
  where e.id = old.ens_id
    and not exists (select from removed_status_ens r where r.ens_id = old.ens_id and r.owner = old.owner)
  -- One that is being deleted is left out instead of breaking the reference.
  for key share of e
  on conflict do nothing;
  return null;
end
$$;

create trigger keep_declaration after delete on validation_status
for each row when (old.ens_id is not null and not old.failed) execute function keep_declaration_of_status();

create trigger keep_declaration after delete on validation_status_ens
for each row execute function keep_declaration_of_status();
