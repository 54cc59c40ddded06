// SQL of presenting house consignments, each by its transport document: many requests are one transaction. It is one
// pass over the requests, from what they refer to up to the three rows of each.
import { appendRecord, listAppended } from '../audit/queries.js';
import type { Statement } from '../database/database.js';
import { feedEnd, mintMarker } from '../feed/queries.js';
import { routingSignals } from '../routing/signal-feed.js';
import { lockedOrganisations, partiesLocked } from './lock-queries.js';
import {
  appended,
  type KnownEnds,
  recordText,
  requestIdSpent,
  statusEntry,
  statusErrors,
} from './queries.js';
import { concerned, isConnected, joins } from './references.js';
import { validationStatuses } from './status-feed.js';
import type { PresentationRequest } from './submission.js';

const PATH = 'house-consignment';

/**
 * Records the requests: spends the requestIds, connects the presenter, the declarant and the representative to each
 * house consignment, and appends the status and the signals that are already decided. Requests that may reach the
 * same house consignment are not in one batch. Nothing is done for a request of an organisation, or for goods of one,
 * whose feed is not locked.
 */
export function commitHouseConsignments(
  requests: readonly PresentationRequest[],
  ends: readonly KnownEnds[],
  record: string,
  now: Date,
): Statement {
  const submitted = requests.map(({ submission }) => submission);
  return {
    name: 'commit-house-consignments',
    text: `
      with request as (
        select r.*, request_text::uuid as id, ordinality::integer - 1 as place
        from unnest($1::integer[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[],
          $11::bigint[], $12::bigint[]) with ordinality
          as r (presenter, request_text, reference, document_type, mrn, office, notified, errors, status_end, signal_end)
      ),
      found as materialized (
        select r.*, goods.*, count(house) over requests as houses, row_number() over requests as first,
          ${requestIdSpent} as reused
        from request r
        left join lateral (
          select h.id as house, h.signal_head, h.routing, h.routing_control_location,
            e.id as ens, e.mrn as ens_mrn, e.declarant, e.representative
          from (select r.reference, r.document_type, r.mrn) r ${joins[PATH]}
        ) goods on true
        window requests as (partition by place)
      ),
      judged as materialized (
        select *,
          case when houses = 1 then ens end as one_ens, case when houses = 1 then ens_mrn end as mrn_reached,
          case
            when houses = 0 and reference is not null then 'REFERENCE_NOT_FOUND'
            when houses > 1 then 'REFERENCE_AMBIGUOUS'
          end as problem,
          -- A document stands once under a declaration, so of several each stands under one of its own.
          (select array_agg(ens) from found other where found.houses > 1 and other.place = found.place) as each_ens,
          not (presenter = any(${lockedOrganisations}) and ${partiesLocked}) as busy
        from found where first = 1
      ),
      -- A request is recorded unless nobody can read its requestId, it is spent, or the request has to wait.
      recorded_request as (
        select *, problem is not null or errors is not null as failed
        from judged where id is not null and not reused and not busy
      ),
      -- Of each request a row for whoever is concerned, with the ends of both feeds in the first row of each owner.
      concerned as (
        select party.*, count(*) filter (where presents) over owners as status_step,
          count(*) filter (where signalled) over owners as signal_step,
          case when row_number() over owners = 1
            then ${feedEnd(validationStatuses, 'party.owner', 'party.status_end')} end as status_last,
          case when row_number() over owners = 1
            then ${feedEnd(routingSignals, 'party.owner', 'party.known_signal_end')} end as signal_last
        from (
          select r.*, owner, owner = presenter as presents, connects, connects and routing is not null as signalled,
            case when owner = presenter then signal_end else 0 end as known_signal_end
          from recorded_request r ${concerned('r.presenter', 'r')}
          cross join lateral (
            select not failed and not ${isConnected('house', 'owner')} as connects
            offset 0 -- so that each is looked up once, not wherever it is used
          ) connection
          where owner is not null
        ) party
        window owners as (partition by owner order by place)
      ),
      placed as materialized (
        select concerned.*, status_step + max(status_last) over same as status_position,
          case when signalled then signal_step + max(signal_last) over same end as signal_position
        from concerned
        window same as (partition by owner)
      ),
      new_connection as (
        insert into connection (house_consignment_id, organisation_id, presenter, request_id, signal_position)
        select house, owner, presenter, id, signal_position from placed where connects
      ),
      new_status as (
        insert into validation_status (owner, position, id, failed, ens_id, entry)
        select owner, status_position, id, failed, one_ens, ${statusEntry(PATH)}
        from placed where presents
        returning owner, position, entry
      ),
      new_status_ens as (
        insert into validation_status_ens (owner, ens_id, position)
        select owner, unnest(each_ens), status_position from placed where presents and each_ens is not null
      ),
      new_signal as (
        insert into routing_signal (owner, position, id, entry)
        select owner, position, id, routing_signal_entry(signal_head, id, routing, routing_control_location, $2)
        from (
          select placed.owner, signal_position as position, ${mintMarker('signal_position')} as id, signal_head, routing,
            routing_control_location
          from placed where signalled
          offset 0 -- so that each marker is minted once, not wherever it is used
        ) minted
        returning owner, position, entry
      ),
      ${appendRecord(
        recordText({
          failed: 'select place from placed where presents and failed',
          notRecorded: 'select place from judged where id is null or reused or busy',
          appended: listAppended(appended('entry')),
        }),
      )}
      select
        (select json_agg(json_build_object('place', place, 'reused', reused, 'problem', problem, 'busy', busy,
            'parties', json_build_array(declarant, representative)))
          from judged where reused or problem is not null or busy) as exceptions,
        (select json_object_agg(owner, position) from (
          select owner, max(status_position) as position from placed where presents group by owner
        ) grown) as status_ends,
        (select json_object_agg(owner, position) from (
          select owner, max(signal_position) as position from placed where signalled group by owner
        ) grown) as signal_ends`,
    values: [
      requests.map(({ organisationId }) => organisationId),
      now.toISOString(),
      record,
      submitted.map(({ requestId }) => requestId),
      submitted.map(({ reference }) => reference?.identifier),
      submitted.map(({ reference }) => reference?.documentType),
      submitted.map(({ reference }) => reference?.mrn),
      submitted.map(({ customsOffice }) => customsOffice),
      requests.map(({ notifiedAt }) => notifiedAt.toISOString()),
      submitted.map(({ errors }) => statusErrors(errors)),
      ends.map(({ status }) => status),
      ends.map(({ signal }) => signal),
    ],
  };
}
