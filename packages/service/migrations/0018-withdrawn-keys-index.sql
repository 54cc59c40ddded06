-- concurrently
-- locks: nothing while it is built; withdrawn_house_consignment can be read and written
--
-- Withdrawn goods are found by their document, and return when it is listed again in any spelling.
create index concurrently withdrawn_house_consignment_key on withdrawn_house_consignment (document_key, document_type, ens_id);
