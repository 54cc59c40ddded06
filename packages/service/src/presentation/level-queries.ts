// SQL of presenting at a level whose reference may reach very many house consignments. What it reaches is found without a
// lock. Then each request is one transaction of two statements: the first locks feeds, the second reads what was committed
// before that.
import {
  type PresentationPath,
  presentationLevels,
  type ReferenceProblem,
} from '@landfall/contract';
import { keepRecord } from '../audit/audit-trail.js';
import type { Statement } from '../database/database.js';
import { AUDIT_LOCK, FEED_LOCK, REFERENCE_LOCK } from '../database/locks.js';
import { Parameters } from '../database/parameters.js';
import { MAX_ENTRIES } from '../feed/feed.js';
import { LOCK_TIMEOUT_MS } from '../feed/organisation-locks.js';
import {
  errorsText,
  ignoredText,
  type PresentationsRow,
  problemTexts,
  recordTime,
} from './presentation-outcome.js';
import type { PresentationRequest } from './submission.js';

/** The levels above that of a house consignment. */
export type UpperLevel = Exclude<PresentationPath, 'house-consignment'>;

/** What a presentation reaches, and whose feeds it has to lock. */
export type FoundLevel = {
  reused: boolean;
  problem: ReferenceProblem | null;
  /** The declarations that the reference leads to, and the number of their house consignments that it reaches. */
  declarations: number[];
  houses: number;
  /** The declaration and its MRN if it is the only one. */
  one_ens: number | null;
  one_mrn: string | null;
  /**
   * Whether the organisation has presented the reference before: then what enters it after this was found is flagged.
   */
  repeated: boolean;
  /** The declarants and representatives of goods to which an organisation is added; none if nothing is added. */
  organisations: number[];
};

/** The request as one row. */
function requestRow(
  given: Parameters,
  path: UpperLevel,
  { organisationId, submission }: PresentationRequest,
): string {
  const { reference } = submission;
  return `select ${given.add(organisationId, 'integer')} as presenter,
          ${given.add(presentationLevels[path].level, 'text')} as level,
          ${given.add(reference?.key, 'text')} as reference,
          ${given.add(reference?.documentType, 'text')} as document_type,
          ${given.add(reference?.mrn, 'text')} as mrn,
          ${given.add(submission.requestId, 'text')} as request_text,
          ${given.add(submission.requestId, 'uuid')} as id,
          ${given.add(submission.customsOffice, 'text')} as office,
          ${given.add(errorsText(submission.errors), 'text')} as errors,
          ${given.add(ignoredText(submission.ignoredMembers), 'text')} as ignored`;
}

/** Whether the requestId of the request `r` was used before. */
const isReused =
  '(select true from validation_status s where s.owner = r.presenter and s.id = r.id limit 1) is not null';

/**
 * The parts `reached`, `reached_ens`, `missing` and `found` of a statement that has a `request`: the goods, their
 * declarations, the recipients that presenting adds, and the problem of the reference.
 */
function reachedGoods(given: Parameters, expectedOnly: boolean): string {
  return `-- Narrow rows: the texts of signals are read from their rows when the signals are written.
      reached as materialized (
        select g.* from request r
        cross join reach_level(r.level, r.reference, r.document_type, r.mrn, r.presenter,
          ${given.add(expectedOnly, 'boolean')}) g
      ),
      reached_ens as materialized (
        select ens, ens_mrn, declarant, representative, count(house) as houses from reached
        group by ens, ens_mrn, declarant, representative
      ),
      missing as materialized (
        select g.ens, owner, owner = g.declarant as is_declarant, g.house, g.stored_at, g.decided
        from request r cross join reached g
        cross join lateral (values
          (r.presenter),
          (nullif(g.declarant, r.presenter)),
          (case when g.representative not in (r.presenter, g.declarant) then g.representative end)
        ) each_once (owner)
        where owner is not null and g.house is not null and (
          select true from signal_recipient c where c.house_consignment_id = g.house and c.organisation_id = owner limit 1
        ) is null
      ),
      found as materialized (
        select r.*, houses, one_ens, one_mrn,
          case
            when declarations = 0 and r.reference is not null then 'REFERENCE_NOT_FOUND'
            when declarations > 1 and r.document_type is not null and (
              -- House consignments that were lodged under one master are declarations of their own.
              select count(distinct coalesce(m.mode || ' ' || m.carrier, e.ens::text))
              from reached_ens e left join movement m on m.declaration_id = e.ens
            ) > 1 then 'REFERENCE_AMBIGUOUS'
          end as problem
        from request r cross join (
          select count(*) as declarations, coalesce(sum(houses), 0)::bigint as houses,
            case when count(*) = 1 then min(ens) end as one_ens, case when count(*) = 1 then min(ens_mrn) end as one_mrn
          from reached_ens
        ) tally
      ),
      -- Deciding on goods needs the locks of their parties too, so no signal is missed (decision 0063).
      growing as materialized (
        select presenter as owner from found where problem is null and errors is null and exists (select from missing)
        union
        select party from found cross join reached_ens d
        cross join lateral (values (declarant), (representative)) parties (party)
        where problem is null and errors is null and party is not null and d.ens in (select ens from missing)
      )`;
}

