-- What goods are.

-- Subheadings of the Harmonized System, in the order told; null where none was. They are read by routing profiles and
-- whoever asks for the house consignment, never by presenting, so they come last in the row.
alter table house_consignment add column subheadings text[];
