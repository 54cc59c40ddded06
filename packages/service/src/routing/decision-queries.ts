// SQL of decisions. A block of decisions is one transaction: it locks the affected organisations, reads what it decides
// on, and writes what changes.

import type { Statement } from '../database/database.js';
import { AUDIT_LOCK, FEED_LOCK } from '../database/locks.js';
import { Parameters } from '../database/parameters.js';
import { MAX_ENTRIES } from '../feed/feed.js';
import type { LockedRow } from '../feed/lock-queries.js';
import { LOCK_TIMEOUT_MS } from '../feed/organisation-locks.js';
import type { DecidedChange, DecidedRow, Decision } from './compare-decisions.js';
import type { DecisionContext } from './decision-context.js';

/** Rows of decisions: `mrn`, `document_number`, `document_type`. */
function references(given: Parameters, decisions: readonly Decision[]): string {
  return given.rows('decision', decisions, {
    mrn: ['text', ({ mrn }) => mrn],
    document_number: [
      'text',
      ({ transportDocumentHouseLevel: { documentNumber } }) => documentNumber,
    ],
    document_type: ['text', ({ transportDocumentHouseLevel: { type } }) => type],
    routing: ['text', ({ routing }) => routing],
    location: ['text', ({ routingControlLocation }) => routingControlLocation],
  });
}

/**
 * Locks the feeds of the affected organisations as far as they are free: the connected organisations, and the
 * declarants and representatives, because every presentation that adds to these goods needs their locks. Goods whose
 * decision does not change affect nobody.
 *
 * @param onlyUndecided whether house consignments that already have a decision are skipped
 */
export function lockAffected(
  decisions: readonly Decision[],
  onlyUndecided: boolean,
): Statement<LockedRow> {
  const given = new Parameters();
  return {
    name: 'lock-decisions',
    text: `
      with changing as materialized (
        select distinct h.id as house, h.ens_id
        from ${references(given, decisions)}
        cross join lateral find_house_consignment(mrn, document_number, document_type) f
        join house_consignment h on h.id = f.house
        where (decision.routing, location) is distinct from (h.routing, h.routing_control_location)
          and not (${given.add(onlyUndecided, 'boolean')} and h.routing is not null)
      ),
      affected as materialized (
        select array(
          select party from changing join entry_summary_declaration e on e.id = ens_id
          cross join lateral (values (declarant), (representative)) parties (party) where party is not null
          union select c.organisation_id from changing join signal_recipient c on c.house_consignment_id = house
        ) as organisations
      )
      select organisations, lock_in_order(${FEED_LOCK}, organisations, ${LOCK_TIMEOUT_MS}) as locked from affected`,
    values: given.values,
  };
}

/** Reads what the decisions are about, after the affected organisations were locked. */
export function selectDecided(decisions: readonly Decision[]): Statement<DecidedRow> {
  const given = new Parameters();
  return {
    name: 'select-decided',
    text: `
      select f.houses, f.house, h.routing, h.routing_control_location as location,
        coalesce((select max(d.number) from routing_decision d where d.house_consignment_id = f.house), 0) as decisions,
        array_remove(array[e.declarant, e.representative], null) as parties,
        array(select organisation_id from signal_recipient c where c.house_consignment_id = f.house order by 1) as recipients
      from ${references(given, decisions)}
      cross join lateral find_house_consignment(mrn, document_number, document_type) f
      left join house_consignment h on h.id = f.house
      left join entry_summary_declaration e on e.id = h.ens_id
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
  { at, organisationId, clientId, requestId, profile }: DecisionContext,
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
          is_last: ['boolean', ({ isLast }) => isLast],
          routing: ['text', ({ decision }) => decision.routing],
          location: ['text', ({ decision }) => decision.routingControlLocation],
          reason: ['text', ({ decision }) => decision.reason],
          rule: ['integer', ({ decision }) => decision.rule],
        })}
      ),
      new_decision as (
        insert into routing_decision (house_consignment_id, number, decided_at, routing, routing_control_location,
          reason, organisation_id, client_id, request_id, profile, profile_version, profile_rule)
        select house, decision, ${given.add(at, 'timestamptz')}, routing, location, reason,
          ${given.add(organisationId, 'integer')}, ${given.add(clientId, 'text')}, ${given.add(requestId, 'text')},
          ${given.add(profile?.name, 'text')}, ${given.add(profile?.version, 'integer')}, rule
        from change
      ),
      applied as (
        update house_consignment h set routing = change.routing, routing_control_location = location
        from change where is_last and h.id = house
      ),
      -- The declarant's row of goods that were presented without a decision; no other row has the mark.
      not_awaited as (
        update signal_recipient s set awaits_decision = null
        from change where is_last and s.house_consignment_id = house and s.awaits_decision
      ),
      signal as materialized (
        select change.*, c.organisation_id as owner, row_number() over (order by change.number, c.organisation_id) as entry
        from change join signal_recipient c on c.house_consignment_id = house
      ),
      appended as materialized (
        select part, a.*
        from (
          select (entry - 1) / ${MAX_ENTRIES} as part, array_agg(new_signal(owner, h.signal_head, signal.routing, location,
            ${given.add(at.toISOString(), 'text')}) order by entry) as entries
          from signal join house_consignment h on h.id = house
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
        select (append_audit_record(${AUDIT_LOCK}, ${given.add(record, 'text')}
          || coalesce(',"appended":[' || appended || ']', '') || '}}')).chain, appended
        from appended_text
      )
      select appended from recorded`,
    values: given.values,
  };
}
