// SQL of routing runs.
import type { RoutingRunQuery, RoutingRunResultQuery, RoutingRunState } from '@landfall/contract';
import type { Statement } from '../database/database.js';
import { Parameters } from '../database/parameters.js';
import type { DecisionContext } from '../routing/decision-context.js';
import { IS_ALLOWED } from './access-queries.js';

/** A row of routing_run `r` in the form of the API. */
const RUN = `json_strip_nulls(json_build_object('id', r.id, 'state', r.state, 'problem', r.problem,
          'createdAt', api_time(r.created_at), 'changedAt', api_time(r.state_changed_at), 'select', r.selection,
          'routing', r.routing, 'routingControlLocation', r.routing_control_location, 'reason', r.reason,
          'origin', r.origin, 'decidedBy', (select identifier from organisation o where o.id = r.organisation_id),
          'client', r.client_id,
          'confirmedBy', case when r.confirmed_at is not null then json_build_object(
            'organisation', (select identifier from organisation o where o.id = r.confirmed_organisation_id),
            'client', r.confirmed_client_id, 'at', api_time(r.confirmed_at)) end,
          'requestId', r.request_id, 'reverses', r.reverses,
          'houseConsignments', r.house_consignments,
          'pending', r.house_consignments - r.decided - r.unchanged - r.conflicts - r.refused,
          'decided', r.decided, 'unchanged', r.unchanged, 'conflicts', r.conflicts, 'refused', r.refused,
          'signals', r.signals, 'etag', '"' || r.version || '"'))::text`;

const LOWEST = '00000000-0000-0000-0000-000000000000';

/** A run: its body as JSON text, and what decides what may be done with it. */
export type RunRow = { body: string; state: RoutingRunState; version: number };

/** A run that is locked, and who has created it. */
export type LockedRunRow = RunRow & { clientId: string };

/** What a run decides, and for whom. */
export type RunDescription = {
  id: string;
  /** Whether another officer must confirm it. */
  needsConfirmation: boolean;
  /** JSON text of its filters; `undefined` for a reversal. */
  selection: string | undefined;
  routing: string | undefined;
  routingControlLocation: string | undefined;
  reason: string;
  /** The run that it reverses. */
  reverses: string | undefined;
};

/** A house consignment of a new run. `routing` is that of a reversal. */
export type NewItem = {
  id: string;
  expected: number | null;
  routing?: string | undefined;
  routingControlLocation?: string | undefined;
};

/** Stores a run with its house consignments. */
export function insertRun(
  {
    id,
    needsConfirmation,
    selection,
    routing,
    routingControlLocation,
    reason,
    reverses,
  }: RunDescription,
  items: readonly NewItem[],
  { at, origin, organisationId, clientId, requestId }: DecisionContext,
): Statement<RunRow> {
  const given = new Parameters();
  const run = given.add(id, 'uuid');
  return {
    name: 'insert-routing-run',
    text: `
      with r as (
        insert into routing_run (id, state, version, created_at, state_changed_at, selection, routing,
          routing_control_location, reason, origin, organisation_id, client_id, request_id, reverses, house_consignments)
        select ${run}, ${given.add(needsConfirmation ? 'PROPOSED' : 'RUNNING', 'text')}, 1, now.at, now.at, ${given.add(selection, 'jsonb')}, ${given.add(routing, 'text')},
          ${given.add(routingControlLocation, 'text')}, ${given.add(reason, 'text')}, ${given.add(origin, 'text')},
          ${given.add(organisationId, 'integer')}, ${given.add(clientId, 'text')}, ${given.add(requestId, 'text')},
          ${given.add(reverses, 'uuid')}, ${given.add(items.length, 'integer')}
        from (select record_time(${given.add(at?.toISOString(), 'timestamptz')}) as at) now
        returning *
      ),
      item as (
        insert into routing_run_result (run_id, house_consignment_id, expected, routing, routing_control_location)
        select ${run}, house, expected, routing, location
        from ${given.rows('i', items, {
          house: ['uuid', (item) => item.id],
          expected: ['integer', (item) => item.expected],
          routing: ['text', (item) => item.routing],
          location: ['text', (item) => item.routingControlLocation],
        })}
      )
      select ${RUN} as body, state, version from r`,
    values: given.values,
  };
}

export function selectRun(id: string): Statement<RunRow> {
  return {
    name: 'select-routing-run',
    text: `select ${RUN} as body, state, version from routing_run r where id = $1`,
    values: [id],
  };
}

/** Locks a run until the end of the transaction: meanwhile it decides nothing. */
export function lockRun(id: string): Statement<LockedRunRow> {
  return {
    name: 'lock-routing-run',
    text: `
      select ${RUN} as body, state, version, client_id as "clientId"
      from routing_run r where id = $1 for update`,
    values: [id],
  };
}

const HIGHEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The next runs after one, each as JSON text. */
export function selectRuns(
  { state, newestFirst = false, marker }: RoutingRunQuery,
  limit: number,
): Statement<{ id: string; body: string }> {
  const [isNext, order, start] = newestFirst ? ['<', 'desc', HIGHEST] : ['>', 'asc', LOWEST];
  return {
    name: `select-routing-runs-${order}`,
    text: `
      select id, ${RUN} as body from routing_run r
      where id ${isNext} $1::uuid and ($2::text is null or state = $2)
      order by id ${order} limit $3`,
    values: [marker ?? start, state ?? null, limit],
  };
}

/** Changes the state of a run. */
export function updateRunState(
  id: string,
  state: RoutingRunState,
  problem: string | undefined,
  at: Date | undefined,
): Statement<RunRow> {
  return {
    name: 'update-routing-run-state',
    text: `
      update routing_run r
      set state = $2, problem = $3, version = version + 1, state_changed_at = record_time($4::timestamptz)
      where id = $1
      returning ${RUN} as body, state, version`,
    values: [id, state, problem ?? null, at?.toISOString() ?? null],
  };
}

/** Lets a run that was proposed decide. */
export function confirmRun(
  id: string,
  { organisationId, clientId, at }: Pick<DecisionContext, 'organisationId' | 'clientId' | 'at'>,
): Statement<RunRow> {
  return {
    name: 'confirm-routing-run',
    text: `
      update routing_run r
      set state = 'RUNNING', version = version + 1, state_changed_at = now.at,
        confirmed_at = now.at, confirmed_organisation_id = $2, confirmed_client_id = $3
      from (select record_time($4::timestamptz) as at) now
      where id = $1
      returning ${RUN} as body, state, version`,
    values: [id, organisationId, clientId, at?.toISOString() ?? null],
  };
}

/** Columns of a decision `d` in the form of the API. */
const DECISION = `json_strip_nulls(json_build_object('number', d.number, 'routing', d.routing,
              'routingControlLocation', d.routing_control_location, 'origin', d.origin,
              'decidedAt', api_time(d.decided_at)))`;

/** The decision on the house consignment of a result `i` with a number. */
const decisionOf = (number: string) => `(
            select ${DECISION} from routing_decision d
            where d.house_consignment_id = i.house_consignment_id and d.number = ${number}
          )`;

/** The next results of a run after one, each as JSON text. */
export function selectResults(
  run: string,
  { status, marker }: RoutingRunResultQuery,
  limit: number,
): Statement<{ id: string; body: string }> {
  return {
    name: 'select-routing-run-results',
    text: `
      with page as materialized (
        select * from routing_run_result
        where run_id = $1 and house_consignment_id > $2::uuid
          and ($3::text is null or coalesce(status, 'PENDING') = $3)
        order by house_consignment_id limit $4
      )
      select i.house_consignment_id as id, json_strip_nulls(json_build_object(
          'houseConsignmentId', i.house_consignment_id,
          'entrySummaryDeclarationMRN', case when e.kind is null then e.mrn end,
          'houseConsignmentMRN', case when e.kind = 'HOUSE' then e.mrn end,
          'transportDocumentHouseLevel', case when goods.document_number is not null then
            json_build_object('documentNumber', goods.document_number, 'type', goods.document_type) end,
          'status', coalesce(i.status, 'PENDING'), 'code', i.error_code,
          'before', ${decisionOf('i.expected')},
          'after', case when i.status in ('DECIDED', 'UNCHANGED') then ${decisionOf('i.decision')} end,
          'current', case when i.status = 'CONFLICT' then ${decisionOf('i.decision')} end))::text as body
      from page i
      left join lateral (
        select ens_id, document_number, document_type from house_consignment where id = i.house_consignment_id
        union all
        select ens_id, document_number, document_type from withdrawn_house_consignment
        where id = i.house_consignment_id
      ) goods on true
      left join lateral (select * from declaration e where e.id = goods.ens_id limit 1) e on true
      order by i.house_consignment_id`,
    values: [run, marker ?? LOWEST, status ?? null, limit],
  };
}

/** A house consignment that a run has decided, with what was decided before; a null `routing`: it is not known. */
export type ReversibleRow = {
  id: string;
  decision: number;
  routing: string | null;
  routingControlLocation: string | null;
  /** The routing now. */
  current: string | null;
};

/** The house consignments whose routing a run has changed. */
export function selectReversible(run: string): Statement<ReversibleRow> {
  return {
    name: 'select-reversible-decisions',
    text: `
      select i.house_consignment_id as id, i.decision,
        case when i.expected is null then 'UNDECIDED' else before.routing end as routing,
        before.routing_control_location as "routingControlLocation",
        (select h.routing from house_consignment h where h.id = i.house_consignment_id) as current
      from routing_run_result i
      left join routing_decision before
        on before.house_consignment_id = i.house_consignment_id and before.number = i.expected
      where i.run_id = $1 and i.status = 'DECIDED'
      order by i.house_consignment_id`,
    values: [run],
  };
}

