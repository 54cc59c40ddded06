-- locks: nothing
--
-- How far each feed of a kind is relayed: the last entry that the JetStream stream has, and its sequence number there. It
-- replaces goods_item_relay, which servers of the version before still use; a later version removes that.
create table relay_position (
  stream text collate "C",
  owner integer,
  position bigint not null,
  sequence bigint not null,
  primary key (stream, owner)
);

insert into relay_position (stream, owner, position, sequence)
select stream, 0, position, sequence from goods_item_relay;