/** Finds what a presentation would do. Nothing is locked, so what it would add is looked up again under the locks. */
export function findLevel(
  path: UpperLevel,
  request: PresentationRequest,
  expectedOnly: boolean,
): Statement<FoundLevel> {
  const given = new Parameters();
  return {
    name: 'find-level',
    text: `
      with request as materialized (
        ${requestRow(given, path, request)}
      ),
      ${reachedGoods(given, expectedOnly)}
      select ${isReused} as reused, problem, houses, one_ens, one_mrn,
        array(select ens from reached_ens) as declarations,
        (select true from presented_reference p
          where p.reference = r.reference and p.level = r.level and p.presenter = r.presenter
            and p.document_type is not distinct from r.document_type and (p.mrn is null or p.mrn = r.mrn)
            and (not p.expected_only or ${given.add(expectedOnly, 'boolean')})
          limit 1) is not null as repeated,
        array(select owner from growing) as organisations
      from found r`,
    values: given.values,
  };
}

/**
 * Locks feeds as far as they are free, then the reference. Stores whom it locked in a transaction-local setting.
 */
export function lockLevel(
  organisations: readonly number[],
  { submission: { reference } }: PresentationRequest,
): Statement {
  return {
    name: 'lock-level',
    text: `
      with locked as materialized (
        select lock_in_order(${FEED_LOCK}, $1::integer[], ${LOCK_TIMEOUT_MS}) as organisations
      ),
      -- It reads what was locked, so the feeds come first.
      referenced as materialized (
        select lock_references(${REFERENCE_LOCK},
          case when organisations is not null then array_remove(array[$2::text], null) end, false) from locked
      )
      select set_config('landfall.locked', organisations::text, true) from locked cross join referenced`,
    values: [organisations, reference?.key],
  };
}

const lockedRows = `locked as materialized (
        select unnest(current_setting('landfall.locked')::integer[]) as organisation
      )`;

/** The parts that record the status of the request that was `judged` to reach each `reached_ens`: `status`, and its rows. */
function newStatus(given: Parameters, path: UpperLevel, expectedOnly: boolean): string {
  const { notFound, ambiguous } = problemTexts(path);
  return `-- A request is recorded unless its requestId is unreadable or was used before, or the request has to wait.
      status as materialized (
        select *, problem is not null or errors is not null as failed
        from judged where id is not null and not reused and held is null
      ),
      status_entry as (
        select new_status(presenter, id, failed, one_ens,
          validation_status_entry(request_text, failed, level, (select text from recording), one_mrn, office, houses,
            case when failed then concat_ws(',', errors, case problem
              when 'REFERENCE_NOT_FOUND' then ${given.add(notFound, 'text')}
              when 'REFERENCE_AMBIGUOUS' then ${given.add(ambiguous, 'text')} end) end, ignored)) as entry
        from status
      ),
      new_presented_reference as (
        insert into presented_reference (level, reference, document_type, mrn, presenter, request_id, at, expected_only)
        select level, reference, document_type, mrn, presenter, id, (select at from recording),
          ${given.add(expectedOnly, 'boolean')}
        from status where not failed
      ),
      -- Servers of the previous release read these.
      new_level_presentation as (
        insert into level_presentation (ens_id, presenter, request_id, at, level, reference, document_type)
        select d.ens, s.presenter, s.id, (select at from recording), s.level, s.reference, s.document_type
        from status s cross join reached_ens d
        where not s.failed
        -- A requestId can be used again after its status was removed.
        on conflict (ens_id, presenter, request_id) do update set at = excluded.at, level = excluded.level,
          reference = excluded.reference, document_type = excluded.document_type
      )`;
}

