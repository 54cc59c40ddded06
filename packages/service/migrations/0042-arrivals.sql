-- locks: signal_recipient, for a moment
--
-- The arrival of transports. What a transport reaches when it arrives, and for 24 hours after that, is presented.
alter table signal_recipient
  -- In the declarant's row, beside the first presentation: the transport with which the goods arrived, and the master
  -- consignment by which it reached them.
  add transport integer,
  add master integer;

-- What the signals of goods say of the transport with which they arrived, after their signal head; null if they were
-- presented without one.
create function arrival_signal_of(house uuid) returns text language sql stable as $$
  select m.arrival_signal
  from signal_recipient c cross join lateral (select arrival_signal from movement where declaration_id = c.transport offset 0) m
  where c.house_consignment_id = house and c.transport is not null
$$;

-- The head of the signals of goods, with the transport with which they arrived: goods of an entry summary declaration have
-- theirs in the head.
create function arrived_signal_head(signal_head text, house uuid) returns text language sql stable as $$
  select signal_head
    || case when starts_with(signal_head, '{"houseConsignmentMRN"') then coalesce(arrival_signal_of(house), '') else '' end
$$;

select audit_table('signal_recipient', '{house_consignment_id,presenter,request_id}', '{awaits_decision}');