/** A run that goes on, with who decides, and whether they may still. */
export type RunningRow = {
  id: string;
  routing: string | null;
  routingControlLocation: string | null;
  reason: string;
  origin: 'OFFICER' | 'ENGINE';
  organisationId: number;
  organisation: string;
  clientId: string;
  requestId: string;
  reverses: string | null;
  isAllowed: boolean;
  /** Whether another officer has confirmed it. */
  isConfirmed: boolean;
};

/** The runs that go on, the first ones first. */
export const selectRunning: Statement<RunningRow> = {
  name: 'select-running-routing-runs',
  text: `
    select r.id, routing, routing_control_location as "routingControlLocation", reason, origin,
      organisation_id as "organisationId", o.identifier as organisation, client_id as "clientId",
      request_id as "requestId", reverses,
      ${IS_ALLOWED} as "isAllowed", confirmed_at is not null as "isConfirmed"
    from routing_run r join organisation o on o.id = r.organisation_id
    where state = 'RUNNING' order by r.id`,
  values: [],
};

/** A house consignment of a run without a result; its document is null if it is not kept. */
export type OpenItemRow = {
  id: string;
  expected: number | null;
  routing: string | null;
  routingControlLocation: string | null;
  mrn: string | null;
  documentNumber: string | null;
  documentType: string | null;
};

/** The next house consignments of a run, after one, that have no result. */
export function selectOpenItems(
  run: string,
  after: string | undefined,
  limit: number,
): Statement<OpenItemRow> {
  return {
    name: 'select-open-routing-run-items',
    text: `
      with page as materialized (
        select * from routing_run_result
        where run_id = $1 and status is null and house_consignment_id > $2::uuid
        order by house_consignment_id limit $3
      )
      select i.house_consignment_id as id, i.expected, i.routing,
        i.routing_control_location as "routingControlLocation",
        (select mrn from declaration e where e.id = h.ens_id) as mrn,
        h.document_number as "documentNumber", h.document_type as "documentType"
      from page i
      left join lateral (select * from house_consignment where id = i.house_consignment_id limit 1) h on true
      order by i.house_consignment_id`,
    values: [run, after ?? LOWEST, limit],
  };
}

/** The result of one house consignment. */
export type ItemResult = {
  id: string;
  status: string;
  code: string | undefined;
  decision: number | undefined;
  signals: number;
};

/** How many results were new, and the state of the run with them. */
export type WrittenResultsRow = { written: number; state: RoutingRunState };

/** Stores results, counts them, and completes the run with the last one. */
export function writeResults(
  run: string,
  results: readonly ItemResult[],
  at: Date | undefined,
): Statement<WrittenResultsRow> {
  const given = new Parameters();
  const id = given.add(run, 'uuid');
  return {
    name: 'write-routing-run-results',
    text: `
      with written as (
        update routing_run_result i set status = result.status, error_code = result.code, decision = result.decision
        from ${given.rows('result', results, {
          house: ['uuid', (result) => result.id],
          status: ['text', (result) => result.status],
          code: ['text', (result) => result.code],
          decision: ['integer', (result) => result.decision],
          signals: ['integer', (result) => result.signals],
        })}
        where i.run_id = ${id} and i.house_consignment_id = house and i.status is null
        returning i.status, result.signals
      ),
      counted as (
        select count(*)::integer as results,
          count(*) filter (where status = 'DECIDED') as decided,
          count(*) filter (where status = 'UNCHANGED') as unchanged,
          count(*) filter (where status = 'CONFLICT') as conflicts,
          count(*) filter (where status = 'REFUSED') as refused,
          coalesce(sum(signals), 0) as signals
        from written
      ),
      counting as (
        select r.id, results, r.decided + c.decided as decided, r.unchanged + c.unchanged as unchanged,
          r.conflicts + c.conflicts as conflicts, r.refused + c.refused as refused, r.signals + c.signals as signals,
          r.decided + r.unchanged + r.conflicts + r.refused + results = r.house_consignments as is_last
        from routing_run r cross join counted c where r.id = ${id}
      )
      update routing_run r
      set decided = c.decided, unchanged = c.unchanged, conflicts = c.conflicts, refused = c.refused,
        signals = c.signals,
        state = case when is_last then 'COMPLETED' else state end,
        version = case when is_last then version + 1 else version end,
        state_changed_at = case when is_last then record_time(${given.add(at?.toISOString(), 'timestamptz')})
          else state_changed_at end
      from counting c where r.id = c.id
      returning c.results as written, r.state`,
    values: given.values,
  };
}
