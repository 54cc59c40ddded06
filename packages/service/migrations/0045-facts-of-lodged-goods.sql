-- locks: movement, for a moment
--
-- What routing profiles ask of goods that were lodged. Movement messages are new in this release: none was lodged before.
alter table movement
  -- Of a house consignment: its procedures, and the country of its consignor.
  add import_procedure text collate "C",
  add outgoing_procedure text collate "C",
  add consignor_country text collate "C";

select audit_table('movement', '{declaration_id}', '{}');
