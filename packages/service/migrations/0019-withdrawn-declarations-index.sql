-- concurrently
-- locks: nothing while it is built; withdrawn_house_consignment can be read and written
--
-- Retention removes a declaration with its withdrawn goods.
create index concurrently withdrawn_house_consignment_ens on withdrawn_house_consignment (ens_id);
