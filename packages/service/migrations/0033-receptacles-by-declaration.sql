-- concurrently
-- locks: nothing; reads all of house_consignment once
--
-- The declarations that a receptacle leads to, found without reading their goods.
create index concurrently house_consignment_receptacle_ens on house_consignment (receptacle_id, ens_id) where receptacle_id is not null;
