-- locks: customs_office, for a moment
--
-- The list of places (CL144, UN/LOCODE), which is imported as a whole. The codes that have their first three characters in
-- common are one row, so that the record of an import has some thousand digests, and not one for each of 116,000 codes.
-- The keys are those of the names (`identifier_key`): to make them for each search takes seconds.
create table unlo_code_group (
  prefix text collate "C" primary key,
  -- Sorted.
  codes text[] collate "C" not null,
  -- Of each code, and the key of each name; empty if it has none.
  names text[] not null,
  name_keys text[] not null
);
select audit_table('unlo_code_group', '{prefix}', '{}');

-- The same of customs offices. Servers of the previous release do not write it: then it is made for the search.
alter table customs_office add name_key text;
select audit_table('customs_office', '{reference_number}', '{}');
