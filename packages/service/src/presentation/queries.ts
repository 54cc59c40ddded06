// SQL of presentation: one transaction for a whole batch. Columns go in as arrays, a row of them a request.
import { type PresentationPath, presentationLevels } from '@landfall/contract';
import type { Lane, Statement } from '../database/database.js';
import { FEED_LOCK, LARGE_LOCK } from '../feed/locks.js';
import { type ReferenceProblem, referenceError, toStatusError } from './reference-errors.js';
import type { PresentationRequest } from './submission.js';

/** What became of one request; `signalled` (on the first row alone): whose routing feeds have grown. */
export type PresentationRow = {
  /** Nothing was done: a large presentation of an organisation concerned is under way. */
  busy: boolean;
  reused: boolean;
  problem: ReferenceProblem | null;
  signalled: number[] | null;
};

/** A batch as columns. */
export type Columns = readonly unknown[];

export function toColumns(requests: readonly PresentationRequest[], now: Date): Columns {
  const column = <Value>(of: (request: PresentationRequest) => Value): Value[] => requests.map(of);
  return [
    column(({ organisationId }) => organisationId),
    column(({ submission }) => submission.requestId ?? null),
    column(({ submission }) => submission.reference?.identifier ?? null),
    column(({ submission }) => submission.reference?.documentType ?? null),
    column(({ submission }) => submission.reference?.mrn ?? null),
    column(({ submission }) => submission.customsOffice ?? null),
    column(({ notifiedAt }) => notifiedAt.toISOString()),
    column(({ submission }) => statusErrors(submission.errors)),
    now.toISOString(),
  ];
}

/** The errors of a body as JSON text without the brackets, so that the reference's own can be added. */
function statusErrors(errors: PresentationRequest['submission']['errors']): string | null {
  return errors.length === 0
    ? null
    : errors.map((error) => JSON.stringify(toStatusError(error))).join(',');
}

const request = `
  request as materialized (
    select *, request_text::uuid as id
    from unnest($1::integer[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
      with ordinality as request (owner, request_text, reference, document_type, mrn, office, notified, errors, place)
  )`;

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
    select r.place, h.id as house, h.signal_head, h.routing, h.routing_control_location,
      e.id as ens, e.mrn, e.declarant, e.representative
    from request r ${joins[path]}
  )`;

/**
 * The connections that are new. Requests that share a transaction may reach the same house consignment, which must
 * be connected once; a level whose requests have a transaction each is spared the sorting that this takes.
 */
function connections(path: PresentationPath): string {
  const together = path === 'house-consignment';
  return `
    select ${together ? 'distinct on (p.organisation, r.house)' : ''}
      p.organisation, r.house, r.signal_head, r.routing, r.routing_control_location
    from reached r
    join party p using (place, ens)
    where r.house is not null and (
      select true from connection c
      where c.house_consignment_id = r.house and c.organisation_id = p.organisation limit 1
    ) is null
    ${together ? 'order by p.organisation, r.house' : ''}`;
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
export function lockFeeds(path: PresentationPath, columns: Columns, lane: Lane): Statement {
  const free =
    lane === 'large'
      ? `pg_advisory_xact_lock(${LARGE_LOCK}, organisation) is not null`
      : `pg_try_advisory_xact_lock_shared(${LARGE_LOCK}, organisation)`;
  return {
    name: `lock-feeds-${path}-${lane === 'large' ? 'large' : 'small'}`,
    text: `
      with ${request},
      declaration as materialized (
        select distinct e.declarant, e.representative from request r ${declarationJoins[path]}
      ),
      concerned as (
        select owner as organisation from request
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
      select (select count(*) from locked) as locked,
        set_config('landfall.busy', coalesce(array_agg(organisation)::text, '{}'), true) as busy
      from asked where not free`,
    values: columns.slice(0, 8),
  };
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
export function commitPresentations(path: PresentationPath, columns: Columns): Statement {
  return {
    name: `commit-presentations-${path}`,
    text: `
      with ${request}, ${reached(path)}, ${busy},
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
          (select true from validation_status s where s.owner = r.owner and s.id = r.id limit 1) is not null as reused,
          coalesce(t.busy, false) or r.owner in (select organisation from busy) as busy
        from request r left join tally t using (place)
      ),
      -- A request that is recorded, with what becomes of it.
      status as materialized (
        select j.*, problem is not null or errors is not null as failed,
          row_number() over (partition by owner order by place) as step
        from judged j where id is not null and not reused and not busy
      ),
      status_end as materialized (
        select owner, coalesce((select max(position) from validation_status last where last.owner = o.owner), 0) as position
        from (select distinct owner from status) o
      ),
      -- Who is to receive the signals of what an accepted request reached.
      party as materialized (
        select distinct r.place, r.ens, organisation
        from (select distinct place, ens, declarant, representative from reached) r
        join status s using (place)
        cross join lateral (values (s.owner), (r.declarant), (r.representative)) receiving (organisation)
        where not s.failed and organisation is not null
      ),
      -- Whom it connects to a house consignment for the first time.
      connected as materialized (
        ${connections(path)}
      ),
      new_connection as (
        insert into connection (house_consignment_id, organisation_id)
        select house, organisation from connected
      ),
      new_status as (
        insert into validation_status (owner, position, id, failed, ens_id, entry)
        select s.owner, status_end.position + s.step, s.id, s.failed, s.ens,
          '{"requestId":"' || s.request_text
          || '","status":"' || case when s.failed then 'FAILURE' else 'SUCCESS' end
          || '","level":"${presentationLevels[path].level}","notificationDate":"' || s.notified
          || coalesce('","mrn":"' || s.mrn_reached, '')
          || coalesce('","customsOfficeOfPresentation":"' || s.office, '')
          || '","houseConsignments":' || s.houses
          || case when s.failed then ',"validationErrorList":[' || concat_ws(',', s.errors, case s.problem
              when 'REFERENCE_NOT_FOUND' then ${statusErrorText(path, 'REFERENCE_NOT_FOUND')}
              when 'REFERENCE_AMBIGUOUS' then ${statusErrorText(path, 'REFERENCE_AMBIGUOUS')} end)
              || ']' else '' end
          || '}'
        from status s join status_end using (owner)
      ),
      new_status_ens as (
        insert into validation_status_ens (owner, ens_id, position)
        select distinct s.owner, r.ens, status_end.position + s.step
        from status s
        join status_end using (owner)
        join reached r using (place)
        where s.ens is null
      ),
      signal_end as materialized (
        select owner, coalesce((select max(position) from routing_signal last where last.owner = o.owner), 0) as position
        from (select distinct organisation as owner from connected where routing is not null) o
      ),
      new_signal as (
        insert into routing_signal (owner, position, id, entry)
        select owner, position, id, routing_signal_entry(signal_head, id, routing, routing_control_location, $9)
        from (
          select numbered.*, mint_marker(position) as id
          from (
            select e.owner, e.position + row_number() over (partition by c.organisation) as position,
              c.signal_head, c.routing, c.routing_control_location
            from connected c join signal_end e on e.owner = c.organisation
            where c.routing is not null
          ) numbered
          offset 0 -- so that each marker is minted once, not wherever it is used
        ) minted
      )
      select reused, problem, busy,
        case when place = 1 then (select array_agg(owner) from signal_end) end as signalled
      from judged order by place`,
    values: columns,
  };
}

export function selectStatus(organisationId: number, requestId: string): Statement {
  return {
    name: 'select-validation-status',
    text: 'select entry from validation_status where owner = $1 and id = $2',
    values: [organisationId, requestId],
  };
}