/** The parts that are the same after entries were `appended`, the status first; and the outcome. */
function recorded(given: Parameters, record: string, undecided = `'{}'::uuid[]`): string {
  return `new_status_ens as (
        insert into validation_status_ens (owner, ens_id, position)
        select s.presenter, d.ens, a.positions[1]
        from status s cross join reached_ens d cross join appended a
        where s.one_ens is null and a.part = 0
      ),
      recorded as (
        select ${keepRecord(`'{"at":"' || (select text from recording) || '",' || ${given.add(record, 'text')}
          || case when (select failed from status) then ',"failed":[0]' else '' end
          || ',"appended":[' || string_agg(appended, ',' order by part) || ']}}'`)} as record
        from appended having count(*) > 0
      )
      select (select record from recorded) is not null as recorded,
        (select string_agg(appended, ',') from appended) as appended,
        (select json_build_array(json_build_object('index', 0, 'reused', reused, 'problem', problem, 'held', held))
          from judged where reused or problem is not null or held is not null) as issues,
        ${undecided} as undecided`;
}

/** How many of the lodged goods that are presented undecided are named: the others are found later. */
const MAX_UNDECIDED = 10_000;

const UNDECIDED = `array(
          select house from added cross join status
          where is_declarant and not decided and not failed and ens in (
            select e.id from reached_ens r cross join lateral (select * from declaration where id = r.ens offset 0) e
            where e.kind is not null
          )
          limit ${MAX_UNDECIDED}
        )`;

/**
 * Records a request that was found to add nothing to any goods: it appends the status, under the lock of the presenter
 * alone. What it takes does not depend on the number of goods.
 *
 * @param recordedAt the time of a clock that may have been moved; without it, the database's
 */
export function recordLevel(
  path: UpperLevel,
  request: PresentationRequest,
  { declarations, problem, houses, one_ens, one_mrn }: FoundLevel,
  expectedOnly: boolean,
  record: string,
  recordedAt: Date | undefined,
): Statement<PresentationsRow> {
  const given = new Parameters();
  return {
    name: 'record-level',
    text: `
      with ${lockedRows},
      ${recordTime(given, recordedAt)},
      request as materialized (
        ${requestRow(given, path, request)}
      ),
      reached_ens as (
        select unnest(${given.add(declarations, 'integer[]')}) as ens
      ),
      judged as materialized (
        select r.*, ${given.add(problem, 'text')} as problem, ${given.add(houses, 'bigint')} as houses,
          ${given.add(one_ens, 'integer')} as one_ens, ${given.add(one_mrn, 'text')} as one_mrn,
          ${isReused} as reused,
          case when presenter not in (select organisation from locked) then presenter end as held
        from request r
      ),
      ${newStatus(given, path, expectedOnly)},
      appended as materialized (
        select 0 as part, a.* from status_entry cross join append_to_feeds(array[entry], ${AUDIT_LOCK}, null) a
      ),
      ${recorded(given, record)}`,
    values: given.values,
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
  record: string,
  recordedAt: Date | undefined,
): Statement<PresentationsRow> {
  const given = new Parameters();
  return {
    name: 'commit-level',
    text: `
      with ${lockedRows},
      ${recordTime(given, recordedAt)},
      request as materialized (
        ${requestRow(given, path, request)}
      ),
      ${reachedGoods(given, expectedOnly)},
      judged as materialized (
        select r.*, ${isReused} as reused,
          (
            select organisation from (select r.presenter union all select owner from growing) needed (organisation)
            where organisation not in (select organisation from locked) limit 1
          ) as held
        from found r
      ),
      ${newStatus(given, path, expectedOnly)},
      -- The status is entry 0, and the signals follow in the order of their feeds.
      added as materialized (
        select missing.*, row_number() over (order by decided desc, owner, house) as number
        from missing cross join status where not failed
      ),
      appended as materialized (
        select part, a.*
        from (
          select number / ${MAX_ENTRIES} as part, array_agg(entry order by number) as entries
          from (
            select 0 as number, entry from status_entry
            union all
            select number, new_signal(owner, arrived_signal_head(signal_head, house), routing, routing_control_location,
              (select text from recording))
            from added join house_consignment h on h.ctid = added.stored_at
            where decided
          ) entry
          group by number / ${MAX_ENTRIES}
        ) parts
        cross join lateral append_to_feeds(entries, ${AUDIT_LOCK}, null) a
      ),
      new_recipient as (
        insert into signal_recipient (house_consignment_id, organisation_id, presenter, request_id, signal_position,
          first_presented_at, office, awaits_decision)
        select house, owner, presenter, id, positions[number % ${MAX_ENTRIES} + 1],
          -- The first presentation connects the declarant, and no other one does.
          case when is_declarant then (select at from recording) end,
          case when is_declarant then office end,
          case when is_declarant and not decided then true end
        from added cross join status left join appended on decided and part = number / ${MAX_ENTRIES}
      ),
      ${recorded(given, record, UNDECIDED)}`,
    values: given.values,
  };
}
