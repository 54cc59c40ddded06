-- Keys are compared byte by byte, whatever language the database was made for. A language's rules make each look-up
-- dearer, and they change with the operating system's libraries, which leaves an index unsorted that was sorted before.

alter table client alter client_id type text collate "C";
alter table code_list_import alter code_list type text collate "C";
alter table customs_office alter reference_number type text collate "C";
alter table entry_summary_declaration alter mrn type text collate "C";
alter table goods_item_relay alter stream type text collate "C";
alter table house_consignment
  alter document_number type text collate "C",
  alter document_type type text collate "C",
  alter master_document_number type text collate "C",
  alter master_document_type type text collate "C",
  alter receptacle_id type text collate "C";
alter table house_consignment_container alter container_id type text collate "C";
alter table organisation alter identifier type text collate "C";
alter table organisation_scope alter scope type text collate "C";
alter table routing_profile alter name type text collate "C";
alter table used_grant
  alter client_id type text collate "C",
  alter jti type text collate "C";
