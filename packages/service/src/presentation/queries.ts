// SQL of presentation: one transaction for a whole batch, which goes in as JSON, an object a request.
import { type PresentationPath, presentationLevels } from '@landfall/contract';
import { appendRecord, listAppended, summariseAppended, takeChain } from '../audit/queries.js';
import type { Lane, Statement } from '../database/database.js';
import { FEED_LOCK, LARGE_LOCK } from '../feed/locks.js';
import { positioned } from '../feed/queries.js';
import { routingSignals } from '../routing/signal-feed.js';
import { type ReferenceProblem, referenceError, toStatusError } from './reference-errors.js';
import { validationStatuses } from './status-feed.js';
import type { PresentationRequest } from './submission.js';

/** What became of a request that was not simply recorded. */
export type Exception = {
  /** Its place in the batch. */
  place: number;
  /** Nothing was done: a large presentation of an organisation concerned is under way. */
  busy: boolean;
  reused: boolean;
  problem: ReferenceProblem | null;
};

/** What became of a batch: its exceptions, and where the feeds that grew end now, by organisation. */
export type PresentationsRow = {
  exceptions: Exception[] | null;
  status_ends: Record<string, number> | null;
  signal_ends: Record<string, number> | null;
};

/** Positions that the feeds of an organisation are known to have reached; zero when nothing is known. */
export type KnownEnds = { status: number; signal: number };

/** A batch as JSON text, an object for each request: cheaper on both sides than an array for each column. */
export function toBatchText(
  requests: readonly PresentationRequest[],
  knownEnds: (organisationId: number) => KnownEnds,
): string {
  return JSON.stringify(
    requests.map(({ organisationId, submission, notifiedAt }, place) => {
      const ends = knownEnds(organisationId);
      return {
        place,
        presenter: organisationId,
        request_text: submission.requestId,
        reference: submission.reference?.identifier,
        document_type: submission.reference?.documentType,
        mrn: submission.reference?.mrn,
        office: submission.customsOffice,
        notified: notifiedAt,
        errors: statusErrors(submission.errors),
        status_end: ends.status,
        signal_end: ends.signal,
      };
    }),
  );
}

/** The errors of a body as JSON text without the brackets, so that the reference's own can be added. */
function statusErrors(errors: PresentationRequest['submission']['errors']): string | undefined {
  return errors.length === 0
    ? undefined
    : errors.map((error) => JSON.stringify(toStatusError(error))).join(',');
}

/** How a reference of each level leads to house consignments (h) and their entry summary declaration (e). */
const joins: Record<PresentationPath, string> = {
  'house-consignment': `
    join house_consignment h on h.document_number = r.reference and h.document_type = r.document_type
    join entry_summary_declaration e on e.id = h.ens_id and (r.mrn is null or e.mrn = r.mrn)`,
  'master-consignment': `
    join house_consignment h
      on h.master_document_number = r.reference and h.master_document_type = r.document_type
    join entry_summary_declaration e on e.id = h.ens_id and (r.mrn is null or e.mrn = r.mrn)`,
  container: `
    join house_consignment_container c on c.container_id = r.reference
    join house_consignment h on h.id = c.house_consignment_id
    join entry_summary_declaration e on e.id = h.ens_id`,
  receptacle: `
    join house_consignment h on h.receptacle_id = r.reference
    join entry_summary_declaration e on e.id = h.ens_id`,
  'entry-summary-declaration': `
    join entry_summary_declaration e on e.mrn = r.reference
    left join house_consignment h on h.ens_id = e.id`,
};

/** The same as far as it is needed to know the declarations: that of an ENS leads to no house consignment. */
const declarationJoins: Record<PresentationPath, string> = {
  ...joins,
  'entry-summary-declaration': 'join entry_summary_declaration e on e.mrn = r.reference',
};

const reached = (path: PresentationPath) => `
  reached as materialized (
    select r.place, r.presenter, r.signal_end, r.id as request_id,
      h.id as house, h.signal_head, h.routing, h.routing_control_location, e.id as ens, e.mrn, e.declarant, e.representative
    from request r ${joins[path]}
  )`;

/**
 * Whom the accepted requests connect to a house consignment for the first time: the presenter, the declarant and the
 * representative. Requests that share a transaction may reach the same house consignment, which must be connected
 * once; a level whose requests have a transaction each is spared the sorting that this takes.
 */
