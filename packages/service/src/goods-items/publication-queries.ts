// SQL of publishing goods items. Columns are sent as arrays, and messages as one text that the database splits: parsing an
// array of long texts takes twice as long.
import type { Statement } from '../database/database.js';
import { AUDIT_LOCK, FEED_LOCK } from '../database/locks.js';
import { goodsItemEvents, STREAM_OWNER } from './event-feed.js';
import type { GoodsItemEvent, ItemKey } from './goods-item-event.js';
import { type ItemFacts, writeFacts } from './item-facts.js';
import type { PlannedBlock } from './plan-block.js';

/** Held until the commit, so that the stream has one order. */
export const lockStream: Statement = {
  name: 'lock-goods-item-stream',
  text: `select pg_advisory_xact_lock(${FEED_LOCK}, ${STREAM_OWNER}) is null as locked`,
  values: [],
};

/**
 * An eventId that is in the stream already. The texts are not selected, because together they may be longer than the
 * maximum length of one value.
 */
export type KnownRow = {
  id: string;
  /** SHA-256 of its text, in hexadecimal; null when the text is no longer kept. */
  text_digest: string | null;
  /** The length of its text. */
  bytes: number;
};

/** A removal whose data is not the item that its related event added. */
export type ContradictingRow = { id: string; declaration: string; number: number };

/** The result of the check: one row. */
export type CheckRow = { known: KnownRow[]; contradicting: ContradictingRow[] };

/**
 * Finds the events that are in the stream already, and the removals that contradict it. If there are any, the
 * statements of `storeBlock` that follow in the same transaction do nothing.
 */
