-- Markers are minted by the statement that appends (feed/queries.ts), with one random seed for all of its entries: a random
-- UUID for each entry, taken apart and put together as text, cost more than the look-up of the goods.

drop function mint_marker(bigint);
