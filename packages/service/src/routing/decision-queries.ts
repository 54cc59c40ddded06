// SQL of decisions: a block of decisions is one transaction of two statements. The first locks the affected
// organisations; the second reads what was committed before that. Each row of the array parameters is a decision.
import type { RoutingDecision } from '@landfall/contract';
import type { Statement } from '../database/database.js';
import { FEED_LOCK } from '../database/locks.js';
import { LOCK_TIMEOUT_MS } from '../feed/organisation-locks.js';
import type { DecisionContext } from './decision-context.js';
import { routingSignals } from './signal-feed.js';

/**
 * The result of one decision. Only the first row has the organisations whose feeds have grown (`signalled`) and the
 * appended entries for the audit record (`appended`, JSON).
 */
export type DecisionRow = {
  /** How many house consignments the reference identifies: 0, 1, or 2 for several. */
  houses: number;
  house: string | null;
  changed: boolean;
  signals: number;
  signalled: number[] | null;
  appended: Record<string, unknown> | null;
};

/** A decision, with the number of the rule (from 1) if a profile has made it. */
export type Decision = RoutingDecision & { rule?: number };

/**
 * Locks the feeds of the affected organisations as far as they are free: the connected organisations, and the
 * declarants and representatives, because every presentation that adds to these goods needs their locks. Goods whose
 * decision does not change affect nobody.
 */
export function lockAffected(decisions: readonly Decision[], onlyUndecided: boolean): Statement {
  return {
    name: 'lock-decisions',
    text: `
      with found as materialized (
        select distinct f.house
        from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
          as decision (mrn, document_number, document_type, routing, routing_control_location)
        cross join lateral find_house_consignment(mrn, document_number, document_type) f
        join house_consignment h on h.id = f.house
        where ${changes('decision', 'h.routing', 'h.routing_control_location', '$6')}
      ),
      declaration as materialized (
        select e.declarant, e.representative
        from found f join house_consignment h on h.id = f.house
        join entry_summary_declaration e on e.id = h.ens_id
      ),
      affected as materialized (
        select array(
          select declarant from declaration
          union select representative from declaration where representative is not null
          union select c.organisation_id from found f join signal_recipient c on c.house_consignment_id = f.house
        ) as organisations
      )
      select organisations, lock_in_order(${FEED_LOCK}, organisations, ${LOCK_TIMEOUT_MS}) as locked from affected`,
    values: [...decisionColumns(decisions), onlyUndecided],
  };
}

/** Whether a decision changes the current one of its house consignment. */
function changes(
  decision: string,
  routing: string,
  location: string,
  onlyUndecided: string,
): string {
  return `(${decision}.routing, ${decision}.routing_control_location) is distinct from (${routing}, ${location})
          and not (${onlyUndecided}::boolean and ${routing} is not null)`;
}

function decisionColumns(decisions: readonly Decision[]) {
  const documents = decisions.map(({ transportDocumentHouseLevel }) => transportDocumentHouseLevel);
  return [
    decisions.map(({ mrn }) => mrn ?? null),
    documents.map(({ documentNumber }) => documentNumber),
    documents.map(({ type }) => type),
    decisions.map(({ routing }) => routing),
    decisions.map(({ routingControlLocation }) => routingControlLocation ?? null),
  ];
}

/**
 * Records the decisions that change the current one, and issues a signal for each of them to each connected
 * organisation. It does nothing and returns no row if it affects an organisation that is not locked, because the goods
 * were presented or their declaration was changed before the locks were taken.
 *
 * @param locked the organisations that `lockAffected` has locked in this transaction
 * @param onlyUndecided whether house consignments that already have a decision are skipped
 */
