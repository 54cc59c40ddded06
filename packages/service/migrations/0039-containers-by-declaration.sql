-- concurrently
-- locks: nothing; reads all of house_consignment_container once
--
-- The declarations that a container leads to, found without reading their goods.
create index concurrently house_consignment_container_ens on house_consignment_container (container_id, ens_id, house_consignment_id);
