// SQL of presenting house consignments by their transport documents: many requests are one transaction of two
// statements. The first locks the affected organisations; the second reads what was committed before that.
import type { Statement } from '../database/database.js';
import { AUDIT_LOCK, FEED_LOCK } from '../database/locks.js';
import { routingSignals } from '../routing/signal-feed.js';
import { type CachedEnds, errorsText, problemTexts } from './queries.js';
import { validationStatuses } from './status-feed.js';
import type { PresentationRequest } from './submission.js';

/**
 * Whether presenting adds the presenter, the declarant or the representative to the recipients of the house. Columns are
 * named with their row, because a recipient has a presenter too.
 */
function isAdded(row: string): string {
  return `(
          ${isMissing(row, 'presenter')}
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
  // What has errors adds nothing.
  const references = requests.map(({ submission: { errors, reference } }) =>
    errors.length > 0 ? undefined : reference,
  );
  return {
    name: 'lock-house-consignments',
    text: `
      with request as (
        select r.*, request_text::uuid as id
        from unnest($1::integer[], $2::text[], $3::text[], $4::text[], $7::text[])
          with ordinality as r (presenter, reference, document_type, mrn, request_text, number)
      ),
      found as (
        select r.presenter, r.id, h.id as house, e.declarant, e.representative,
          count(*) over (partition by r.number) as houses
        from request r
        join house_consignment h on h.document_number = r.reference and h.document_type = r.document_type
        join entry_summary_declaration e on e.id = h.ens_id and (r.mrn is null or e.mrn = r.mrn)
        where not $5::boolean or may_present(r.presenter, e.declarant, e.representative, e.carrier, e.presenters)
      ),
      affected as (
        select presenter as organisation from request
        union all
        select unnest(array[declarant, representative]) from found
        where houses = 1 and ${isAdded('found')} and (
          select true from validation_status s where s.owner = presenter and s.id = found.id limit 1) is null
      ),
      locked as materialized (
        select lock_in_order(${FEED_LOCK}, array(select organisation from affected), $6::integer) as organisations
      )
      select set_config('landfall.locked', organisations::text, true) from locked`,
    values: [
      requests.map(({ organisationId }) => organisationId),
      references.map((reference) => reference?.identifier),
      references.map((reference) => reference?.documentType),
      references.map((reference) => reference?.mrn),
      expectedOnly,
      waitMs,
      requests.map(({ submission }) => submission.requestId),
    ],
  };
}

/**
 * Records the requests: consumes the requestIds, connects the presenter, the declarant and the representative to each
 * house consignment, and appends the status and the signals that are already decided. Requests that may reach the
 * same house consignment are not in one batch. Nothing is done for a request that affects an organisation which is
 * not locked.
 */
export function commitHouseConsignments(
  requests: readonly PresentationRequest[],
  expectedOnly: boolean,
  ends: readonly CachedEnds[],
  record: string,
  now: Date,
): Statement {
  const submitted = requests.map(({ submission }) => submission);
  const { notFound, ambiguous } = problemTexts('house-consignment');
  return {
    name: 'commit-house-consignments',
    text: `
      with locked as materialized (
        select unnest(current_setting('landfall.locked')::integer[]) as organisation
      ),
      request as (
        select r.*, request_text::uuid as id
        from unnest($1::integer[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
          $9::bigint[], $10::bigint[]) with ordinality
          as r (presenter, request_text, reference, document_type, mrn, office, notified, errors, status_end,
            signal_end, number)
      ),
      -- A row for each house consignment that a request reaches, or one without.
      found as materialized (
        select r.*, goods.*, count(house) over requests as houses, row_number() over requests as row_of_request,
          -- Not "exists": the planner may evaluate it by reading the whole table into a hash.
          (select true from validation_status s where s.owner = r.presenter and s.id = r.id limit 1) is not null as reused
        from request r
        left join lateral (
          select h.id as house, h.signal_head, h.routing, h.routing_control_location,
            e.id as ens, e.mrn as ens_mrn, e.declarant, e.representative
          from house_consignment h
          join entry_summary_declaration e on e.id = h.ens_id and (r.mrn is null or e.mrn = r.mrn)
          where h.document_number = r.reference and h.document_type = r.document_type
            and (not $11::boolean or may_present(r.presenter, e.declarant, e.representative, e.carrier, e.presenters))
        ) goods on true
        window requests as (partition by r.number)
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
            when houses = 1 and errors is null and not reused and unlocked is not null and ${isAdded('first_of_request')} then unlocked
          end as held
        from (
          select *, case
              when declarant not in (select organisation from locked) then declarant
              when representative not in (select organisation from locked) then representative
            end as unlocked
          from found where row_of_request = 1
        ) first_of_request
      ),
      -- A request is recorded unless its requestId is unreadable or was used before, or the request has to wait.
      recorded_request as (
        select *, problem is not null or errors is not null as failed
        from judged where id is not null and not reused and held is null
      ),
      -- Of each request a row for every organisation that it affects, with the ends of its feeds in its first row.
      affected as (
        select organisation.*,
          count(*) filter (where presents) over owners as status_step,
          count(*) filter (where signalled) over owners as signal_step,
          case when row_number() over owners = 1 then coalesce(
            (select max(position) from validation_status s
              where s.owner = organisation.owner and position >= cached_status_end),
            (select max(position) from validation_status s where s.owner = organisation.owner), 0) end as status_last,
          case when row_number() over owners = 1 then coalesce(
            (select max(position) from routing_signal s
              where s.owner = organisation.owner and position >= cached_signal_end),
            (select max(position) from routing_signal s where s.owner = organisation.owner), 0) end as signal_last
        from (
          select r.*, owner, owner = presenter as presents, connects, connects and routing is not null as signalled,
            case when owner = presenter then status_end else 0 end as cached_status_end,
            case when owner = presenter then signal_end else 0 end as cached_signal_end
          from recorded_request r
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
        ) organisation
        window owners as (partition by owner order by number)
      ),
      positioned as materialized (
        select affected.*, status_step + max(status_last) over same_owner as status_position,
          case when signalled then signal_step + max(signal_last) over same_owner end as signal_position
        from affected
        window same_owner as (partition by owner)
      ),
      new_connection as (
        insert into signal_recipient (house_consignment_id, organisation_id, presenter, request_id, signal_position,
          first_presented_at, office, awaits_decision)
        select house, owner, presenter, id, signal_position,
          -- The first presentation connects the declarant, and no other one does.
          case when owner = declarant then notified::timestamptz end,
          case when owner = declarant then office end,
          case when owner = declarant and routing is null then true end
        from positioned where connects
      ),
      new_status as (
        insert into validation_status (owner, position, id, failed, ens_id, entry)
        select owner, status_position, id, failed, case when houses = 1 then ens end,
          validation_status_entry(request_text, failed, 'HOUSE_CONSIGNMENT', notified,
            case when houses = 1 then ens_mrn end, office, houses,
            case when failed then concat_ws(',', errors, case problem
              when 'REFERENCE_NOT_FOUND' then $12 when 'REFERENCE_AMBIGUOUS' then $13 end) end)
        from positioned where presents
        returning owner, position, entry
      ),
      -- An ambiguous document is under several declarations; it is under each of them once.
      new_status_ens as (
        insert into validation_status_ens (owner, ens_id, position)
        select owner, found.ens, status_position
        from positioned join found using (number)
        where presents and positioned.houses > 1
      ),
      new_signal as (
        insert into routing_signal (owner, position, id, entry)
        select owner, signal_position, id,
          routing_signal_entry(signal_head, id, routing, routing_control_location, $14)
        from (
          select owner, signal_position, signal_head, routing, routing_control_location,
            mint_marker(signal_position, (select hashtextextended(gen_random_uuid()::text, 0))) as id
          from positioned where signalled
          offset 0 -- so that each marker is minted once, not wherever it is used
        ) minted
        returning owner, position, entry
      ),
      appended as (
        select ${validationStatuses.number} as feed, owner, position, entry from new_status
        union all
        select ${routingSignals.number}, owner, position, entry from new_signal
      ),
      recorded as (
        select append_audit_record(${AUDIT_LOCK}, $15::text
          || coalesce(',"failed":' || (
            select json_agg(number - 1)::text from positioned where presents and failed), '')
          || coalesce(',"notRecorded":' || (
            select json_agg(number - 1)::text from judged where id is null or reused or held is not null), '')
          || ',"appended":{"entries":"' || string_agg(feed || '/' || owner || '/' || position, ' ')
          || '","digest":"' || encode(sha256(convert_to(string_agg(entry, ''), 'UTF8')), 'hex')
          || '"}}}') as chain_end
        from appended having count(*) > 0
      )
      select (select chain_end::text from recorded) as recorded,
        (select json_agg(json_build_object('index', number - 1, 'reused', reused, 'problem', problem, 'held', held))
          from judged where reused or problem is not null or held is not null) as issues,
        (select json_object_agg(owner, position) from (
          select owner, max(status_position) as position from positioned where presents group by owner
        ) grown) as status_ends,
        (select json_object_agg(owner, position) from (
          select owner, max(signal_position) as position from positioned where signalled group by owner
        ) grown) as signal_ends`,
    values: [
      requests.map(({ organisationId }) => organisationId),
      submitted.map(({ requestId }) => requestId),
      submitted.map(({ reference }) => reference?.identifier),
      submitted.map(({ reference }) => reference?.documentType),
      submitted.map(({ reference }) => reference?.mrn),
      submitted.map(({ customsOffice }) => customsOffice),
      requests.map(({ notifiedAt }) => notifiedAt.toISOString()),
      submitted.map(({ errors }) => errorsText(errors)),
      ends.map(({ status }) => status),
      ends.map(({ signal }) => signal),
      expectedOnly,
      notFound,
      ambiguous,
      now.toISOString(),
      record,
    ],
  };
}
