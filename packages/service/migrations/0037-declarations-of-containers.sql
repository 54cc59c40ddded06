-- locks: house_consignment_container, for a moment
--
-- The declaration of the goods in a container, so that what a container leads to is judged before its goods are read.
alter table house_consignment_container add column ens_id integer;

-- Servers of the previous release insert rows without it.
create function set_declaration_of_container() returns trigger language plpgsql as $$
begin
  select h.ens_id into new.ens_id from house_consignment h where h.id = new.house_consignment_id;
  return new;
end
$$;

create trigger set_declaration before insert on house_consignment_container
for each row when (new.ens_id is null) execute function set_declaration_of_container();
