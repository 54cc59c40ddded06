-- concurrently
-- locks: nothing while it is built; house_consignment can be read and written
--
-- A document is one house consignment of its declaration. It is built before there are keys, so that it finds none twice.
create unique index concurrently house_consignment_key on house_consignment (document_key, document_type, ens_id, only_spelling) nulls not distinct where document_key is not null;
