// SQL of decisions: one transaction for a whole block of them. Columns go in as arrays, a row of them a decision.
import type { RoutingDecision } from '@landfall/contract';
import { entryDigest, summariseAppended } from '../audit/queries.js';
import type { Statement } from '../database/database.js';
import { FEED_LOCK } from '../database/locks.js';
import { LOCK_PATIENCE_MS } from '../feed/organisation-locks.js';
import { positioned } from '../feed/queries.js';
import type { DecidedBy } from './decided-by.js';
import { routingSignals } from './signal-feed.js';

/**
 * What became of one decision. On the first row alone: whose feeds have grown (`signalled`), and what the audit trail
 * says of that (`appended`, JSON text).
 */
export type DecisionRow = {
  /** How many house consignments the reference leads to: 0, 1, or 2 for several. */
  houses: number;
  house: string | null;
  changed: boolean;
  signals: number;
  signalled: number[] | null;
  appended: string | null;
};

/** How the house consignments of a block are told: by what decisions name, or by their ids. */
export type Reached = { by: 'reference' | 'id'; columns: readonly unknown[] };

/** The house consignments that decisions name. */
export function reachByReference(decisions: readonly RoutingDecision[]): Reached {
  return {
    by: 'reference',
    columns: [
      decisions.map(({ mrn }) => mrn ?? null),
      decisions.map(
        ({ transportDocumentHouseLevel }) => transportDocumentHouseLevel.documentNumber,
      ),
      decisions.map(({ transportDocumentHouseLevel }) => transportDocumentHouseLevel.type),
    ],
  };
}

/** House consignments by their ids. */
export function reachById(ids: readonly string[]): Reached {
  // Three columns as well, so that the parameters after them have the same numbers.
  return { by: 'id', columns: [ids, [], []] };
}

/** What is decided, beside the columns that tell of what. */
const decidedColumns = {
  values: '$4::text[], $5::text[], $6::text[], $7::integer[]',
  names: 'routing, routing_control_location, reason, profile_rule',
};

/**
 * Each line with the house consignment (`house`) that it leads to, and whether there are others (`houses` = 2); with
 * what is decided of it, where that is asked for.
 */
function found(by: Reached['by'], withDecided: boolean): string {
  const values = withDecided ? `, ${decidedColumns.values}` : '';
  const names = withDecided ? `, ${decidedColumns.names}` : '';
  if (by === 'id') {
    return `
    found as materialized (
      select place, 1 as houses, house ${names}
      from unnest($1::uuid[], $2::text[], $3::text[] ${values}) with ordinality
        as l (house, unused, unused_too ${names}, place)
    )`;
  }
  return `
    found as materialized (
      select l.place, f.houses, case when f.houses = 1 then f.house end as house ${names}
      from unnest($1::text[], $2::text[], $3::text[] ${values}) with ordinality
        as l (mrn, document_number, document_type ${names}, place)
      cross join lateral (
        select count(*)::integer as houses, (array_agg(id))[1] as house
        from (
          (select h.id from entry_summary_declaration e join house_consignment h on h.ens_id = e.id
              and h.document_number = l.document_number and h.document_type = l.document_type
            where e.mrn = l.mrn limit 1)
          union all
          (select h.id from house_consignment h
            where l.mrn is null
              and h.document_number = l.document_number and h.document_type = l.document_type
            limit 2)
        ) reached
      ) f
    )`;
}

/**
 * Finds the organisations that these decisions affect: declarants and representatives, without whose lock nobody
 * presents, and all who are connected already. Locks their feeds as far as they are free.
 */
export function lockAffected({ by, columns }: Reached): Statement {
  return {
    name: `lock-affected-${by}`,
    text: `
      with ${found(by, false)},
      declaration as materialized (
        select e.declarant, e.representative
        from found f join house_consignment h on h.id = f.house
        join entry_summary_declaration e on e.id = h.ens_id
      ),
      affected as materialized (
        select array(
          select declarant from declaration
          union select representative from declaration where representative is not null
          union select c.organisation_id from found f join connection c on c.house_consignment_id = f.house
        ) as organisations
      )
      select organisations, lock_in_order(${FEED_LOCK}, organisations, ${LOCK_PATIENCE_MS}) as locked from affected`,
    values: columns,
  };
}

const newSignals = `
  select ${routingSignals.number} as feed, owner, position, digest from new_signal`;