function connections(path: PresentationPath): string {
  // Whoever is several of them at once, as most are, is looked up once.
  const parties = `cross join lateral (values
        (r.presenter),
        (nullif(r.declarant, r.presenter)),
        (case when r.representative not in (r.presenter, r.declarant) then r.representative end)
      ) party (organisation)`;
  const connected = `organisation as owner,
        case when organisation = r.presenter then r.signal_end else 0 end as known_end,
        r.house, r.presenter, r.request_id, r.signal_head, r.routing, r.routing_control_location`;
  // Not "in" the places that are accepted, which the planner makes a loop in a loop.
  const accepted = `r.place not in (
        select place from judged where problem is not null or errors is not null or reused or busy
      )`;
  const unconnected = `
    (select true from connection c
      where c.house_consignment_id = r.house and c.organisation_id = organisation limit 1) is null`;
  if (path === 'house-consignment') {
    return `
      select distinct on (organisation, r.house) ${connected}
      from reached r ${parties}
      where organisation is not null and ${accepted} and ${unconnected}
      order by organisation, r.house, r.place`;
  }
  return `
    select ${connected}
    from reached r
    join (
      select distinct r.place, r.ens, organisation
      from (select distinct place, presenter, ens, declarant, representative from reached) r ${parties}
      where organisation is not null and ${accepted}
    ) party using (place, ens)
    where r.house is not null and ${unconnected}`;
}

/** An error of the reference as it stands in a status, as a text of SQL. */
function statusErrorText(path: PresentationPath, problem: ReferenceProblem): string {
  return `'${JSON.stringify(toStatusError(referenceError(path, problem))).replaceAll("'", "''")}'`;
}

/**
 * Locks the feeds of every organisation that the batch may append to, in one order for all writers, so that none
 * waits for another in a circle. It is a statement of its own because the next one must see what those before it
 * had committed.
 *
 * Where a large presentation is under way that would hold a lock for long, a batch of small ones does not wait: it
 * goes on without the organisations concerned, and leaves word of them for the next statement.
 */
export function lockFeeds(path: PresentationPath, batch: string, lane: Lane): Statement {
  const free =
    lane === 'large'
      ? `pg_advisory_xact_lock(${LARGE_LOCK}, organisation) is not null`
      : `pg_try_advisory_xact_lock_shared(${LARGE_LOCK}, organisation)`;
  return {
    name: `lock-feeds-${path}-${lane}`,
    text: `
      with request as materialized (
        select * from json_to_recordset($1::json)
          as request (presenter integer, reference text, document_type text, mrn text)
      ),
      declaration as materialized (
        select distinct e.declarant, e.representative from request r ${declarationJoins[path]}
      ),
      concerned as (
        select presenter as organisation from request
        union select declarant from declaration
        union select representative from declaration where representative is not null
      ),
      asked as materialized (
        select organisation, ${free} as free
        from (select organisation from concerned order by organisation) in_order
      ),
      locked as materialized (
        select pg_advisory_xact_lock(${FEED_LOCK}, organisation)
        from (select organisation from asked where free order by organisation) in_order
      )
      select case when (select count(*) from locked) >= 0 then ${takeChain} end as chain,
        set_config('landfall.busy', coalesce(array_agg(organisation)::text, '{}'), true) as busy
      from asked where not free`,
    values: [batch],
  };
}

/** All that the batch appends, for its record in the audit trail. */
const appended = `
  select ${validationStatuses.number} as feed, owner, position, entry from new_status
  union all select ${routingSignals.number}, owner, position, entry from new_signal`;

/**
 * The batch's record in the audit trail: what was begun outside, the places (from 0) of the requests that failed and
 * of those that were not recorded, and what was appended. Where no request is recorded, nothing has changed.
 */
function recordText(path: PresentationPath): string {
  // A batch of house consignments is small; another level may reach very many.
  const list = path === 'house-consignment' ? listAppended : summariseAppended;
  return `
    select $3::text
      || coalesce(',"failed":' || (select json_agg(place)::text from status where failed), '')
      || coalesce(',"notRecorded":' || (
        select json_agg(place)::text from judged where id is null or reused or busy), '')
      || ',"appended":' || appended || '}}' as entry
    from (${list(appended)}) listed
    where (select true from status limit 1)`;
}

/** The organisations that the statement before this one has left out. */
const busy = `
  busy as materialized (
    select unnest(current_setting('landfall.busy')::integer[]) as organisation
  )`;

/**
 * Records the batch: spends the requestIds, connects the presenter, the declarant and the representative to each
 * house consignment, and appends the status and the signals that are already decided.
 */
