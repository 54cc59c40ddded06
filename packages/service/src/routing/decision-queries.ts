// SQL of decisions. A block of decisions is one transaction: it locks the affected organisations, reads what it decides
// on, and writes what changes.

import { keepRecord } from '../audit/audit-trail.js';
import type { Statement } from '../database/database.js';
import { AUDIT_LOCK, FEED_LOCK, REFERENCE_LOCK } from '../database/locks.js';
import { Parameters } from '../database/parameters.js';
import { MAX_ENTRIES } from '../feed/feed.js';
import type { LockedRow } from '../feed/lock-queries.js';
import type { DecidedChange, DecidedRow, Decision } from './compare-decisions.js';
import type { DecisionContext, Recorded, RegistrationContext } from './decision-context.js';
import type { Current } from './decision-rules.js';
import type { NewDecision } from './registered-decisions.js';
import { firstDecidedAt } from './same-goods.js';

/** Who makes decisions: nobody if Landfall itself did. */
type Deciding = Omit<Recorded<DecisionContext>, 'organisation' | 'organisationId' | 'clientId'> & {
  organisationId: number | null;
  clientId: string | null;
  /** Of a decision that was made on other goods, or on another record of these: the MRN of other goods, and when it was made. */
  taken?: { from: string | null; firstDecidedAt: string };
};

/** Rows of decisions: `mrn`, `document_number`, `document_type`, `routing` (null: undecided), `location`, `reason`, `decision_id`. */
function references(given: Parameters, decisions: readonly Decision[]): string {
  return given.rows('decision', decisions, {
    mrn: ['text', ({ mrn }) => mrn],
    document_number: [
      'text',
      ({ transportDocumentHouseLevel: { documentNumber } }) => documentNumber,
    ],
    document_type: ['text', ({ transportDocumentHouseLevel: { type } }) => type],
    routing: ['text', ({ routing }) => (routing === 'UNDECIDED' ? undefined : routing)],
    location: ['text', ({ routingControlLocation }) => routingControlLocation],
    reason: ['text', ({ reason }) => reason],
    decision_id: ['uuid', ({ decisionId }) => decisionId],
  });
}

/** The current decision of the house consignment that `house` names: the last one that took effect. */
export function currentDecision(house: string): string {
  return `select d.* from routing_decision d
          where d.house_consignment_id = ${house} and d.takes_effect order by d.number desc limit 1`;
}

/** The current decision of a house consignment `h` as JSON, from its row `current`; null if nobody has decided. */
export const CURRENT = `case
          when current.number is not null and (h.routing is not null or current.routing = 'UNDECIDED')
            then json_build_object('number', current.number, 'routing', current.routing,
              'routingControlLocation', current.routing_control_location, 'origin', current.origin,
              'organisationId', current.organisation_id, 'clientId', current.client_id, 'reason', current.reason,
              'run', current.run_id, 'decidedAt', api_time(current.decided_at))
          -- A server of the previous release has registered it.
          when h.routing is not null
            then json_build_object('number', 0, 'routing', h.routing,
              'routingControlLocation', h.routing_control_location, 'origin', 'REGISTRATION',
              'decidedAt', (select api_time(r.at) from registration r where r.id = h.registration))
        end`;

/**
 * Locks the feeds of the affected organisations as far as they are free: the connected organisations, and the
 * declarants and representatives, because every presentation that adds to these goods needs their locks. Goods on which
 * nothing is stored affect nobody.
 *
 * @param onlyUndecided whether house consignments that already have a decision are skipped
 * @param expectedOnly whether only expected parties may present
 * @param waitMs how long each is waited for, in milliseconds
 */
