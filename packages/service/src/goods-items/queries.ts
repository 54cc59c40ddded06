// SQL of the goods items: publishing, the current items, what is past its time, and how far the relay is. Columns
// go in as arrays, and messages as one text that is taken apart: an array of long texts is read at half the speed.
import type { Statement } from '../database/database.js';
import { FEED_LOCK } from '../database/locks.js';
import { type Framing, fitPage, framings } from '../feed/queries.js';
import { STREAM_OWNER } from './event-feed.js';
import type { GoodsItemEvent, ItemKey } from './goods-item-event.js';
import type { PlannedBlock } from './plan-block.js';

/** Held until the commit: the stream has one order. */
export const lockStream: Statement = {
  name: 'lock-goods-item-stream',
  text: `select pg_advisory_xact_lock(${FEED_LOCK}, ${STREAM_OWNER}) is null as locked`,
  values: [],
};

/**
 * An eventId that is in the stream already. The texts themselves stay where they are: those of a block may be longer
 * together than one value can be.
 */
export type KnownRow = {
  id: string;
  /** SHA-256 of its text, in hexadecimal; null when the text is no longer kept. */
  text_digest: string | null;
  /** How long its text is. */
  bytes: number;
};

/** A removal whose data is not the item that its related event added. */
export type ContradictingRow = { id: string; declaration: string; number: number };

/** What the check gives: one row. */
export type CheckRow = { known: KnownRow[]; contradicting: ContradictingRow[] };

/**
 * Looks which of the events are in the stream already, and which removals contradict it. When there is one of
 * either, the statements of `storeBlock` after it in the same transaction do nothing.
 */
export function checkEvents(events: readonly GoodsItemEvent[]): Statement {
  const removals = events.filter(
    ({ adds, item, related }) => !adds && item !== undefined && related !== undefined,
  );
  return {
    name: 'check-goods-item-events',
    text: `
      with known as materialized (
        select id, encode(sha256(convert_to(entry, 'UTF8')), 'hex') as text_digest,
          coalesce(octet_length(entry), 0) as bytes
        from (
          select given.id,
            (select entry from goods_item_event e where e.owner = ${STREAM_OWNER} and e.id = given.id) as entry,
            case when (select true from goods_item_expired limit 1) then (
              select true from goods_item_expired e
              where e.owner = ${STREAM_OWNER} and e.id = given.id) end as expired
          from unnest($1::uuid[]) as given (id)
        ) looked_up
        where entry is not null or expired
      ),
      contradicting as materialized (
        select removal.id, added.declaration, added.number
        from rows from (unnest($2::uuid[]), unnest($3::uuid[]), unnest($4::text[]), unnest($5::bigint[]))
          as removal (id, related, declaration, number)
        cross join lateral (
          select declaration, number from goods_item_event e
          where e.owner = ${STREAM_OWNER} and e.id = removal.related
          union all
          select declaration, number from goods_item_expired e
          where e.owner = ${STREAM_OWNER} and e.id = removal.related
        ) added
        where added.declaration <> removal.declaration or added.number <> removal.number
      )
      select coalesce((select json_agg(known) from known), '[]') as known,
        coalesce((select json_agg(contradicting) from contradicting), '[]') as contradicting,
        set_config('landfall.in_the_way',
          ((select count(*) from known) + (select count(*) from contradicting))::text, true)`,
    values: [
      arrayText(events.map(({ id }) => id)),
      arrayText(removals.map(({ id }) => id)),
      arrayText(removals.map(({ related }) => related)),
      ...keyColumns(removals.map(({ item }) => item)),
    ],
  };
}

/** What an event of the stream says: its text, or the digest that is left of what it said. */
export type EntryRow = { id: string; entry: string | null; digest: string | null };

export function selectEntries(ids: readonly string[]): Statement {
  return {
    name: 'goods-item-entries',
    text: `
      select id, entry, null as digest from goods_item_event
      where owner = ${STREAM_OWNER} and id = any ($1::uuid[])
      union all
      select id, null, encode(digest, 'hex') from goods_item_expired
      where owner = ${STREAM_OWNER} and id = any ($1::uuid[])`,
    values: [arrayText(ids)],
  };
}

/** Whether `checkEvents` has found that all is new and nothing contradicts. */
const nothingInTheWay = `current_setting('landfall.in_the_way') = '0'`;

