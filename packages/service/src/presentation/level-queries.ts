// SQL of presenting at a level whose reference may reach very many house consignments: each request is one transaction
// of two statements. The first locks the affected organisations; the second reads what was committed before that.
import { type PresentationPath, presentationLevels } from '@landfall/contract';
import type { Statement } from '../database/database.js';
import { AUDIT_LOCK, FEED_LOCK } from '../database/locks.js';
import { LOCK_TIMEOUT_MS } from '../feed/organisation-locks.js';
import { routingSignals } from '../routing/signal-feed.js';
import { type CachedEnds, errorsText, problemTexts } from './queries.js';
import { validationStatuses } from './status-feed.js';
import type { PresentationRequest } from './submission.js';

/** The levels above that of a house consignment. */
export type UpperLevel = Exclude<PresentationPath, 'house-consignment'>;

/**
 * Locks the feeds of the affected organisations as far as they are free: the presenter, and the declarants and
 * representatives of the goods. Stores whom it locked in a transaction-local setting.
 */
export function lockLevel(
  path: UpperLevel,
  { organisationId, submission: { reference } }: PresentationRequest,
  expectedOnly: boolean,
): Statement {
  const { level } = presentationLevels[path];
  return {
    name: `lock-${path}`,
    text: `
      with request as (
        select $1::integer as presenter, $2::text as reference, $3::text as document_type, $4::text as mrn
      ),
      -- The declarations that the reference leads to. The planner removes the parts for other levels.
      reached as (
        select r.presenter, e.*
        from request r
        join house_consignment h on h.master_document_number = r.reference and h.master_document_type = r.document_type
        cross join lateral (
          select * from entry_summary_declaration where id = h.ens_id
          offset 0 -- so that goods are found first: of few declarations, the planner would read all with all goods
        ) e
        where (r.mrn is null or e.mrn = r.mrn) and '${level}' = 'MASTER_CONSIGNMENT'
        union all
        select r.presenter, e.*
        from request r
        join house_consignment_container c on c.container_id = r.reference
        join house_consignment h on h.id = c.house_consignment_id
        join entry_summary_declaration e on e.id = h.ens_id
        where '${level}' = 'CONTAINER'
        union all
        select r.presenter, e.*
        from request r
        join house_consignment h on h.receptacle_id = r.reference
        join entry_summary_declaration e on e.id = h.ens_id
        where '${level}' = 'RECEPTACLE'
        union all
        select r.presenter, e.*
        from request r
        join entry_summary_declaration e on e.mrn = r.reference
        where '${level}' = 'ENTRY_SUMMARY_DECLARATION'
      ),
      declaration as (
        select distinct declarant, representative from reached
        where not $5::boolean or may_present(presenter, declarant, representative, carrier, presenters)
      ),
      affected as (
        select presenter as organisation from request
        union all
        select unnest(array[declarant, representative]) from declaration
      ),
      locked as materialized (
        select lock_in_order(${FEED_LOCK}, array(select organisation from affected), ${LOCK_TIMEOUT_MS}) as organisations
      )
      select set_config('landfall.locked', organisations::text, true) from locked`,
    values: [
      organisationId,
      reference?.identifier,
      reference?.documentType,
      reference?.mrn,
      expectedOnly,
    ],
  };
}

/**
 * Records the request: consumes the requestId, connects the presenter, the declarant and the representative to each
 * house consignment, and appends the status and the signals that are already decided. Nothing is done when it affects
 * an organisation which is not locked.
 */
