-- locks: nothing
--
-- The numbers by which messages name organisations: EORI and national numbers, in capitals and without blanks, as
-- `identifier_key` makes them. Each belongs to one organisation. Norwegian organisation numbers are not among them: they name
-- an organisation by its identifier.
create table organisation_number (
  number text collate "C" primary key,
  organisation_id integer not null references organisation on delete cascade
);
create index organisation_number_organisation on organisation_number (organisation_id);
select audit_table('organisation_number', '{number}', '{}');
