-- concurrently
-- locks: nothing; reads all of signal_recipient once
--
-- Presented goods by the time of their first presentation.
create index concurrently signal_recipient_first_presented_at on signal_recipient (first_presented_at) include (office, house_consignment_id) where first_presented_at is not null;
