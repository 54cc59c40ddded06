// SQL of presenting what a transport that has arrived reaches. It is found without a lock whose feeds grow; a second statement
// reads it again under their locks, and presents it.
import { keepRecord } from '../audit/audit-trail.js';
import type { Statement } from '../database/database.js';
import { AUDIT_LOCK } from '../database/locks.js';
import { Parameters } from '../database/parameters.js';
import { MAX_ENTRIES } from '../feed/feed.js';
import { recordTime } from './presentation-outcome.js';

/** Whom presenting affects: organisations that are connected, and the declarants and representatives of their goods. */
export type FoundReached = { houses: number; organisations: number[] };

/** What was presented, and whether more is left. */
export type ReachedRow = {
  /** Goods that were told twice count once. */
  houses: number;
  signals: number;
  /** An affected organisation that is not locked: nothing was done. */
  held: number | null;
  hasMore: boolean;
  appended: string | null;
  /** Lodged goods that nobody has decided. */
  undecided: string[];
};

/** What is looked through: a transport, or only what is above some house consignments, by the numbers of their messages. */
export type ReachedScope = { transport: number; houses?: readonly number[] | undefined };

/**
 * The parts `transport`, `missing` and `due`: the connections that presenting adds, and those of the first goods that lack
 * one. Those connected are the submitter and the representative of the transport, of the master consignment by which it
 * reaches the goods, and of the goods themselves. A record of the same goods in an ENS is presented with them, for its own
 * parties alone: whoever was sent a signal of the goods needs no other one.
 *
 * Nothing is joined to these parts: a plan is made for a few rows, and would compare each with each.
 */
function missingConnections(
  given: Parameters,
  { transport, houses }: ReachedScope,
  expectedOnly: boolean,
  maxHouses: number,
  { isArriving = false } = {},
): string {
  const expected = given.add(expectedOnly, 'boolean');
  const reached =
    houses === undefined
      ? `houses_of_transport(t.id, ${expected})`
      : `(
          select house.id, above.master
          from unnest(${given.add(houses, 'integer[]')}) house (id)
          cross join lateral transports_of_house(house.id, ${expected}) above
          where above.id = t.id
        )`;
  return `transport as materialized (
        select m.declaration_id as id, e.mrn, m.submitter, m.representative, m.arrival_office as office,
          m.arrival_request_id as request_id, m.arrival_signal
        -- Without the offset, a plan made for few messages reads the index of all current ones.
        from (select * from movement where declaration_id = ${given.add(transport, 'integer')} offset 0) m
        join declaration e on e.id = m.declaration_id
        where m.state is null${isArriving ? '' : ' and m.arrived_at is not null'}
      ),
      -- Under several masters, a house consignment is there once for each.
      lodged as materialized (
        select h.*, e.declarant, e.representative, r.master, t.submitter as transport_submitter,
          t.representative as transport_representative
        from transport t
        cross join lateral ${reached} r
        cross join lateral (select declarant, representative from declaration where id = r.id offset 0) e
        cross join lateral (
          select id, ctid as stored_at, routing is not null as decided, document_key, document_type
          from house_consignment where ens_id = r.id offset 0
        ) h
      ),
      -- The other records of these goods, each with the first house consignment that it is the same goods as. Of one document,
      -- only the first hundred that were lodged can be.
      declared as materialized (
        select told.declared as id, (array_agg(told.lodged order by told.lodged))[1] as goods
        from (
          select * from (
            select document_key, document_type, (array_agg(distinct id))[1:100] as ids
            from lodged group by document_key, document_type
          ) each
          -- Most goods are in no ENS: finding that out costs half of looking for pairs.
          where (
            select true from house_consignment o
            cross join lateral (select kind from declaration where id = o.ens_id offset 0) e
            where o.document_key = each.document_key and o.document_type = each.document_type and e.kind is null limit 1
          )
          offset 0
        ) documents
        cross join lateral told_twice(document_key, document_type, ${expected}) told
        where told.lodged = any (ids)
        group by told.declared
      ),
      missing as materialized (
        select lacking.*, dense_rank() over (order by goods) as rank, bool_or(is_declarant) over (partition by house) as is_first
        from (
          select h.id as goods, h.id as house, true as is_lodged, h.stored_at, h.decided, h.declarant, h.representative, owner,
            owner = h.declarant as is_declarant, min(h.master) as master
          from lodged h
          left join lateral (select submitter, representative from movement where declaration_id = h.master offset 0) m on true
          cross join lateral (
            select distinct party as owner
            from (values (h.transport_submitter), (h.transport_representative), (m.submitter), (m.representative),
              (h.declarant), (h.representative)) parties (party)
            where party is not null
          ) parties
          where (
            select true from signal_recipient c where c.house_consignment_id = h.id and c.organisation_id = owner limit 1
          ) is null
          group by h.id, h.stored_at, h.decided, h.declarant, h.representative, owner
          union all
          select d.goods, d.id, false, h.stored_at, h.decided, e.declarant, e.representative, owner, owner = e.declarant, null
          from declared d
          cross join lateral (
            select ens_id, ctid as stored_at, routing is not null as decided from house_consignment where id = d.id offset 0
          ) h
          cross join lateral (select declarant, representative from declaration where id = h.ens_id offset 0) e
          cross join lateral (
            select distinct party as owner from (values (e.declarant), (e.representative)) parties (party)
            where party is not null
          ) parties
          where (
            select true from signal_recipient c where c.house_consignment_id = d.id and c.organisation_id = owner limit 1
          ) is null
        ) lacking
      ),
      due as materialized (
        select * from missing where rank <= ${given.add(maxHouses, 'integer')}
      ),
      affected as materialized (
        -- Deciding on goods needs the locks of their parties too, so no signal is missed (decision 0063).
        select distinct party from due cross join lateral (values (owner), (declarant), (representative)) parties (party)
        where party is not null
      )`;
}

