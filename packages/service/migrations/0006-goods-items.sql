-- The stream of goods items: one feed for the whole installation, whose owner is 0.

-- What was published and is still kept; the id is the publisher's eventId, and the marker.
create table goods_item_event (
  owner integer not null,
  position bigint not null,
  id uuid not null,
  -- The goods item that it is about; null for a removal without data.
  declaration text collate "C",
  number bigint,
  -- What its subject ends with when it is relayed: '<direction>.<HS chapter>'.
  topic text not null,
  published_at timestamptz not null,
  entry text not null,
  primary key (owner, position)
);
create unique index on goods_item_event (owner, id);

-- What is left of an event when its time is over: enough to know a duplicate, an old marker and what a removal
-- refers to.
create table goods_item_expired (
  owner integer not null,
  position bigint not null,
  id uuid not null,
  declaration text collate "C",
  number bigint,
  topic text not null,
  -- SHA-256 of its content.
  digest bytea not null,
  primary key (owner, id)
);

-- The goods items that stand, each as the event at this position added it.
create table goods_item (
  declaration text collate "C" not null,
  number bigint not null,
  position bigint not null,
  topic text not null,
  -- The text of that event, once the event itself is not kept any longer.
  entry text,
  primary key (declaration, number)
);

-- How far the stream is relayed: the event that the relay's stream holds last, and its sequence number there.
create table goods_item_relay (
  stream text primary key,
  position bigint not null,
  sequence bigint not null
);