/** Appends a block of new events, and brings the current items up to date. The stream is locked and checked. */
export function storeBlock(block: PlannedBlock, publishedAt: Date): Statement[] {
  const { events, takenBack, removed, current } = block;
  const statements = [appendEvents(events, publishedAt)];
  if (takenBack.length > 0) statements.push(takeBackItems(takenBack));
  if (removed.length > 0) statements.push(removeItems(removed));
  if (current.length > 0) statements.push(putItems(current, events.length));
  return statements;
}

function appendEvents(events: PlannedBlock['events'], publishedAt: Date): Statement {
  return {
    name: 'append-goods-item-events',
    text: `
      insert into goods_item_event (owner, position, id, declaration, number, topic, published_at, entry)
      select ${STREAM_OWNER}, place
          + coalesce((select max(position) from goods_item_event where owner = ${STREAM_OWNER}), 0),
        id, declaration, number,
        coalesce(
          case when topic_of_event is not null then coalesce(
            (select e.topic from goods_item_event e where e.owner = ${STREAM_OWNER} and e.id = topic_of_event),
            (select e.topic from goods_item_expired e where e.owner = ${STREAM_OWNER} and e.id = topic_of_event)
          ) end,
          case when topic_of_declaration is not null then (
            select i.topic from goods_item i
            where i.declaration = topic_of_declaration and i.number = topic_of_number
          ) end,
          topic),
        $1, entry
      from rows from (unnest($2::uuid[]), unnest($3::text[]), unnest($4::bigint[]), unnest($5::text[]),
          unnest($6::uuid[]), unnest($7::text[]), unnest($8::bigint[]), string_to_table($9, E'\\n'))
        with ordinality as block
          (id, declaration, number, topic, topic_of_event, topic_of_declaration, topic_of_number, entry, place)
      where ${nothingInTheWay}`,
    values: [
      publishedAt,
      arrayText(events.map(({ event }) => event.id)),
      ...keyColumns(events.map(({ event }) => (event.adds ? event.item : undefined))),
      arrayText(events.map(({ topic }) => topic)),
      arrayText(events.map(({ topicOfEvent }) => topicOfEvent)),
      ...keyColumns(events.map(({ topicOfItem }) => topicOfItem)),
      events.map(({ event }) => event.entry).join('\n'),
    ],
  };
}

/** Removes what these events added, where it stands as they added it. */
function takeBackItems(takenBack: readonly string[]): Statement {
  return {
    name: 'take-back-goods-items',
    text: removeRows(`
      select (select i.ctid from goods_item i
          where i.declaration = added.declaration and i.number = added.number
            and i.position = added.position limit 1)
      from unnest($1::uuid[]) as related (id)
      cross join lateral (
        select declaration, number, position from goods_item_event e
        where e.owner = ${STREAM_OWNER} and e.id = related.id
        union all
        select declaration, number, position from goods_item_expired e
        where e.owner = ${STREAM_OWNER} and e.id = related.id
      ) added`),
    values: [arrayText(takenBack)],
  };
}

function removeItems(removed: readonly ItemKey[]): Statement {
  return {
    name: 'remove-goods-items',
    text: removeRows(`
      select (select i.ctid from goods_item i
          where i.declaration = removed.declaration and i.number = removed.number limit 1)
      from rows from (unnest($1::text[]), unnest($2::bigint[])) as removed (declaration, number)`),
    values: keyColumns(removed),
  };
}

/**
 * Removes the items in these places of the table. Each is looked up by itself: a join would be planned for a table as
 * small as it was when the session began, and read all of it for each block once it is large.
 */
function removeRows(places: string): string {
  return `delete from goods_item where ctid = any (array(${places})) and ${nothingInTheWay}`;
}

/** @param appended how many events the block has, all of them at the end of the stream by now */
function putItems(current: PlannedBlock['current'], appended: number): Statement {
  return {
    name: 'put-goods-items',
    text: `
      insert into goods_item (declaration, number, position, topic)
      select declaration, number,
        place - $1 + (select max(position) from goods_item_event where owner = ${STREAM_OWNER}), topic
      from rows from (unnest($2::text[]), unnest($3::bigint[]), unnest($4::bigint[]), unnest($5::text[]))
        as current (declaration, number, place, topic)
      where ${nothingInTheWay}
      on conflict (declaration, number)
        do update set position = excluded.position, topic = excluded.topic, entry = null`,
    values: [
      appended,
      ...keyColumns(current.map(({ item }) => item)),
      arrayText(current.map(({ place }) => place)),
      arrayText(current.map(({ topic }) => topic)),
    ],
  };
}

