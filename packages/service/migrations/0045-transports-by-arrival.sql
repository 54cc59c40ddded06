-- locks: movement, for a moment
--
-- The authority lists transports by their estimated arrival. Movement messages are new in this release: none was lodged before.
alter table movement
  -- Of a transport: the office of first entry that it names.
  add office text collate "C";

create index movement_estimated on movement (estimated_at, declaration_id) where level = 'TRANSPORT';
create index movement_office on movement (coalesce(arrival_office, office), estimated_at, declaration_id)
  where level = 'TRANSPORT';
create index movement_means_estimated on movement (means, estimated_at, declaration_id) where level = 'TRANSPORT';

select audit_table('movement', '{declaration_id}', '{}');