/** What is decided of each, as columns. */
export type Decided = {
  routing: readonly string[];
  routingControlLocation: readonly (string | null)[];
  reason: readonly (string | null)[];
  /** The places of a profile's rules, where one decides. */
  rule: readonly (number | null)[];
};

/**
 * Records the decisions that change what stands, and issues a signal for each of them to each connected
 * organisation. It does nothing, and gives no row, when it concerns an organisation that is not locked: somebody
 * has presented, or the declaration has changed, before the locks were there.
 *
 * @param locked the organisations that `lockAffected` has locked in this transaction
 * @param onlyUndecided leaves alone what is decided already
 */
export function commitDecisions(
  { by, columns }: Reached,
  decided: Decided,
  locked: readonly number[],
  { at, organisationId, clientId, requestId, profile }: DecidedBy,
  onlyUndecided = false,
): Statement {
  return {
    name: `commit-decisions-${by}-${onlyUndecided ? 'undecided' : 'all'}`,
    text: `
      with ${found(by, true)},
      standing as materialized (
        select f.*, e.declarant, e.representative, h.signal_head,
          h.routing as standing_routing, h.routing_control_location as standing_location
        from found f
        left join house_consignment h on h.id = f.house
        left join entry_summary_declaration e on e.id = h.ens_id
      ),
      unlocked as materialized (
        select true from standing s
        where s.house is not null and (
          s.declarant <> all ($8::integer[]) or s.representative <> all ($8::integer[])
          or (select true from connection c
            where c.house_consignment_id = s.house and c.organisation_id <> all ($8::integer[]) limit 1))
        limit 1
      ),
      -- Decisions for one house consignment apply in their order: each meets what the one before it left.
      stepped as (
        select s.*, house is not null
          and (routing, routing_control_location) is distinct from (routing_before, location_before)
          ${onlyUndecided ? 'and standing_routing is null' : ''} as changed
        from (
          select s.*,
            case when row_number() over steps = 1 then standing_routing
              else lag(routing) over steps end as routing_before,
            case when row_number() over steps = 1 then standing_location
              else lag(routing_control_location) over steps end as location_before
          from standing s
          window steps as (partition by house order by place)
        ) s
        where (select true from unlocked) is null
      ),
      decided as materialized (
        select s.*,
          case when changed then count(*) filter (where changed) over steps + (
            select coalesce(max(number), 0) from routing_decision d where d.house_consignment_id = s.house
          ) end as number,
          count(*) filter (where changed) over (
            partition by house order by place rows between 1 following and unbounded following) = 0 as last,
          case when changed then (
            select count(*)::integer from connection c where c.house_consignment_id = s.house
          ) else 0 end as signals
        from stepped s
        window steps as (partition by house order by place)
      ),
      appended as materialized (
        ${positioned(
          routingSignals,
          `select c.organisation_id as owner, d.place, d.house, d.number, d.signal_head, d.routing,
            d.routing_control_location
          from decided d join connection c on c.house_consignment_id = d.house where d.changed`,
          'place',
        )}
      ),
      new_signal as (
        insert into routing_signal (owner, position, id, entry)
        select owner, position, id, routing_signal_entry(signal_head, id, routing, routing_control_location, $10)
        from (
          select appended.*, mint_marker(position, (select hashtextextended(gen_random_uuid()::text, 0))) as id from appended
          offset 0 -- so that each marker is minted once, not wherever it is used
        ) minted
        returning owner, position, ${entryDigest}
      ),
      new_issued_signal as (
        insert into issued_signal (house_consignment_id, owner, position, decision)
        select house, owner, position, number from appended
      ),
      new_decision as (
        insert into routing_decision (house_consignment_id, number, decided_at, routing, routing_control_location,
          reason, organisation_id, client_id, request_id, profile, profile_version, profile_rule)
        select house, number, $9::timestamptz, routing, routing_control_location, reason, $11::integer, $12, $13, $14,
          $15::integer, profile_rule
        from decided where changed
      ),
      applied as (
        update house_consignment h
        set routing = d.routing, routing_control_location = d.routing_control_location
        from decided d where d.changed and d.last and h.id = d.house
      )
      select houses, house, changed, signals,
        case when place = 1 then (select array_agg(distinct owner) from appended) end as signalled,
        case when place = 1 then (${summariseAppended(newSignals)}) end as appended
      from decided order by place`,
    values: [
      ...columns,
      decided.routing,
      decided.routingControlLocation,
      decided.reason,
      decided.rule,
      locked,
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