/** An array as PostgreSQL writes it. None of the values here has a character that would need quotes. */
function arrayText(values: readonly (string | number | undefined)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}

function keyColumns(keys: readonly (ItemKey | undefined)[]): [string, string] {
  return [
    arrayText(keys.map((key) => key?.declaration)),
    arrayText(keys.map((key) => key?.number)),
  ];
}

/**
 * A page of the current items: whether more may follow, the last item's key, and all items as one text. `marker` is the
 * end of the stream at the same moment.
 */
export type ItemsRow = {
  more: boolean;
  marker: string | null;
  declaration: string | null;
  number: number | null;
  body: string | null;
};

/** The items after a key, as many as fit into a page, in the order of their keys; of one declaration if one is named. */
export function selectItems(
  after: ItemKey | undefined,
  declaration: string | undefined,
  limit: number,
  framing: Exclude<Framing, 'events'>,
): Statement {
  return {
    name: `goods-items-${framing}-${declaration === undefined ? 'all' : 'declaration'}`,
    text: `
      with page as materialized (${fitPage(
        `
        select declaration, number, coalesce(entry, (
          select e.entry from goods_item_event e where e.owner = ${STREAM_OWNER} and e.position = i.position
        )) as entry
        from goods_item i
        where (declaration, number) > ($1::text, $2::bigint) ${declaration === undefined ? '' : 'and declaration = $4'}
        order by declaration, number limit $3`,
        'declaration, number',
      )}
      ),
      last as (select declaration, number from page where fits order by declaration desc, number desc limit 1)
      select (select count(*) = $3 or count(*) > count(*) filter (where fits) from page) as more,
        (select ${framings[framing]} from page) as body,
        (select declaration from last) as declaration, (select number from last) as number,
        (select id from goods_item_event where owner = ${STREAM_OWNER} order by position desc limit 1) as marker`,
    values: [
      after?.declaration ?? '',
      after?.number ?? 0,
      limit,
      ...(declaration === undefined ? [] : [declaration]),
    ],
  };
}

/** An event whose time is over. */
export type ExpiredRow = { position: number; entry: string };

/**
 * The oldest events, as far as they were published before a time: one after the other from the oldest that is kept.
 * The newest of all always stays, so that the stream knows where it is. As many as fit a page.
 *
 * @param upTo later positions are left
 */
export function selectExpired(before: Date, upTo: number, limit: number): Statement {
  return {
    name: 'expired-goods-item-events',
    text: `
      with oldest as materialized (
        select position, published_at, entry from goods_item_event
        where owner = ${STREAM_OWNER} and position <= $2
          and position < (select max(position) from goods_item_event where owner = ${STREAM_OWNER})
        order by position limit $3
      )
      select position, entry from (${fitPage(
        `
        select position, entry from oldest
        where (select min(position) from oldest where published_at >= $1) is null
          or position < (select min(position) from oldest where published_at >= $1)`,
        'position',
      )}
      ) due where fits order by position`,
    values: [before, upTo, limit],
  };
}

/**
 * Takes events out of the stream. What a duplicate, an old marker or a removal must find is left, and the text goes
 * over to the item that stands by it.
 */
export function expireEvents(rows: readonly { position: number; digest: Buffer }[]): Statement {
  return {
    name: 'expire-goods-item-events',
    text: `
      with gone as (
        delete from goods_item_event e
        using rows from (unnest($1::bigint[]), unnest($2::text[])) as past (position, digest)
        where e.owner = ${STREAM_OWNER} and e.position = past.position
        returning e.*, past.digest
      ),
      kept as (
        update goods_item i set entry = gone.entry
        from gone
        where i.declaration = gone.declaration and i.number = gone.number and i.position = gone.position
      )
      insert into goods_item_expired (owner, position, id, declaration, number, topic, digest)
      select owner, position, id, declaration, number, topic, decode(digest, 'hex') from gone`,
    values: [
      arrayText(rows.map(({ position }) => position)),
      arrayText(rows.map(({ digest }) => digest.toString('hex'))),
    ],
  };
}