/**
 * Finds what presenting would do, also before the arrival is recorded. Nothing is locked, so it is looked up again under the
 * locks.
 */
export function findReached(
  scope: ReachedScope,
  expectedOnly: boolean,
  maxHouses: number,
): Statement<FoundReached> {
  const given = new Parameters();
  return {
    name: `find-reached-by-${scope.houses === undefined ? 'transport' : 'houses'}`,
    text: `
      with ${missingConnections(given, scope, expectedOnly, maxHouses, { isArriving: true })}
      select (select coalesce(max(rank), 0)::integer from due) as houses, array(select party from affected) as organisations`,
    values: given.values,
  };
}

/**
 * Presents the first goods that a transport reaches and that lack a connection, if every affected organisation is locked: it
 * adds the connections, and appends the signals of what is decided. Once more it changes nothing.
 *
 * @param locked the organisations whose feeds are locked
 * @param recordedAt the time of the transaction, or of a clock that may have been moved; without it, the database's
 */
export function presentReached(
  scope: ReachedScope,
  locked: readonly number[],
  expectedOnly: boolean,
  maxHouses: number,
  recordedAt: Date | undefined,
): Statement<ReachedRow> {
  const given = new Parameters();
  return {
    name: `present-reached-by-${scope.houses === undefined ? 'transport' : 'houses'}`,
    text: `
      with ${recordTime(given, recordedAt)},
      ${missingConnections(given, scope, expectedOnly, maxHouses)},
      held as materialized (
        select party from affected where party <> all (${given.add(locked, 'integer[]')}) limit 1
      ),
      -- Signals come first, in the order of their feeds. Goods that were presented before keep what they arrived with.
      added as materialized (
        select *, row_number() over (order by decided desc, owner, house) - 1 as number
        from due where not exists (select from held)
      ),
      appended as materialized (
        select part, a.*
        from (
          select number / ${MAX_ENTRIES} as part, array_agg(new_signal(owner,
            case when is_first and is_lodged then h.signal_head || coalesce(t.arrival_signal, '')
              else arrived_signal_head(h.signal_head, house) end,
            routing, routing_control_location, (select text from recording)) order by number) as entries
          from added cross join transport t join house_consignment h on h.ctid = added.stored_at
          where decided
          group by number / ${MAX_ENTRIES}
        ) parts
        cross join lateral append_to_feeds(entries, ${AUDIT_LOCK}, null) a
      ),
      new_recipient as (
        insert into signal_recipient (house_consignment_id, organisation_id, presenter, request_id, signal_position,
          first_presented_at, office, awaits_decision, transport, master)
        -- On behalf of whoever has lodged the transport.
        select house, owner, t.submitter, t.request_id, positions[number % ${MAX_ENTRIES} + 1],
          -- The first presentation connects the declarant, and no other one does.
          case when is_declarant then (select at from recording) end,
          case when is_declarant then t.office end,
          case when is_declarant and not decided then true end,
          case when is_declarant then t.id end,
          case when is_declarant then added.master end
        from added cross join transport t left join appended on decided and part = number / ${MAX_ENTRIES}
      ),
      presented as materialized (
        select coalesce(max(rank), 0)::integer as houses, count(*) filter (where decided)::integer as signals from added
      ),
      recorded as (
        select ${keepRecord(`'{"at":"' || (select text from recording)
          || '","requestId":"' || request_id || '","action":"consignments.arrived","details":{"mrn":"' || mrn
          || '","office":"' || office || '","houseConsignments":' || houses
          || coalesce(',"appended":[' || (select string_agg(appended, ',' order by part) from appended) || ']', '')
          || '}}'`)} as record
        from transport cross join presented where houses > 0
      )
      select houses, signals, (select party from held) as held, (select record from recorded) is not null as recorded,
        not exists (select from held)
          and (select max(rank) from missing) > (select max(rank) from due) as "hasMore",
        (select string_agg(appended, ',' order by part) from appended) as appended,
        array(select house from added where is_declarant and is_lodged and not decided) as undecided
      from presented`,
    values: given.values,
  };
}