export function checkEvents(events: readonly GoodsItemEvent[]): Statement<CheckRow> {
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
        set_config('landfall.publishable',
          (not exists (select from known) and not exists (select from contradicting))::text, true)`,
    values: [
      arrayText(events.map(({ id }) => id)),
      arrayText(removals.map(({ id }) => id)),
      arrayText(removals.map(({ related }) => related)),
      ...keyColumns(removals.map(({ item }) => item)),
    ],
  };
}

/** The content of an event: its text, or the digest of its content if the text has expired. */
export type EntryRow = { id: string; entry: string | null; digest: string | null };

export function selectEntries(ids: readonly string[]): Statement<EntryRow> {
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

/**
 * Appends a block of new events and updates the current items. The stream is locked, and `checkEvents` has stored in
 * `landfall.publishable` whether the events are all new and contradict nothing.
 */
export function storeBlock(block: PlannedBlock, publishedAt: Date): Statement[] {
  const { events, removedEvents, removedItems, addedItems } = block;
  const statements = [appendEvents(events, publishedAt)];
  if (removedEvents.length > 0) statements.push(removeItemsOfEvents(removedEvents));
  if (removedItems.length > 0) statements.push(removeItems(removedItems));
  if (addedItems.length > 0) statements.push(putItems(addedItems, events.length));
  return statements;
}

function appendEvents(events: PlannedBlock['events'], publishedAt: Date): Statement {
  return {
    name: 'append-goods-item-events',
    text: `
      with event as (
        select row(${goodsItemEvents.number}, ${STREAM_OWNER}, id, entry, null, null, null, declaration, number,
          coalesce(
            case when facts_of_event is not null then coalesce(
              (select concat_ws(' ', e.topic, e.requested_procedure, e.accepted_on) from goods_item_event e
                where e.owner = ${STREAM_OWNER} and e.id = facts_of_event),
              (select concat_ws(' ', e.topic, e.requested_procedure, e.accepted_on) from goods_item_expired e
                where e.owner = ${STREAM_OWNER} and e.id = facts_of_event)
            ) end,
            case when facts_of_declaration is not null then (
              select concat_ws(' ', i.topic, i.requested_procedure, i.accepted_on) from goods_item i
              where i.declaration = facts_of_declaration and i.number = facts_of_number
            ) end,
            facts),
          $1::timestamptz)::new_entry as entry, ordinal
        from rows from (unnest($2::uuid[]), unnest($3::text[]), unnest($4::bigint[]), unnest($5::text[]),
            unnest($6::uuid[]), unnest($7::text[]), unnest($8::bigint[]), string_to_table($9, E'\\n'))
          with ordinality as block
            (id, declaration, number, facts, facts_of_event, facts_of_declaration, facts_of_number, entry, ordinal)
        where current_setting('landfall.publishable')::boolean
      )
      select appended from (select array_agg(entry order by ordinal) as entries from event having count(*) > 0) block
      cross join append_to_feeds(entries, ${AUDIT_LOCK}, null)`,
    values: [
      publishedAt,
      arrayText(events.map(({ event }) => event.id)),
      ...keyColumns(events.map(({ event }) => (event.adds ? event.item : undefined))),
      factsColumn(events),
      arrayText(events.map(({ factsOfEvent }) => factsOfEvent)),
      ...keyColumns(events.map(({ factsOfItem }) => factsOfItem)),
      events.map(({ event }) => event.entry).join('\n'),
    ],
  };
}

/**
 * Removes the items that these events added, unless a later event replaced them. Each row is found by a subquery: a
 * join would be planned for the size that the table had when the session began, and later read all of a large table.
 */
function removeItemsOfEvents(events: readonly string[]): Statement {
  return {
    name: 'remove-goods-items-of-events',
    text: `
      delete from goods_item where current_setting('landfall.publishable')::boolean and ctid = any (array(
        select (
          select i.ctid from goods_item i
          where i.declaration = added.declaration and i.number = added.number and i.position = added.position limit 1)
        from unnest($1::uuid[]) as related (id)
        cross join lateral (
          select declaration, number, position from goods_item_event e
          where e.owner = ${STREAM_OWNER} and e.id = related.id
          union all
          select declaration, number, position from goods_item_expired e
          where e.owner = ${STREAM_OWNER} and e.id = related.id
        ) added))`,
    values: [arrayText(events)],
  };
}

/** Removes the items with these keys, each found as in `removeItemsOfEvents`. */
function removeItems(items: readonly ItemKey[]): Statement {
  return {
    name: 'remove-goods-items',
    text: `
      delete from goods_item where current_setting('landfall.publishable')::boolean and ctid = any (array(
        select (
          select i.ctid from goods_item i
          where i.declaration = removed.declaration and i.number = removed.number limit 1)
        from rows from (unnest($1::text[]), unnest($2::bigint[])) as removed (declaration, number)))`,
    values: keyColumns(items),
  };
}

/** @param appended the number of events in the block, which are the last ones of the stream */
function putItems(added: PlannedBlock['addedItems'], appended: number): Statement {
  return {
    name: 'put-goods-items',
    text: `
      insert into goods_item (declaration, number, position, topic, requested_procedure, accepted_on)
      select declaration, number,
        ordinal - $1 + (select s.position from feed_state s
          where s.kind = ${goodsItemEvents.number} and s.owner = ${STREAM_OWNER}),
        split_part(facts, ' ', 1), nullif(split_part(facts, ' ', 2), ''), nullif(split_part(facts, ' ', 3), '')
      from rows from (unnest($2::text[]), unnest($3::bigint[]), unnest($4::bigint[]), unnest($5::text[]))
        as added (declaration, number, ordinal, facts)
      where current_setting('landfall.publishable')::boolean
      on conflict (declaration, number)
        do update set position = excluded.position, topic = excluded.topic,
          requested_procedure = excluded.requested_procedure, accepted_on = excluded.accepted_on, entry = null`,
    values: [
      appended,
      ...keyColumns(added.map(({ item }) => item)),
      arrayText(added.map(({ ordinal }) => ordinal)),
      factsColumn(added),
    ],
  };
}

function factsColumn(rows: readonly { facts: ItemFacts }[]): string {
  return arrayText(rows.map(({ facts }) => `"${writeFacts(facts)}"`));
}

/** An array in PostgreSQL's text form. No value here has a character that needs quotes. */
function arrayText(values: readonly (string | number | undefined)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}

function keyColumns(keys: readonly (ItemKey | undefined)[]): [string, string] {
  return [
    arrayText(keys.map((key) => key?.declaration)),
    arrayText(keys.map((key) => key?.number)),
  ];
}