export function commitDecisions(
  decisions: readonly Decision[],
  locked: readonly number[],
  { at, organisationId, clientId, requestId, profile }: DecisionContext,
  onlyUndecided: boolean,
): Statement {
  return {
    name: 'commit-decisions',
    text: `
      with current as materialized (
        select d.*, f.houses, f.house, e.declarant, e.representative, h.signal_head,
          h.routing as current_routing, h.routing_control_location as current_location
        from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::integer[])
          with ordinality as d (mrn, document_number, document_type, routing, routing_control_location, reason,
            profile_rule, number_in_block)
        cross join lateral find_house_consignment(d.mrn, d.document_number, d.document_type) f
        left join house_consignment h on h.id = f.house
        left join entry_summary_declaration e on e.id = h.ens_id
      ),
      unlocked as materialized (
        select true from current
        where house is not null and ${changes('current', 'current_routing', 'current_location', '$9')} and (
          declarant <> all ($8::integer[]) or representative <> all ($8::integer[])
          or (select true from signal_recipient c
            where c.house_consignment_id = house and c.organisation_id <> all ($8::integer[]) limit 1))
        limit 1
      ),
      -- Decisions for one house consignment apply in their order: each is compared with the previous one.
      compared as (
        select s.*, house is not null
          and (routing, routing_control_location) is distinct from (routing_before, location_before)
          and not ($9::boolean and current_routing is not null) as changed
        from (
          select current.*,
            case when row_number() over decisions = 1 then current_routing
              else lag(routing) over decisions end as routing_before,
            case when row_number() over decisions = 1 then current_location
              else lag(routing_control_location) over decisions end as location_before
          from current
          window decisions as (partition by house order by number_in_block)
        ) s
        where (select true from unlocked) is null
      ),
      decided as materialized (
        select c.*,
          case when changed then count(*) filter (where changed) over decisions + (
            select coalesce(max(number), 0) from routing_decision d where d.house_consignment_id = c.house
          ) end as number,
          count(*) filter (where changed) over (
            partition by house order by number_in_block rows between 1 following and unbounded following) = 0 as last,
          case when changed then (
            select count(*)::integer from signal_recipient where house_consignment_id = c.house
          ) else 0 end as signals
        from compared c
        window decisions as (partition by house order by number_in_block)
      ),
      -- The end of each feed is looked up once, in its first row. In a join, the planner would compare every row with
      -- every end.
      signal as materialized (
        select s.*, step + max(feed_end) over (partition by owner) as position
        from (
          select c.organisation_id as owner, d.house, d.number, d.signal_head, d.routing, d.routing_control_location,
            row_number() over owners as step,
            case when row_number() over owners = 1 then coalesce(
              (select max(position) from routing_signal r where r.owner = c.organisation_id), 0) end as feed_end
          from decided d join signal_recipient c on c.house_consignment_id = d.house
          where d.changed
          window owners as (partition by c.organisation_id order by d.number_in_block)
        ) s
      ),
      new_signal as (
        insert into routing_signal (owner, position, id, entry)
        select owner, position, id, routing_signal_entry(signal_head, id, routing, routing_control_location, $11)
        from (
          select signal.*, mint_marker(position, (select hashtextextended(gen_random_uuid()::text, 0))) as id from signal
          offset 0 -- so that each marker is minted once, not wherever it is used
        ) minted
        returning owner, position, entry_digest(entry) as digest
      ),
      new_issued_signal as (
        insert into issued_signal (house_consignment_id, owner, position, decision)
        select house, owner, position, number from signal
      ),
      new_decision as (
        insert into routing_decision (house_consignment_id, number, decided_at, routing, routing_control_location,
          reason, organisation_id, client_id, request_id, profile, profile_version, profile_rule)
        select house, number, $10::timestamptz, routing, routing_control_location, reason, $12::integer, $13, $14, $15,
          $16::integer, profile_rule
        from decided where changed
      ),
      applied as (
        update house_consignment h
        set routing = d.routing, routing_control_location = d.routing_control_location
        from decided d where d.changed and d.last and h.id = d.house
      ),
      -- The declarant's row of goods that were presented without a decision.
      not_awaited as (
        update signal_recipient s set awaits_decision = null
        from decided d
        where d.changed and d.last
          and s.house_consignment_id = d.house and s.organisation_id = d.declarant and s.awaits_decision
      ),
      -- A digest of digests for each feed, because a text of all entries may not fit into memory.
      appended_range as (
        select ${routingSignals.number} || '/' || owner || '/' || min(position) || '-' || max(position) as range,
          encode(sha256(string_agg(digest, '' order by position)), 'hex') as digest
        from new_signal group by owner
      )
      select houses, house, changed, signals,
        case when number_in_block = 1 then (select array_agg(distinct owner) from signal) end as signalled,
        case when number_in_block = 1 then (
          select json_build_object('ranges', json_agg(json_build_object('range', range, 'digest', digest)))
          from appended_range having count(*) > 0
        ) end as appended
      from decided order by number_in_block`,
    values: [
      ...decisionColumns(decisions),
      decisions.map(({ reason }) => reason ?? null),
      decisions.map(({ rule }) => rule ?? null),
      locked,
      onlyUndecided,
      at,
      at.toISOString(),
      organisationId,
      clientId,
      requestId,
      profile?.name ?? null,
      profile?.version ?? null,
    ],
  };
}
