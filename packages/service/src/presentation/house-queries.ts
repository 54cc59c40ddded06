// SQL of presenting house consignments by their transport documents: many requests are one transaction of two
// statements. The first locks the affected organisations; the second reads what was committed before that.
import { keepRecord } from '../audit/audit-trail.js';
import type { Statement } from '../database/database.js';
import { AUDIT_LOCK, FEED_LOCK } from '../database/locks.js';
import { Parameters } from '../database/parameters.js';
import {
  errorsText,
  ignoredText,
  type PresentationsRow,
  problemTexts,
  recordTime,
} from './presentation-outcome.js';
import type { PresentationRequest } from './submission.js';

/** Whether the spelling of a request finds the house consignment `h`, which has the key: decision 0195. */
function hasSpelling(request: string): string {
  return `(h.only_spelling is null or h.only_spelling = ${request}.reference)`;
}

/**
 * A document that an ENS has means that of the ENS, and else one of a message that is not closed: the goods of a request are in this order, and `houses` counts those that
 * come no later. So it is 1 in the row of the goods that the request means, if it means exactly one.
 */
const ensFirst = (declaration: string) =>
  `order by kind is not null, kind is not null and is_closed(${declaration})`;

/**
 * Whether presenting adds the presenter, the declarant or the representative to the recipients of the house. Columns are
 * named with their row, because a recipient has a presenter too.
 */
function isAdded(row: string): string {
  return `(${isMissing(row, 'presenter')}
          or ${isMissing(row, 'declarant')}
          or ${row}.representative is not null and ${isMissing(row, 'representative')})`;
}

function isMissing(row: string, organisation: string): string {
  return `(select true from signal_recipient c
            where c.house_consignment_id = ${row}.house and c.organisation_id = ${row}.${organisation} limit 1) is null`;
}

/**
 * Locks the feeds of the affected organisations as far as they are free: the presenters, and the declarants and
 * representatives of goods to which an organisation is added. Stores whom it locked in a transaction-local setting.
 *
 * @param waitMs how long it waits for the first organisation that is not free, in milliseconds
 */
export function lockHouseConsignments(
  requests: readonly PresentationRequest[],
  expectedOnly: boolean,
  waitMs: number,
): Statement {
  const given = new Parameters();
  return {
    name: 'lock-house-consignments',
    text: `
      with request as (
        select r.*, request_text::uuid as id
        from ${given.rows('r', requests, {
          presenter: ['integer', ({ organisationId }) => organisationId],
          request_text: ['text', ({ submission }) => submission.requestId],
          // What has errors adds nothing.
          reference: ['text', (request) => validReference(request)?.identifier],
          key: ['text', (request) => validReference(request)?.key],
          document_type: ['text', (request) => validReference(request)?.documentType],
          mrn: ['text', (request) => validReference(request)?.mrn],
        })}
      ),
      found as (
        select r.presenter, r.id, h.id as house, e.declarant, e.representative,
          count(*) over (partition by r.number ${ensFirst('e.id')}) as houses
        from request r
        join house_consignment h on h.document_key = r.key and h.document_type = r.document_type
          and ${hasSpelling('r')}
        join declaration e on e.id = h.ens_id and (r.mrn is null or e.mrn = r.mrn)
        where not ${given.add(expectedOnly, 'boolean')}
          or may_present(r.presenter, e.declarant, e.representative, e.carrier, e.presenters)
      ),
      -- Those to whose goods presenting adds the presenter, the declarant or the representative.
      growing as (
        select declarant, representative from found
        where houses = 1 and ${isAdded('found')}
          and (select true from validation_status s where s.owner = presenter and s.id = found.id limit 1) is null
      ),
      affected as (
        select presenter as organisation from request
        union all select declarant from growing
        union all select representative from growing
      ),
      locked as materialized (
        select lock_in_order(${FEED_LOCK}, array(select organisation from affected), ${given.add(waitMs, 'integer')})
          as organisations
      )
      select set_config('landfall.locked', organisations::text, true) from locked`,
    values: given.values,
  };
}

function validReference({ submission: { errors, reference } }: PresentationRequest) {
  return errors.length > 0 ? undefined : reference;
}

/**
 * Records the requests: consumes the requestIds, connects the presenter, the declarant and the representative to each
 * house consignment, and appends the status and the signals that are already decided. Requests that may reach the
 * same house consignment are not in one batch. Nothing is done for a request that affects an organisation which is
 * not locked.
 *
 * @param recordedAt the time of a clock that may have been moved; without it, the database's
 */