/** Something that was recorded, by the number of its message. */
export type RecordedMessage = { at: Date; id: number };

/** Transports whose arrival was recorded after another one, in the order of their arrivals. */
export function selectArrivals(after: RecordedMessage, limit: number): Statement<RecordedMessage> {
  return {
    name: 'select-arrivals',
    text: `
      select arrival_recorded_at as at, declaration_id as id from movement
      where arrival_recorded_at is not null and (arrival_recorded_at, declaration_id) > ($1::timestamptz, $2::integer)
      order by arrival_recorded_at, declaration_id limit $3`,
    values: [after.at, after.id, limit],
  };
}

/** Messages that were lodged, replaced or hung on another one after others, in that order; one may be there several times. */
export function selectLodgedAfter(
  after: RecordedMessage,
  limit: number,
): Statement<RecordedMessage> {
  const given = new Parameters();
  const afterOthers = `(${given.add(after.at, 'timestamptz')}, ${given.add(after.id, 'integer')})`;
  const first = `limit ${given.add(limit, 'integer')}`;
  return {
    name: 'select-lodged-after',
    text: `
      select lodged.at, lodged.id
      from unnest('{TRANSPORT,MASTER_CONSIGNMENT,HOUSE_CONSIGNMENT}'::text[]) levels (level)
      cross join lateral (
        select lodged_at as at, declaration_id as id from movement
        where level = levels.level and state is null and (lodged_at, declaration_id) > ${afterOthers}
        order by lodged_at, declaration_id ${first}
      ) lodged
      union all
      (
        select greatest(replaced_at, completed_at), declaration_id from movement
        where (replaced_at is not null or completed_at is not null)
          and (greatest(replaced_at, completed_at), declaration_id) > ${afterOthers}
        order by greatest(replaced_at, completed_at), declaration_id ${first}
      )
      union all
      (
        select related_at, child from movement_relation
        where (related_at, child) > ${afterOthers}
        order by related_at, child ${first}
      )
      order by at, id ${first}`,
    values: given.values,
  };
}

/** A message, and a transport that reaches it and goes on presenting. */
export type ReachingTransport = { message: number; isHouse: boolean; transport: number };

/**
 * The transports that have arrived since a time and that reach some messages: house consignments, those under master
 * consignments, or what the transports themselves name. If none has arrived, nothing but that is looked up.
 *
 * @param hours for how long a transport goes on presenting
 * @param now the time of a clock that may have been moved; without it, the database's
 */
export function selectReaching(
  messages: readonly number[],
  expectedOnly: boolean,
  hours: number,
  now: Date | undefined,
): Statement<ReachingTransport> {
  const given = new Parameters();
  const since = `coalesce(${given.add(now?.toISOString(), 'timestamptz')}, statement_timestamp())
          - make_interval(hours => ${given.add(hours, 'integer')})`;
  const expected = given.add(expectedOnly, 'boolean');
  return {
    name: 'select-reaching-transports',
    text: `
      select distinct m.declaration_id as message, m.level = 'HOUSE_CONSIGNMENT' as "isHouse", t.id as transport
      from unnest(${given.add(messages, 'integer[]')}) as message (id)
      cross join lateral (select declaration_id, level from movement where declaration_id = message.id offset 0) m
      cross join lateral (
        select m.declaration_id as id where m.level = 'TRANSPORT'
        union all
        select id from transports_of_master(m.declaration_id, ${expected}) where m.level = 'MASTER_CONSIGNMENT'
        union all
        select id from transports_of_house(m.declaration_id, ${expected}) where m.level = 'HOUSE_CONSIGNMENT'
      ) t
      cross join lateral (select arrival_recorded_at from movement where declaration_id = t.id offset 0) a
      where (select true from movement where arrival_recorded_at > ${since} limit 1)
        and a.arrival_recorded_at > ${since}`,
    values: given.values,
  };
}
