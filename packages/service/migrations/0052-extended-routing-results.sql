-- locks: routing_decision, house_consignment, withdrawn_house_consignment, routing_run, routing_run_result, for a moment
--
-- Decisions and signals may have two more results, where an installation switches them on (LANDFALL_ROUTING_RESULTS). What is
-- there keeps the narrower rule, so nothing is read again.
alter table routing_decision drop constraint routing_decision_routing_check,
  add constraint routing_decision_routing_check
    check (routing in ('TO_CONTROL', 'TO_ENTRY', 'ENTRY_PENDING', 'ENTRY_DENIED', 'UNDECIDED')) not valid;
alter table house_consignment drop constraint house_consignment_routing_check,
  add constraint house_consignment_routing_check
    check (routing in ('TO_CONTROL', 'TO_ENTRY', 'ENTRY_PENDING', 'ENTRY_DENIED')) not valid;
alter table withdrawn_house_consignment drop constraint withdrawn_house_consignment_routing_check,
  add constraint withdrawn_house_consignment_routing_check
    check (routing in ('TO_CONTROL', 'TO_ENTRY', 'ENTRY_PENDING', 'ENTRY_DENIED')) not valid;
alter table routing_run drop constraint routing_run_routing_check,
  add constraint routing_run_routing_check
    check (routing in ('TO_CONTROL', 'TO_ENTRY', 'ENTRY_PENDING', 'ENTRY_DENIED', 'UNDECIDED')) not valid;
alter table routing_run_result drop constraint routing_run_result_routing_check,
  add constraint routing_run_result_routing_check
    check (routing in ('TO_CONTROL', 'TO_ENTRY', 'ENTRY_PENDING', 'ENTRY_DENIED', 'UNDECIDED')) not valid;
