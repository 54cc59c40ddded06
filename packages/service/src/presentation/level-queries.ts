// SQL of presenting at a level whose reference may lead to very many house consignments: a transaction a request.
import type { PresentationPath } from '@landfall/contract';
import { appendRecord, entryDigest, summariseAppended } from '../audit/queries.js';
import type { Statement } from '../database/database.js';
import { feedEnd, mintMarker } from '../feed/queries.js';
import { routingSignals } from '../routing/signal-feed.js';
import { partiesLocked } from './lock-queries.js';
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

/** The levels above that of a house consignment. */
export type UpperLevel = Exclude<PresentationPath, 'house-consignment'>;

/**
 * Records the request: spends the requestId, connects the presenter, the declarant and the representative to each
 * house consignment, and appends the status and the signals that are already decided. Nothing is done where a
 * declaration changed hands after its parties were looked up, and the feed of the new one is not locked.
 */
export function commitLevel(
  path: UpperLevel,
  { organisationId, submission, notifiedAt }: PresentationRequest,
  ends: KnownEnds,
  record: string,
  now: Date,
): Statement {
  return {
    name: `commit-${path}`,
    text: `
      with request as materialized (
        select $1::integer as presenter, $4::text as request_text, $4::uuid as id, $5::text as reference,
          $6::text as document_type, $7::text as mrn, $8::text as office, $9::text as notified, $10::text as errors,
          $11::bigint as status_end, $12::bigint as signal_end
      ),
      reached as materialized (
        select h.id as house, h.ctid as stored_at, h.routing is not null as decided, e.id as ens
        from request r ${joins[path]}
      ),
      declaration as materialized (
        select e.*, houses
        from (select ens, count(house) as houses from reached group by ens) reached
        join entry_summary_declaration e on e.id = reached.ens
      ),
      judged as materialized (
        select *, problem is not null or errors is not null as failed
        from (
          select r.*, houses, case when declarations = 1 then ens end as one_ens,
            case when declarations = 1 then ens_mrn end as mrn_reached,
            case
              when declarations = 0 and r.reference is not null then 'REFERENCE_NOT_FOUND'
              when declarations > 1 and r.document_type is not null then 'REFERENCE_AMBIGUOUS'
            end as problem,
            ${requestIdSpent} as reused,
            (select true from declaration where not ${partiesLocked} limit 1) is not null as busy
          from request r cross join (
            select count(*) as declarations, coalesce(sum(houses), 0) as houses, min(id) as ens, min(mrn) as ens_mrn
            from declaration
          ) tally
        ) looked_up
      ),
      -- A request is recorded unless nobody can read its requestId, it is spent, or the request has to go again.
      status as materialized (
        select *, ${feedEnd(validationStatuses, 'judged.presenter', 'judged.status_end')} + 1 as position
        from judged where id is not null and not reused and not busy
      ),
      -- Who is connected to the goods of each declaration, with the end of his feed.
      party as materialized (
        select ens, owner, ${feedEnd(routingSignals, 'organisation.owner', 'organisation.known_end')} as feed_end
        from (
          select d.id as ens, owner, case when owner = s.presenter then s.signal_end else 0 end as known_end
          from status s cross join declaration d ${concerned('s.presenter', 'd')}
          where owner is not null and not failed
        ) organisation
      ),
      -- Narrow rows up to here: what is told of the goods is read when it is written, from where it is stored.
      connected as materialized (
        select party.owner, r.house, r.stored_at, r.decided, feed_end + row_number() over (
            -- Those that have a signal to get come first, so that their positions have no gap.
            partition by party.owner order by not r.decided, r.house
          ) as position
        from reached r join party using (ens)
        where r.house is not null and not ${isConnected('r.house', 'party.owner')}
      ),
      new_connection as (
        insert into connection (house_consignment_id, organisation_id, presenter, request_id, signal_position)
        select house, owner, $1, $4::uuid, case when decided then position end
        from connected
      ),
      new_status as (
        insert into validation_status (owner, position, id, failed, ens_id, entry)
        select presenter, position, id, failed, one_ens, ${statusEntry(path)}
        from status
        returning owner, position, ${entryDigest}
      ),
      new_status_ens as (
        insert into validation_status_ens (owner, ens_id, position)
        select s.presenter, d.id, s.position
        from status s cross join declaration d
        where s.one_ens is null
      ),
      new_signal as (
        insert into routing_signal (owner, position, id, entry)
        select owner, position, minted.id, routing_signal_entry(signal_head, minted.id, routing, routing_control_location, $2)
        from (
          select connected.*, ${mintMarker('position')} as id
          from connected where decided
          offset 0 -- so that each marker is minted once, not wherever it is used
        ) minted
        join house_consignment h on h.ctid = minted.stored_at
        returning owner, position, ${entryDigest}
      ),
      ${appendRecord(
        recordText({
          failed: 'select 0 as place from status where failed',
          notRecorded: 'select 0 as place from judged where id is null or reused or busy',
          appended: summariseAppended(appended('digest')),
        }),
      )}
      select
        (select json_build_array(json_build_object('place', 0, 'reused', reused, 'problem', problem, 'busy', busy))
          from judged where reused or problem is not null or busy) as exceptions,
        (select json_build_object(presenter, position) from status) as status_ends,
        (select json_object_agg(owner, position) from (
          select owner, max(position) as position from connected where decided group by owner
        ) grown) as signal_ends`,
    values: [
      organisationId,
      now.toISOString(),
      record,
      submission.requestId,
      submission.reference?.identifier,
      submission.reference?.documentType,
      submission.reference?.mrn,
      submission.customsOffice,
      notifiedAt.toISOString(),
      statusErrors(submission.errors),
      ends.status,
      ends.signal,
    ],
  };
}
