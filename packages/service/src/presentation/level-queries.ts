// SQL of presenting at a level whose reference may reach very many house consignments: each request is one transaction
// of two statements. The first locks feeds; the second reads what was committed before that.
import { presentationLevels } from '@landfall/contract';
import type { Statement } from '../database/database.js';
import { AUDIT_LOCK, FEED_LOCK } from '../database/locks.js';
import { LOCK_TIMEOUT_MS } from '../feed/organisation-locks.js';
import { routingSignals } from '../routing/signal-feed.js';
import {
  type FoundLevel,
  isReused,
  reachedGoods,
  requestRow,
  requestValues,
  type UpperLevel,
} from './level-goods-queries.js';
import type { CachedEnds } from './queries.js';
import { validationStatuses } from './status-feed.js';
import type { PresentationRequest } from './submission.js';

/** Locks feeds as far as they are free. Stores whom it locked in a transaction-local setting. */
export function lockLevel(organisations: readonly number[]): Statement {
  return {
    name: 'lock-level',
    text: `
      with locked as materialized (
        select lock_in_order(${FEED_LOCK}, $1::integer[], ${LOCK_TIMEOUT_MS}) as organisations
      )
      select set_config('landfall.locked', organisations::text, true) from locked`,
    values: [organisations],
  };
}

const lockedRows = `locked as materialized (
        select unnest(current_setting('landfall.locked')::integer[]) as organisation
      )`;

/** Appends the status of the request that was `judged`: consumes its requestId. */
function newStatus(path: UpperLevel): string {
  const { level } = presentationLevels[path];
  return `
      -- A request is recorded unless its requestId is unreadable or was used before, or the request has to wait.
      status as materialized (
        select *, problem is not null or errors is not null as failed,
          1 + coalesce(
            (select max(position) from validation_status s where s.owner = presenter and position >= status_end),
            (select max(position) from validation_status s where s.owner = presenter), 0) as position
        from judged where id is not null and not reused and held is null
      ),
      new_status as (
        insert into validation_status (owner, position, id, failed, ens_id, entry)
        select presenter, position, id, failed, one_ens,
          validation_status_entry(request_text, failed, '${level}', notified, one_mrn, office, houses,
            case when failed then concat_ws(',', errors, case problem
              when 'REFERENCE_NOT_FOUND' then not_found when 'REFERENCE_AMBIGUOUS' then ambiguous end) end)
        from status
        returning owner, position, entry_digest(entry) as digest
      ),
      new_level_presentation as (
        insert into level_presentation (ens_id, presenter, request_id, at, level, reference, document_type)
        select d.id, s.presenter, s.id, s.notified::timestamptz, '${level}', s.reference, s.document_type
        from status s cross join declaration d
        where not s.failed
        -- A requestId can be used again after its status was removed.
        on conflict (ens_id, presenter, request_id) do update set at = excluded.at, level = excluded.level,
          reference = excluded.reference, document_type = excluded.document_type
      ),
      new_status_ens as (
        insert into validation_status_ens (owner, ens_id, position)
        select s.presenter, d.id, s.position
        from status s cross join declaration d
        where s.one_ens is null
      )`;
}

/** Appends the audit record of the entries in `entry`, and gives the outcome. */
const recordEntries = `
      -- A digest of digests for each feed, because a text of all entries may not fit into memory.
      appended as (
        select feed || '/' || owner || '/' || min(position) || '-' || max(position) as range,
          encode(sha256(string_agg(digest, '' order by position)), 'hex') as digest
        from entry
        group by feed, owner
      ),
      recorded as (
        select append_audit_record(${AUDIT_LOCK}, $13::text
          || case when (select failed from status) then ',"failed":[0]' else '' end
          || ',"appended":{"ranges":[' || string_agg('{"range":"' || range || '","digest":"' || digest || '"}', ',')
          || ']}}}') as chain_end
        from appended having count(*) > 0
      )
      select (select chain_end::text from recorded) as recorded,
        (select json_build_array(json_build_object('index', 0, 'reused', reused, 'problem', problem, 'held', held))
          from judged where reused or problem is not null or held is not null) as issues,
        (select json_build_object(presenter, position) from status) as status_ends,`;

