-- concurrently
-- locks: nothing; reads all of signal_recipient once
--
-- Presented goods that wait for a decision, the oldest first. Goods leave it when they are decided, so it is small.
create index concurrently signal_recipient_awaits_decision on signal_recipient (first_presented_at, house_consignment_id) include (office) where awaits_decision;
