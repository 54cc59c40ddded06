-- locks: reads and writes of signal_recipient for a moment, and writes of its rows until it is done: about a minute for a
-- million presented house consignments
--
-- When and where goods were presented for the first time, and whether they wait for a decision since then. Each presented
-- house consignment has it once: in the row of its declarant, which the first presentation adds, and which alone has it.

alter table signal_recipient
  add column first_presented_at timestamptz,
  -- The customs office of presentation.
  add column office text collate "C",
  add column awaits_decision boolean;

update signal_recipient s
set first_presented_at = (presentation.status ->> 'notificationDate')::timestamptz,
  office = presentation.status ->> 'customsOfficeOfPresentation',
  awaits_decision = nullif(presentation.undecided, false)
from (
  select c.house_consignment_id as house, c.organisation_id as organisation, h.routing is null as undecided, (
      select entry from validation_status v where v.owner = c.presenter and v.id = c.request_id limit 1
    )::json as status
  from signal_recipient c
  join house_consignment h on h.id = c.house_consignment_id
  join entry_summary_declaration e on e.id = h.ens_id
  where c.organisation_id = e.declarant
) presentation
where s.house_consignment_id = presentation.house and s.organisation_id = presentation.organisation;