/**
 * Records a request that was found to add nothing to any goods: it appends the status, under the lock of the presenter
 * alone. What it takes does not depend on the number of goods.
 */
export function recordLevel(
  path: UpperLevel,
  request: PresentationRequest,
  { declarations, problem, houses, one_ens, one_mrn }: FoundLevel,
  ends: CachedEnds,
  record: string,
): Statement {
  return {
    name: `record-${path}`,
    text: `
      with ${lockedRows},
      ${requestRow},
      declaration as (
        select unnest($14::integer[]) as id
      ),
      judged as materialized (
        select r.*, $15::text as problem, $16::bigint as houses, $17::integer as one_ens, $18::text as one_mrn,
          ${isReused} as reused,
          case when presenter not in (select organisation from locked) then presenter end as held
        from request r
      ),${newStatus(path)},
      entry as (
        select ${validationStatuses.number} as feed, owner, position, digest from new_status
      ),${recordEntries}
        null::json as signal_ends`,
    values: [
      ...requestValues(path, request, false, ends.status),
      record,
      declarations,
      problem,
      houses,
      one_ens,
      one_mrn,
    ],
  };
}

/**
 * Records the request: consumes the requestId, connects the presenter, the declarant and the representative to each
 * house consignment, and appends the status and the signals that are already decided. Nothing is done when a feed that
 * would grow is not locked.
 */
export function commitLevel(
  path: UpperLevel,
  request: PresentationRequest,
  expectedOnly: boolean,
  ends: CachedEnds,
  record: string,
  now: Date,
): Statement {
  return {
    name: `commit-${path}`,
    text: `
      with ${lockedRows},
      ${requestRow},
      ${reachedGoods(path)},
      judged as materialized (
        select r.*, ${isReused} as reused,
          (
            select organisation from (select r.presenter union all select owner from growing) needed (organisation)
            where organisation not in (select organisation from locked) limit 1
          ) as held
        from found r
      ),${newStatus(path)},
      feed_end as materialized (
        select owner, coalesce(
          (select max(position) from routing_signal s
            where s.owner = organisation.owner and position >= case when owner = $1 then $14::bigint else 0 end),
          (select max(position) from routing_signal s where s.owner = organisation.owner), 0) as position
        from (select distinct owner from affected, status where not failed) organisation
      ),
      connected as materialized (
        select owner, is_declarant, house, stored_at, decided, feed_end.position + row_number() over (
            -- House consignments with a signal come first, so that the positions of signals have no gap.
            partition by owner order by not decided, house
          ) as position
        from missing join feed_end using (owner)
      ),
      new_connection as (
        insert into signal_recipient (house_consignment_id, organisation_id, presenter, request_id, signal_position,
          first_presented_at, office, awaits_decision)
        select house, owner, presenter, id, case when decided then connected.position end,
          -- The first presentation connects the declarant, and no other one does.
          case when is_declarant then notified::timestamptz end,
          case when is_declarant then office end,
          case when is_declarant and not decided then true end
        from connected cross join status
      ),
      new_signal as (
        insert into routing_signal (owner, position, id, entry)
        select owner, position, minted.id, routing_signal_entry(signal_head, minted.id, routing, routing_control_location, $15)
        from (
          select owner, position, stored_at,
            mint_marker(position, (select hashtextextended(gen_random_uuid()::text, 0))) as id
          from connected where decided
          offset 0 -- so that each marker is minted once, not wherever it is used
        ) minted
        join house_consignment h on h.ctid = minted.stored_at
        returning owner, position, entry_digest(entry) as digest
      ),
      entry as (
        select ${validationStatuses.number} as feed, owner, position, digest from new_status
        union all
        select ${routingSignals.number}, owner, position, digest from new_signal
      ),${recordEntries}
        (select json_object_agg(owner, position) from (
          select owner, max(position) as position from connected where decided group by owner
        ) grown) as signal_ends`,
    values: [
      ...requestValues(path, request, expectedOnly, ends.status),
      record,
      ends.signal,
      now.toISOString(),
    ],
  };
}