export function commitHouseConsignments(
  requests: readonly PresentationRequest[],
  expectedOnly: boolean,
  record: string,
  recordedAt: Date | undefined,
): Statement<PresentationsRow> {
  const given = new Parameters();
  const { notFound, ambiguous } = problemTexts('house-consignment');
  return {
    name: 'commit-house-consignments',
    text: `
      with
      ${recordTime(given, recordedAt)},
      -- In this order: the requests as submitted, the goods of each, its problem and whether it has to wait (judged), whom
      -- it adds (affected), what is appended (entry), and the positions of that (appended).
      request as (
        select r.*, request_text::uuid as id
        from ${given.rows('r', requests, {
          presenter: ['integer', ({ organisationId }) => organisationId],
          request_text: ['text', ({ submission }) => submission.requestId],
          reference: ['text', ({ submission }) => submission.reference?.identifier],
          key: ['text', ({ submission }) => submission.reference?.key],
          document_type: ['text', ({ submission }) => submission.reference?.documentType],
          mrn: ['text', ({ submission }) => submission.reference?.mrn],
          office: ['text', ({ submission }) => submission.customsOffice],
          errors: ['text', ({ submission }) => errorsText(submission.errors)],
          ignored: ['text', ({ submission }) => ignoredText(submission.ignoredMembers)],
        })}
      ),
      locked as materialized (
        select unnest(current_setting('landfall.locked')::integer[]) as organisation
      ),
      -- A row for each house consignment that a request reaches, or one without.
      found as materialized (
        select r.*, goods.*, count(house) over requests as houses, row_number() over requests as row_of_request,
          -- Not "exists": the planner may evaluate it by reading the whole table into a hash.
          (select true from validation_status s where s.owner = r.presenter and s.id = r.id limit 1) is not null as reused
        from request r
        left join lateral (
          select h.id as house, h.signal_head, h.routing, h.routing_control_location,
            e.id as ens, e.mrn as ens_mrn, e.kind, e.declarant, e.representative
          from house_consignment h
          join declaration e on e.id = h.ens_id and (r.mrn is null or e.mrn = r.mrn)
          where h.document_key = r.key and h.document_type = r.document_type and ${hasSpelling('r')}
            and (not ${given.add(expectedOnly, 'boolean')}
              or may_present(r.presenter, e.declarant, e.representative, e.carrier, e.presenters))
        ) goods on true
        window requests as (partition by r.number ${ensFirst('ens')})
      ),
      judged as materialized (
        select *,
          case
            when houses = 0 and reference is not null then 'REFERENCE_NOT_FOUND'
            when houses > 1 then 'REFERENCE_AMBIGUOUS'
          end as problem,
          case
            when presenter not in (select organisation from locked) then presenter
            -- Looked up only if one is not locked: then the first statement has found that nothing is added.
            when houses = 1 and errors is null and not reused and unlocked is not null
              and ${isAdded('first_of_request')} then unlocked
          end as held
        from (
          select *, case
              when declarant not in (select organisation from locked) then declarant
              when representative not in (select organisation from locked) then representative
            end as unlocked
          from found where row_of_request = 1
          offset 0 -- so that it is looked up once, not wherever it is used
        ) first_of_request
      ),
      -- Of each request a row for every organisation that it affects. One whose requestId is unreadable or was used
      -- before, or that has to wait, is not recorded.
      affected as (
        select r.*, owner, owner = presenter as presents, connects, connects and routing is not null as signalled
        from (
          select *, problem is not null or errors is not null as failed
          from judged where id is not null and not reused and held is null
        ) r
        cross join lateral (values
          (presenter),
          (nullif(declarant, presenter)),
          (case when representative not in (presenter, declarant) then representative end)
        ) each_once (owner)
        cross join lateral (
          select not failed and (
            select true from signal_recipient c where c.house_consignment_id = house and c.organisation_id = owner limit 1
          ) is null as connects
          offset 0 -- so that each is looked up once, not wherever it is used
        ) connection
        where owner is not null
      ),
      -- The entries in their order: the status of a request, then its signals.
      entry as materialized (
        select *, count(*) filter (where presents) over up_to + count(*) filter (where signalled) over up_to as last_entry
        from affected
        window up_to as (order by number, not presents rows unbounded preceding)
      ),
      appended as materialized (
        select appended.* from (
          select array_agg(new_entry order by at) as entries
          from (
            select last_entry - signalled::integer as at, new_status(owner, id, failed, case when houses = 1 then ens end,
              validation_status_entry(request_text, failed, 'HOUSE_CONSIGNMENT', (select text from recording),
                case when houses = 1 then ens_mrn end, office, houses,
                case when failed then concat_ws(',', errors, case problem
                  when 'REFERENCE_NOT_FOUND' then ${given.add(notFound, 'text')}
                  when 'REFERENCE_AMBIGUOUS' then ${given.add(ambiguous, 'text')} end) end, ignored)) as new_entry
            from entry where presents
            union all
            select last_entry, new_signal(owner, arrived_signal_head(signal_head, house), routing, routing_control_location,
              (select text from recording))
            from entry where signalled
          ) each
          having count(*) > 0
        ) all_entries
        cross join append_to_feeds(entries, ${AUDIT_LOCK}, null) as appended
      ),
      new_recipient as (
        insert into signal_recipient (house_consignment_id, organisation_id, presenter, request_id, signal_position,
          first_presented_at, office, awaits_decision)
        select house, owner, presenter, id, case when signalled then positions[last_entry] end,
          -- The first presentation connects the declarant, and no other one does.
          case when owner = declarant then (select at from recording) end,
          case when owner = declarant then office end,
          case when owner = declarant and routing is null then true end
        from entry cross join appended where connects
      ),
      -- An ambiguous document is under several declarations; it is under each of them once. Those that it does not mean have
      -- another number of houses.
      new_status_ens as (
        insert into validation_status_ens (owner, ens_id, position)
        select owner, found.ens, positions[last_entry]
        from entry join found using (number, houses) cross join appended
        where presents and houses > 1
      )
      select (select appended from appended) as appended,
        (select ${keepRecord(`'{"at":"' || (select text from recording) || '",' || ${given.add(record, 'text')}
          || coalesce(',"failed":' || (
            select json_agg(number - 1)::text from entry where presents and failed), '')
          || coalesce(',"notRecorded":' || (
            select json_agg(number - 1)::text from judged where id is null or reused or held is not null), '')
          || ',"appended":[' || appended || ']}}'`)} from appended) is not null as recorded,
        (select json_agg(json_build_object('index', number - 1, 'reused', reused, 'problem', problem, 'held', held))
          from judged where reused or problem is not null or held is not null) as issues,
        array(select house from entry where connects and owner = declarant and routing is null and kind is not null)
          as undecided`,
    values: given.values,
  };
}