export function commitLevel(
  path: UpperLevel,
  { organisationId, submission, notifiedAt }: PresentationRequest,
  expectedOnly: boolean,
  ends: CachedEnds,
  record: string,
  now: Date,
): Statement {
  const { level } = presentationLevels[path];
  const { notFound, ambiguous } = problemTexts(path);
  return {
    name: `commit-${path}`,
    text: `
      with locked as materialized (
        select unnest(current_setting('landfall.locked')::integer[]) as organisation
      ),
      request as materialized (
        select $1::integer as presenter, $2::text as reference, $3::text as document_type, $4::text as mrn,
          $6::text as request_text, $6::uuid as id, $7::text as errors
      ),
      -- The goods that the reference leads to. The planner removes the parts for other levels.
      goods as (
        select r.presenter, h.id as house, h.ctid as stored_at, h.routing is not null as decided, e.*
        from request r
        join house_consignment h on h.master_document_number = r.reference and h.master_document_type = r.document_type
        cross join lateral (
          select * from entry_summary_declaration where id = h.ens_id
          offset 0 -- so that goods are found first: of few declarations, the planner would read all with all goods
        ) e
        where (r.mrn is null or e.mrn = r.mrn) and '${level}' = 'MASTER_CONSIGNMENT'
        union all
        select r.presenter, h.id, h.ctid, h.routing is not null, e.*
        from request r
        join house_consignment_container c on c.container_id = r.reference
        join house_consignment h on h.id = c.house_consignment_id
        join entry_summary_declaration e on e.id = h.ens_id
        where '${level}' = 'CONTAINER'
        union all
        select r.presenter, h.id, h.ctid, h.routing is not null, e.*
        from request r
        join house_consignment h on h.receptacle_id = r.reference
        join entry_summary_declaration e on e.id = h.ens_id
        where '${level}' = 'RECEPTACLE'
        union all
        -- One without house consignments is presented too.
        select r.presenter, h.id, h.ctid, h.routing is not null, e.*
        from request r
        join entry_summary_declaration e on e.mrn = r.reference
        left join house_consignment h on h.ens_id = e.id
        where '${level}' = 'ENTRY_SUMMARY_DECLARATION'
      ),
      -- Narrow rows: the texts of signals are read from their rows when the signals are written.
      reached as materialized (
        select house, stored_at, decided, id as ens from goods
        where not $5::boolean or may_present(presenter, declarant, representative, carrier, presenters)
      ),
      declaration as materialized (
        select e.id, e.mrn, e.declarant, e.representative, houses
        from (select ens, count(house) as houses from reached group by ens) reached
        join entry_summary_declaration e on e.id = reached.ens
      ),
      affected as materialized (
        select d.id as ens, owner, owner = d.declarant as is_declarant
        from request r cross join declaration d
        cross join lateral (values
          (r.presenter),
          (nullif(d.declarant, r.presenter)),
          (case when d.representative not in (r.presenter, d.declarant) then d.representative end)
        ) each_once (owner)
        where owner is not null
      ),
      judged as materialized (
        select r.*, declarations, houses, one_ens, one_mrn,
          case
            when declarations = 0 and r.reference is not null then 'REFERENCE_NOT_FOUND'
            when declarations > 1 and r.document_type is not null then 'REFERENCE_AMBIGUOUS'
          end as problem,
          (select true from validation_status s where s.owner = r.presenter and s.id = r.id limit 1) is not null as reused,
          (
            select organisation from (select r.presenter union all select owner from affected) needed (organisation)
            where organisation not in (select organisation from locked) limit 1
          ) as held
        from request r cross join (
          select count(*) as declarations, coalesce(sum(houses), 0)::bigint as houses,
            case when count(*) = 1 then min(id) end as one_ens, case when count(*) = 1 then min(mrn) end as one_mrn
          from declaration
        ) tally
      ),
      -- A request is recorded unless its requestId is unreadable or was used before, or the request has to wait.
      status as materialized (
        select *, problem is not null or errors is not null as failed,
          1 + coalesce(
            (select max(position) from validation_status s where s.owner = presenter and position >= $8::bigint),
            (select max(position) from validation_status s where s.owner = presenter), 0) as position
        from judged where id is not null and not reused and held is null
      ),
      feed_end as materialized (
        select owner, coalesce(
          (select max(position) from routing_signal s
            where s.owner = organisation.owner and position >= case when owner = $1 then $9::bigint else 0 end),
          (select max(position) from routing_signal s where s.owner = organisation.owner), 0) as position
        from (select distinct owner from affected, status where not failed) organisation
      ),
      party as materialized (
        select ens, owner, is_declarant, position as feed_end from affected join feed_end using (owner)
      ),
      connected as materialized (
        select owner, is_declarant, r.house, r.stored_at, r.decided, feed_end + row_number() over (
            -- House consignments with a signal come first, so that the positions of signals have no gap.
            partition by owner order by not r.decided, r.house
          ) as position
        from reached r join party using (ens)
        where r.house is not null and (
          select true from signal_recipient c where c.house_consignment_id = r.house and c.organisation_id = owner limit 1
        ) is null
      ),
      new_connection as (
        insert into signal_recipient (house_consignment_id, organisation_id, presenter, request_id, signal_position,
          first_presented_at, office, awaits_decision)
        select house, owner, $1, $6::uuid, case when decided then position end,
          -- The first presentation connects the declarant, and no other one does.
          case when is_declarant then $10::text::timestamptz end,
          case when is_declarant then $11::text end,
          case when is_declarant and not decided then true end
        from connected
      ),
      new_status as (
        insert into validation_status (owner, position, id, failed, ens_id, entry)
        select presenter, position, id, failed, one_ens,
          validation_status_entry(request_text, failed, '${level}', $10::text, one_mrn,
            $11::text, houses, case when failed then concat_ws(',', errors, case problem
              when 'REFERENCE_NOT_FOUND' then $12 when 'REFERENCE_AMBIGUOUS' then $13 end) end)
        from status
        returning owner, position, entry_digest(entry) as digest
      ),
      new_level_presentation as (
        insert into level_presentation (ens_id, presenter, request_id, at, level, reference, document_type)
        select d.id, s.presenter, s.id, $10::timestamptz, '${level}', s.reference, s.document_type
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
      ),
      new_signal as (
        insert into routing_signal (owner, position, id, entry)
        select owner, position, minted.id, routing_signal_entry(signal_head, minted.id, routing, routing_control_location, $14)
        from (
          select owner, position, stored_at,
            mint_marker(position, (select hashtextextended(gen_random_uuid()::text, 0))) as id
          from connected where decided
          offset 0 -- so that each marker is minted once, not wherever it is used
        ) minted
        join house_consignment h on h.ctid = minted.stored_at
        returning owner, position, entry_digest(entry) as digest
      ),
      -- A digest of digests for each feed, because a text of all entries may not fit into memory.
      appended as (
        select feed || '/' || owner || '/' || min(position) || '-' || max(position) as range,
          encode(sha256(string_agg(digest, '' order by position)), 'hex') as digest
        from (
          select ${validationStatuses.number} as feed, owner, position, digest from new_status
          union all
          select ${routingSignals.number}, owner, position, digest from new_signal
        ) entry
        group by feed, owner
      ),
      recorded as (
        select append_audit_record(${AUDIT_LOCK}, $15::text
          || case when (select failed from status) then ',"failed":[0]' else '' end
          || ',"appended":{"ranges":[' || string_agg('{"range":"' || range || '","digest":"' || digest || '"}', ',')
          || ']}}}') as chain_end
        from appended having count(*) > 0
      )
      select (select chain_end::text from recorded) as recorded,
        (select json_build_array(json_build_object('index', 0, 'reused', reused, 'problem', problem, 'held', held))
          from judged where reused or problem is not null or held is not null) as issues,
        (select json_build_object(presenter, position) from status) as status_ends,
        (select json_object_agg(owner, position) from (
          select owner, max(position) as position from connected where decided group by owner
        ) grown) as signal_ends`,
    values: [
      organisationId,
      submission.reference?.identifier,
      submission.reference?.documentType,
      submission.reference?.mrn,
      expectedOnly,
      submission.requestId,
      errorsText(submission.errors),
      ends.status,
      ends.signal,
      notifiedAt.toISOString(),
      submission.customsOffice,
      notFound,
      ambiguous,
      now.toISOString(),
      record,
    ],
  };
}