export function lockAffected(
  decisions: readonly Decision[],
  {
    origin,
    organisationId,
    clientId,
  }: Pick<DecisionContext, 'origin' | 'organisationId' | 'clientId'>,
  onlyUndecided: boolean,
  expectedOnly: boolean,
  waitMs: number,
): Statement<LockedRow> {
  const given = new Parameters();
  const expected = given.add(expectedOnly, 'boolean');
  return {
    name: 'lock-decisions',
    text: `
      with storing as materialized (
        select distinct h.id as house, h.ens_id, decision.routing in ('TO_CONTROL', 'ENTRY_DENIED') as is_control,
          ${mayBeToldTwice('h')} as may_be_told_twice
        from ${references(given, decisions)}
        cross join lateral find_house_consignment_of_any_kind(mrn, document_number, document_type) f
        join house_consignment h on h.id = f.house
        left join lateral (${currentDecision('h.id')}) current on true
        where not (${given.add(onlyUndecided, 'boolean')} and coalesce(h.routing, 'ENTRY_PENDING') <> 'ENTRY_PENDING')
          -- A decision that equals the current one is stored if somebody else makes it, or with an id or another reason.
          and ((decision.routing, location) is distinct from (h.routing, h.routing_control_location)
            or decision.decision_id is not null
            or (h.routing is not null or current.number is not null)
              and (current.origin, current.organisation_id, current.client_id, current.reason)
              is distinct from (${given.add(origin, 'text')}, ${given.add(organisationId, 'integer')},
                ${given.add(clientId, 'text')}, decision.reason))
      ),
      -- A decision on one record of goods is a decision on the others.
      decided as materialized (
        select house, ens_id from storing
        union
        select h.id, h.ens_id from storing
        cross join lateral same_goods(house, ${expected}) join house_consignment h on h.id = other
        where may_be_told_twice
        union
        select h.id, h.ens_id from storing
        cross join lateral goods_beside(house, ${expected}) join house_consignment h on h.id = other
        where may_be_told_twice and is_control
      ),
      affected as materialized (
        select array(
          -- Without the offset, a plan for any number of goods reads every declaration.
          select party from decided cross join lateral (select * from declaration where id = ens_id offset 0) e
          cross join lateral (values (declarant), (representative)) parties (party) where party is not null
          union select c.organisation_id from decided join signal_recipient c on c.house_consignment_id = house
        ) as organisations
      )
      select organisations, lock_in_order(${FEED_LOCK}, organisations,
        ${given.add(waitMs, 'integer')}) as locked
      from affected`,
    values: given.values,
  };
}

/**
 * Takes the locks under which goods are lodged beside those that are sent to control, and gives the goods for which they were
 * taken: whoever lodges such goods at the same time sees the control, or is seen. Call it with the affected organisations locked.
 */
export function lockBeside(
  decisions: readonly Decision[],
  expectedOnly: boolean,
): Statement<{ houses: string[] }> {
  const given = new Parameters();
  const expected = given.add(expectedOnly, 'boolean');
  return {
    name: 'lock-beside-decisions',
    text: `
      with meant as materialized (
        select distinct h.id, ${mayBeToldTwice('h')} as may_be_told_twice
        from ${references(given, decisions)}
        cross join lateral find_house_consignment_of_any_kind(mrn, document_number, document_type) f
        cross join lateral (select * from house_consignment where id = f.house offset 0) h
        where decision.routing in ('TO_CONTROL', 'ENTRY_DENIED')
      ),
      goods as materialized (
        select id from meant
        union
        select other from meant cross join lateral goods_beside(id, ${expected}) where may_be_told_twice
      ),
      reference as materialized (
        select reference
        from goods
        cross join lateral (select * from house_consignment where id = goods.id offset 0) h
        cross join lateral (select kind from declaration where id = h.ens_id offset 0) e
        cross join lateral (
          select h.master_document_key
          union all select h.receptacle_id
          union all select 'HOUSE ' || h.document_key where h.master_document_key is null and h.receptacle_id is null
        ) r (reference)
        where e.kind = 'HOUSE' and reference is not null
      )
      select array(select id from goods) as houses,
        lock_references(${REFERENCE_LOCK}, array(select reference from reference), true)`,
    values: given.values,
  };
}

/**
 * Whether somebody has lodged goods with the house document of a house consignment, and it has another record: without that,
 * `same_goods` finds nothing, and costs more to ask. Not "exists", which the planner can turn into a join.
 *
 * @param house the alias of its row
 */
export function mayBeToldTwice(house: string): string {
  return `((
          select true from movement m
          where m.house_key = ${house}.document_key and m.document_type = ${house}.document_type limit 1
        ) is not null and (
          select true from house_consignment o
          where o.document_key = ${house}.document_key and o.document_type = ${house}.document_type
            and o.ens_id <> ${house}.ens_id limit 1
        ) is not null)`;
}

/**
 * Other records of a house consignment, as JSON; null if there are none.
 *
 * @param found calls the function that finds them
 * @param goods what tells the records of the same goods from others
 */
function otherRecords(found: string, goods: string): string {
  return `
          select json_agg(json_build_object('house', h.id, 'goods', ${goods}, 'current', ${CURRENT},
            'last', (select max(d.number) from routing_decision d where d.house_consignment_id = h.id),
            'parties', array_remove(array[e.declarant, e.representative], null),
            'recipients', array(select organisation_id from signal_recipient c where c.house_consignment_id = h.id)
          ) order by h.id)
          from ${found}
          join house_consignment h on h.id = other
          join declaration e on e.id = h.ens_id
          left join lateral (${currentDecision('h.id')}) current on true`;
}