export function commitPresentations(
  path: PresentationPath,
  batch: string,
  record: string,
  now: Date,
): Statement {
  return {
    name: `commit-presentations-${path}`,
    text: `
      with request as materialized (
        select *, request_text::uuid as id from json_to_recordset($1::json) as request (
          place integer, presenter integer, request_text text, reference text, document_type text, mrn text,
          office text, notified text, errors text, status_end bigint, signal_end bigint
        )
      ),
      ${reached(path)}, ${busy},
      tally as (
        select place, count(house) as houses, min(ens) as ens, min(mrn) as mrn, min(ens) = max(ens) as one_ens,
          bool_or(declarant in (select organisation from busy)
            or representative in (select organisation from busy)) as busy
        from reached group by place
      ),
      judged as materialized (
        select r.*, coalesce(t.houses, 0) as houses,
          case when t.one_ens then t.ens end as ens, case when t.one_ens then t.mrn end as mrn_reached,
          case
            when t.place is null and r.reference is not null then 'REFERENCE_NOT_FOUND'
            when r.document_type is not null and not t.one_ens then 'REFERENCE_AMBIGUOUS'
          end as problem,
          -- Not "exists", which the planner may answer by reading the whole table into a hash.
          (select true from validation_status s
            where s.owner = r.presenter and s.id = r.id limit 1) is not null as reused,
          coalesce(t.busy, false) or r.presenter in (select organisation from busy) as busy
        from request r left join tally t using (place)
      ),
      -- A request is recorded unless nobody can read its requestId, it is spent, or the request has to wait.
      status as materialized (
        ${positioned(
          validationStatuses,
          `select presenter as owner, status_end as known_end, request_text, id, place, ens, mrn_reached,
            office, notified, houses, errors, problem, problem is not null or errors is not null as failed
          from judged where id is not null and not reused and not busy`,
          'place',
          'known_end',
        )}
      ),
      connected as materialized (
        -- Those that have a signal to get come first, so that their positions have no gap.
        ${positioned(routingSignals, connections(path), 'routing is null, house', 'known_end')}
      ),
      new_connection as (
        insert into connection (house_consignment_id, organisation_id, presenter, request_id, signal_position)
        select house, owner, presenter, request_id, case when routing is not null then position end
        from connected
      ),
      new_status as (
        insert into validation_status (owner, position, id, failed, ens_id, entry)
        select owner, position, id, failed, ens,
          '{"requestId":"' || request_text
          || '","status":"' || case when failed then 'FAILURE' else 'SUCCESS' end
          || '","level":"${presentationLevels[path].level}","notificationDate":"' || notified
          || coalesce('","mrn":"' || mrn_reached, '')
          || coalesce('","customsOfficeOfPresentation":"' || office, '')
          || '","houseConsignments":' || houses
          || case when failed then ',"validationErrorList":[' || concat_ws(',', errors, case problem
              when 'REFERENCE_NOT_FOUND' then ${statusErrorText(path, 'REFERENCE_NOT_FOUND')}
              when 'REFERENCE_AMBIGUOUS' then ${statusErrorText(path, 'REFERENCE_AMBIGUOUS')} end)
              || ']' else '' end
          || '}'
        from status
        returning owner, position, entry
      ),
      new_status_ens as (
        insert into validation_status_ens (owner, ens_id, position)
        select distinct s.owner, r.ens, s.position
        from status s join reached r using (place)
        where s.ens is null
      ),
      new_signal as (
        insert into routing_signal (owner, position, id, entry)
        select owner, position, id, routing_signal_entry(signal_head, id, routing, routing_control_location, $2)
        from (
          select connected.*, mint_marker(position) as id
          from connected where routing is not null
          offset 0 -- so that each marker is minted once, not wherever it is used
        ) minted
        returning owner, position, entry
      ),
      ${appendRecord(recordText(path))}
      select
        (select json_agg(json_build_object('place', place, 'reused', reused, 'problem', problem, 'busy', busy))
          from judged where reused or problem is not null or busy) as exceptions,
        (select json_object_agg(owner, position) from (
          select owner, max(position) as position from status group by owner
        ) grown) as status_ends,
        (select json_object_agg(owner, position) from (
          select owner, max(position) as position from connected where routing is not null group by owner
        ) grown) as signal_ends`,
    values: [batch, now.toISOString(), record],
  };
}

export function selectStatus(organisationId: number, requestId: string): Statement {
  return {
    name: 'select-validation-status',
    text: 'select entry from validation_status where owner = $1 and id = $2',
    values: [organisationId, requestId],
  };
}
