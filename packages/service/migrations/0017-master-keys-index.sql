-- concurrently
-- locks: nothing while it is built; house_consignment can be read and written
--
-- The declarations that a master document leads to are found without reading their goods (decision 0146).
create index concurrently house_consignment_master_key on house_consignment (master_document_key, ens_id, master_document_type) where master_document_key is not null;