/** Reads what the decisions are about, after the affected organisations were locked, and when they are made. */
export function selectDecided(
  decisions: readonly Decision[],
  { organisationId, at }: Pick<DecisionContext, 'organisationId' | 'at'>,
  expectedOnly: boolean,
): Statement<DecidedRow & { now: Date }> {
  const given = new Parameters();
  const expected = given.add(expectedOnly, 'boolean');
  return {
    name: 'select-decided',
    text: `
      select f.houses, f.house, ${CURRENT} as current,
        (select max(d.number) from routing_decision d where d.house_consignment_id = f.house) as last,
        (
          select json_build_object('house', d.house_consignment_id, 'number', d.number, 'routing', d.routing,
            'routingControlLocation', d.routing_control_location, 'signals', (
              select count(*) from issued_signal i
              where i.house_consignment_id = d.house_consignment_id and i.decision = d.number))
          from routing_decision d
          where d.organisation_id = ${given.add(organisationId, 'integer')} and d.decision_id = decision.decision_id
          limit 1
        ) as stored,
        array_remove(array[e.declarant, e.representative], null) as parties,
        array(select organisation_id from signal_recipient c where c.house_consignment_id = f.house order by 1) as recipients,
        case when ${mayBeToldTwice('h')}
          then (${otherRecords(`same_goods(f.house, ${expected})`, 'null')}) end as others,
        case when decision.routing in ('TO_CONTROL', 'ENTRY_DENIED') and ${mayBeToldTwice('h')}
          then (${otherRecords(`(select * from goods_beside(f.house, ${expected}) where not is_same) found`, 'goods')})
        end as beside,
        (select record_time(${given.add(at?.toISOString(), 'timestamptz')})) as now
      from ${references(given, decisions)}
      cross join lateral find_house_consignment_of_any_kind(mrn, document_number, document_type) f
      left join house_consignment h on h.id = f.house
      left join declaration e on e.id = h.ens_id
      left join lateral (${currentDecision('f.house')}) current on true
      order by decision.number`,
    values: given.values,
  };
}

/** What was appended, as `append_to_feeds` gives it; null if nobody was connected. */
export type WrittenRow = { appended: string | null };

/**
 * Stores the decisions that change something, and issues a signal for each of them to each recipient.
 *
 * @param record the audit record, JSON text without its last two braces
 */
export function writeDecisions(
  changes: readonly DecidedChange[],
  { at, origin, organisationId, clientId, requestId, profile, run, taken }: Deciding,
  record: string,
): Statement<WrittenRow> {
  const given = new Parameters();
  return {
    name: 'write-decisions',
    text: `
      with change as materialized (
        select * from ${given.rows('change', changes, {
          house: ['uuid', ({ house }) => house],
          decision: ['integer', ({ number }) => number],
          takes_effect: ['boolean', ({ takesEffect }) => takesEffect],
          changes_routing: ['boolean', ({ changesRouting }) => changesRouting],
          is_last: ['boolean', ({ isLast }) => isLast],
          routing: ['text', ({ decision }) => decision.routing],
          location: ['text', ({ decision }) => decision.routingControlLocation],
          reason: ['text', ({ decision }) => decision.reason],
          decision_id: ['uuid', ({ decision }) => decision.decisionId],
          rule: ['integer', ({ decision }) => decision.rule],
        })}
      ),
      new_decision as (
        insert into routing_decision (house_consignment_id, number, takes_effect, decided_at, routing, routing_control_location,
          reason, organisation_id, client_id, request_id, origin, decision_id, profile, profile_version, profile_rule, run_id,
          taken_from, first_decided_at)
        select house, decision, takes_effect, ${given.add(at, 'timestamptz')}, routing, location, reason,
          ${given.add(organisationId, 'integer')}, ${given.add(clientId, 'text')}, ${given.add(requestId, 'text')},
          ${given.add(origin, 'text')}, decision_id,
          ${given.add(profile?.name, 'text')}, ${given.add(profile?.version, 'integer')}, rule,
          ${given.add(run, 'uuid')}, ${given.add(taken?.from, 'text')}, ${given.add(taken?.firstDecidedAt, 'timestamptz')}
        from change
      ),
      applied as (
        update house_consignment h
        set routing = nullif(change.routing, 'UNDECIDED'), routing_control_location = location
        from change where is_last and h.id = house
      ),
      -- The declarant's row of presented goods has the mark while they wait for a decision, and no other row.
      awaited as (
        update signal_recipient s set awaits_decision = case when routing = 'UNDECIDED' then true end
        from change
        where is_last and s.house_consignment_id = house
          and (s.awaits_decision or routing = 'UNDECIDED' and s.first_presented_at is not null)
      ),
      signal as materialized (
        select changed.*, c.organisation_id as owner, row_number() over (order by changed.number, c.organisation_id) as entry
        from (
          select change.*, (select arrived_signal_head(signal_head, id) from house_consignment where id = house) as head
          from change where changes_routing and routing <> 'UNDECIDED'
          offset 0 -- so that each head is put together once, not for each recipient
        ) changed
        join signal_recipient c on c.house_consignment_id = house
      ),
      appended as materialized (
        select part, a.*
        from (
          select (entry - 1) / ${MAX_ENTRIES} as part, array_agg(new_signal(owner, head, routing, location,
            ${given.add(at.toISOString(), 'text')}) order by entry) as entries
          from signal
          group by (entry - 1) / ${MAX_ENTRIES}
        ) parts
        cross join lateral append_to_feeds(entries, ${AUDIT_LOCK}, null) a
      ),
      new_issued_signal as (
        insert into issued_signal (house_consignment_id, owner, position, decision)
        select house, owner, positions[(entry - 1) % ${MAX_ENTRIES} + 1], decision
        from signal join appended on part = (entry - 1) / ${MAX_ENTRIES}
      ),
      appended_text as materialized (
        select string_agg(appended, ',' order by part) as appended from appended
      ),
      recorded as (
        select ${keepRecord(`${given.add(record, 'text')}
          || coalesce(',"appended":[' || appended || ']', '') || '}}'`)} as record, appended
        from appended_text
      )
      select appended, record is not null as recorded from recorded`,
    values: given.values,
  };
}

