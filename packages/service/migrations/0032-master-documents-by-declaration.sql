-- concurrently
-- locks: nothing; reads all of house_consignment once
--
-- The declarations that a master document leads to, found without reading their goods.
create index concurrently house_consignment_master_document_ens on house_consignment (master_document_number, ens_id, master_document_type) where master_document_number is not null;
