-- concurrently
-- locks: nothing; reads all of house_consignment once
--
-- Which house consignments a registration has: one that has none left is removed. A registration has many, and all of them
-- have one entry, so the index is small.
create index concurrently house_consignment_registration on house_consignment (registration);