/**
 * Keeps the record of a transaction in which no decision changes anything, for `appendKeptRecord`.
 *
 * @param record as for `writeDecisions`
 */
export function keepDecisionRecord(record: string): Statement {
  return {
    name: 'keep-decision-record',
    text: `select ${keepRecord("$1::text || '}}'")}`,
    values: [record],
  };
}

/** Stores the decisions that registering brings. The goods are not presented, so nobody gets a signal. */
export function insertRegisteredDecisions(
  decisions: readonly NewDecision[],
  contextOf: (decision: NewDecision) => Recorded<RegistrationContext>,
  profile: { name: string; version: number } | undefined,
): Statement {
  const given = new Parameters();
  return {
    name: 'insert-registered-decisions',
    text: `
      insert into routing_decision (house_consignment_id, number, origin, takes_effect, routing, routing_control_location,
        profile_rule, profile, profile_version, reason, decided_at, organisation_id, client_id, request_id, taken_from,
        first_decided_at)
      select house, decision, origin, takes_effect, routing, location, rule, profile, profile_version, reason,
        decided_at, organisation, client, request_id, taken_from, first_decided_at
      from ${given.rows('i', decisions, {
        house: ['uuid', ({ house }) => house],
        decision: ['integer', ({ number }) => number],
        origin: ['text', ({ origin }) => origin],
        takes_effect: ['boolean', ({ takesEffect }) => takesEffect],
        routing: ['text', ({ routing }) => routing],
        location: ['text', ({ routingControlLocation }) => routingControlLocation],
        rule: ['integer', ({ rule, taken }) => taken?.rule ?? rule],
        profile: [
          'text',
          ({ origin, taken }) =>
            taken === undefined && origin === 'PROFILE' ? profile?.name : taken?.profile,
        ],
        profile_version: [
          'integer',
          ({ origin, taken }) =>
            taken === undefined && origin === 'PROFILE' ? profile?.version : taken?.profileVersion,
        ],
        reason: ['text', ({ taken }) => taken?.reason],
        decided_at: ['timestamptz', (decision) => contextOf(decision).at],
        organisation: [
          'integer',
          (decision) => (decision.taken ?? contextOf(decision).actor)?.organisationId,
        ],
        client: [
          'text',
          (decision) =>
            decision.taken === undefined
              ? contextOf(decision).actor?.client
              : decision.taken.clientId,
        ],
        request_id: ['text', (decision) => contextOf(decision).requestId],
        taken_from: ['text', ({ taken }) => taken?.takenFrom],
        first_decided_at: ['timestamptz', ({ taken }) => taken && firstDecidedAt(taken)],
      })}`,
    values: given.values,
  };
}

/** What was decided on a house consignment. */
export type DecidedBeforeRow = {
  id: string;
  current: Pick<Current, 'routing' | 'routingControlLocation' | 'origin'> | null;
  last: number;
};

/** What was decided on house consignments, also on withdrawn ones. */
export function selectDecidedBefore(ids: readonly string[]): Statement<DecidedBeforeRow> {
  return {
    name: 'select-decided-before',
    text: `
      select house.id,
        case
          when current.number is not null then json_build_object('routing', current.routing,
            'routingControlLocation', current.routing_control_location, 'origin', current.origin)
          -- A server of the previous release has registered it.
          when h.routing is not null then json_build_object('routing', h.routing,
            'routingControlLocation', h.routing_control_location, 'origin', 'REGISTRATION')
        end as current,
        coalesce((select max(d.number) from routing_decision d where d.house_consignment_id = house.id), 0) as last
      from unnest($1::uuid[]) as house (id)
      left join house_consignment h on h.id = house.id
      left join lateral (${currentDecision('house.id')}) current on true`,
    values: [ids],
  };
}
