// SQL of finding house consignments: of the candidates, those that match, as a page or as a selection.
import { identifierKey, type Routing } from '@landfall/contract';
import type { Statement } from '../database/database.js';
import { HIGHEST_CHARACTER } from '../database/highest-character.js';
import {
  type Candidates,
  type Filters,
  MAX_CANDIDATES,
  nextCandidates,
  type Way,
} from './candidate-queries.js';

/** The page as JSON text, the number of candidates, and the last of them; both are `null` if a full page did not need them. */
export type FoundRow = {
  /** Whether the page begins where it was asked to. */
  isKnown: boolean;
  /** Whether the way of the step leads to few enough candidates. If not, nothing is found. */
  isFound: boolean;
  body: string;
  found: number;
  lastFound: string | null;
  candidates: number | null;
  lastCandidate: string | null;
};

/** The candidates of a step, those of them that match, and how many are requested. */
type Step = Candidates & { page: string; count: string };

/**
 * Makes one step of a search: the next candidates after those with an id, and those of them that match. Every look-up of
 * something else is a subquery of one row: plans are kept, and a join's may have been made while its tables were empty.
 */
function makeStep(filters: Filters, after: string | undefined, limit: number, way: Way): Step {
  const candidates = nextCandidates(filters, after, way);
  const { isWithdrawn, parameters, matches, order } = candidates;
  const goods = isWithdrawn ? 'withdrawn_house_consignment' : 'house_consignment';
  const add = (value: unknown, type: string) => parameters.add(value, type);
  const count = add(limit, 'bigint');
  const type = add(filters.type, 'text');
  const office = add(filters.office, 'text');
  const organisation = add(filters.organisation, 'text');
  const state = add(filters.state, 'text');
  const states = add(filters.states, 'text[]');
  const without = add(filters.without, 'text[]');
  const presenter = add(filters.presenter, 'text');
  const profile = add(filters.profile, 'text');
  const profileVersion = add(filters.profileVersion, 'integer');
  const profileRule = add(filters.profileRule, 'integer');
  const run = add(filters.run, 'uuid');
  const isByDecision = add(
    [filters.profile, filters.profileVersion, filters.profileRule, filters.run].some(
      (one) => one !== undefined,
    ),
    'boolean',
  );
  const orNoPresenter = add(filters.orNoPresenter ?? false, 'boolean');
  return {
    ...candidates,
    count,
    page: `
      page as materialized (
        select h.*, customs_office_of_first_entry as office, presented, state,
          (select identifier from organisation o where o.id = e.declarant) as declarant,
          (select identifier from organisation o where o.id = e.representative) as representative
        from candidate
        cross join lateral (select * from ${goods} h where h.id = candidate.id limit 1) h
        cross join lateral (select * from declaration e where e.id = h.ens_id limit 1) e
        cross join lateral (
          select (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
          offset 0 -- so that it is looked up once, not wherever it is used
        ) connected
        cross join lateral (
          select case
            when ${isWithdrawn} then 'WITHDRAWN'
            when presented and h.routing is null then 'PRESENTED'
            when presented then 'SIGNALLED'
            when h.routing is null then 'PRE_NOTIFIED'
            else 'DECIDED'
          end as state
        ) progress
        where ${matches}
          and (${type} is null or h.document_type = ${type})
          and (${office} is null or e.customs_office_of_first_entry = ${office})
          and (${organisation} is null
            or (select o.id from organisation o where o.identifier = ${organisation}) in (e.declarant, e.representative)
            or (select true from signal_recipient c
              where c.house_consignment_id = h.id
                and c.presenter = (select o.id from organisation o where o.identifier = ${organisation}) limit 1))
          and (${state} is null or state = ${state})
          and (${states} is null or state = any (${states}))
          and (${without} is null or (
            ('MASTER_CONSIGNMENT' <> all (${without}) or h.master_document_number is null)
            and ('RECEPTACLE' <> all (${without}) or h.receptacle_id is null)
            and ('CONTAINER' <> all (${without}) or (
              select true from house_consignment_container c where c.house_consignment_id = h.id limit 1) is null)))
          and (not ${isByDecision} or (
            select (${profile} is null or d.profile = ${profile})
              and (${profileVersion} is null or d.profile_version = ${profileVersion})
              and (${profileRule} is null or d.profile_rule = ${profileRule})
              and (${run} is null or d.run_id = ${run})
            from routing_decision d where d.house_consignment_id = h.id and takes_effect order by number desc limit 1))
          and (${presenter} is null
            or may_present((select o.id from organisation o where o.identifier = ${presenter}),
              e.declarant, e.representative, e.carrier, e.presenters)
            or (${orNoPresenter} and e.carrier is null and e.presenters is null))
        order by ${order.map((column) => `candidate.${column}`).join(', ')} limit ${count}
      )`,
  };
}

const ascending = (order: readonly string[]) => order.join(', ');
const descending = (order: readonly string[]) => order.map((column) => `${column} desc`).join(', ');

/** The house consignments of one step of a search, as the API shows them. */
export function findPage(
  filters: Filters,
  after: string | undefined,
  limit: number,
  way: Way,
): Statement<FoundRow> {
  const step = makeStep(filters, after, limit, way);
  const { isWithdrawn, named, parameters, expressions, page, count, order, isLazy } = step;
  // A full page reads no further candidates; counting them would.
  const ofCandidates = (value: string) =>
    isLazy ? `case when count(*) < ${count} then ${value} end` : value;
  return {
    name: `list-house-consignments-${named}`,
    text: `
      with ${expressions},${page},
      described as (
        select page.*,
          case when not presented then entered_after_presentation(id) end as added,
          (
            select json_strip_nulls(json_build_object('number', number, 'routing', d.routing,
              'routingControlLocation', d.routing_control_location, 'origin', origin, 'decidedAt', api_time(decided_at)))
            from routing_decision d where d.house_consignment_id = page.id and takes_effect order by number desc limit 1
          ) as decision,
          (
            select json_strip_nulls(json_build_object('number', number, 'routing', d.routing,
              'routingControlLocation', d.routing_control_location, 'decidedAt', api_time(decided_at)))
            from (
              select * from routing_decision d where d.house_consignment_id = page.id order by number desc limit 1
            ) d
            where not takes_effect
              and (d.routing, d.routing_control_location) is distinct from (page.routing, page.routing_control_location)
          ) as difference,
          ${
            isWithdrawn
              ? `(
            select json_strip_nulls(json_build_object('at', api_time(r.at),
              'by', (select identifier from organisation o where o.id = r.organisation_id), 'requestId', r.request_id))
            from registration r where r.id = page.withdrawal
          )`
              : 'null::json'
          } as withdrawn,
          case when presented then (
            select json_build_object('by', by, 'at', at, 'requestId', request_id)
            from (
              select request_id,
                (select identifier from organisation o where o.id = presenter) as by,
                -- Without its status, the time of the first presentation is known, and of others nothing.
                first_presented_at, coalesce((
                  select entry from validation_status s where s.owner = presenter and s.id = request_id limit 1
                )::json ->> 'notificationDate', api_time(first_presented_at)) as at
              from signal_recipient where house_consignment_id = page.id
              offset 0
            ) presentation
            where at is not null order by first_presented_at, at, request_id limit 1
          ) end as first_presentation,
          case when presented then (
            select json_strip_nulls(json_build_object('at', result ->> 'documentIssueDate',
              'routing', result ->> 'routing', 'routingControlLocation', result ->> 'routingControlLocation'))
            from (
              select (
                select entry from routing_signal s where s.owner = issued.owner and s.position = issued.position limit 1
              )::json -> 'routingResult' as result, decision
              from (
                select organisation_id as owner, signal_position as position, null as decision from signal_recipient
                where house_consignment_id = page.id and signal_position is not null
                union all
                select owner, position, decision from issued_signal where house_consignment_id = page.id
              ) issued
              offset 0
            ) signal
            -- Several decisions of one request have one time.
            where result is not null order by result ->> 'documentIssueDate' desc, decision desc nulls last limit 1
          ) end as last_signal
        from page
      )
      select '[' || coalesce(string_agg(
          '{"id":"' || id || '",' || substr(signal_head, 2)
            || coalesce(',"customsOfficeOfFirstEntry":' || to_json(office), '')
            || ',"declarant":' || to_json(declarant)
            || coalesce(',"representative":' || to_json(representative), '')
            || coalesce(',"harmonizedSystemSubheadingCode":' || to_json(subheadings), '')
            || ',"state":"' || state || '"'
            || coalesce(',"routing":"' || routing || '"', '')
            || coalesce(',"routingControlLocation":"' || routing_control_location || '"', '')
            || coalesce(',"decision":' || decision::text, '')
            || coalesce(',"difference":' || difference::text, '')
            || coalesce(',"withdrawn":' || withdrawn::text, '')
            || coalesce(',"addedAfterPresentation":' || added::text, '')
            || coalesce(',"presented":' || first_presentation::text, '')
            || coalesce(',"lastSignal":' || last_signal::text, '')
            || '}', ',' order by ${ascending(order)}), '') || ']' as body,
        ${step.isKnown} as "isKnown", ${step.isFound} as "isFound", count(*)::integer as found,
        (select id::text from page order by ${descending(order)} limit 1) as "lastFound",
        ${ofCandidates('(select count(*)::integer from candidate)')} as candidates,
        ${ofCandidates(`(select id::text from candidate order by ${descending(order)} limit 1)`)} as "lastCandidate"
      from described`,
    values: parameters.values,
  };
}

/** A house consignment that a selection has found: its id, and the number and the routing of its current decision. */
export type Selected = [id: string, decision: number | null, routing: Routing | null];

/** What one step of a selection has found, and where the next one begins. */
export type SelectedRow = {
  /** Whether the step begins where it was asked to. */
  isKnown: boolean;
  /** Whether the way of the step leads to few enough candidates. If not, nothing is found. */
  isFound: boolean;
  selected: Selected[];
  candidates: number;
  lastCandidate: string | null;
};

/** The house consignments of one step of a selection. */
export function selectMatching(
  filters: Filters,
  after: string | undefined,
  way: Way,
): Statement<SelectedRow> {
  const { named, parameters, expressions, page, isKnown, isFound, order } = makeStep(
    filters,
    after,
    MAX_CANDIDATES,
    way,
  );
  return {
    name: `select-matching-${named}`,
    text: `
      with ${expressions},${page}
      select
        coalesce((
          select json_agg(json_build_array(page.id, case
              when current.number is not null and (page.routing is not null or current.routing = 'UNDECIDED')
                then current.number
              -- A server of the previous release has registered it.
              when page.routing is not null then 0
            end, page.routing) order by page.id)
          from page
          left join lateral (
            select number, routing from routing_decision d
            where d.house_consignment_id = page.id and takes_effect order by number desc limit 1
          ) current on true
        ), '[]') as selected,
        ${isKnown} as "isKnown",
        ${isFound} as "isFound",
        (select count(*)::integer from candidate) as candidates,
        (select id::text from candidate order by ${descending(order)} limit 1) as "lastCandidate"`,
    values: parameters.values,
  };
}

/** The house consignments that a search examines, and whether there are more. */
export type IdentifiedRow = { ids: string[]; more: boolean };

/**
 * House consignments with an identifier whose key begins with that of a text, by the indexes of the keys.
 *
 * @param examined how many identifiers of each kind it examines at most, in the order of the index
 */
export function selectByBeginning(text: string, examined: number): Statement<IdentifiedRow> {
  const beginning = identifierKey(text);
  return {
    name: 'select-houses-by-beginning',
    text: `
      with of_mrn as materialized (
        select id from declaration where mrn >= $1 and mrn < $2 order by mrn limit $3
      ),
      found as materialized (
        (select 'house document' as kind, id from house_consignment
          where document_key >= $1 and document_key < $2 order by document_key, document_type limit $3)
        union all
        (select 'master document', id from house_consignment
          where master_document_key >= $1 and master_document_key < $2 order by master_document_key, ens_id limit $3)
        union all
        (select 'receptacle', id from house_consignment
          where receptacle_id >= $1 and receptacle_id < $2 order by receptacle_id limit $3)
        union all
        (select 'container', house_consignment_id from house_consignment_container
          where container_id >= $1 and container_id < $2 order by container_id, house_consignment_id limit $3)
        union all
        -- Each declaration by its index: a join might scan the table.
        (select 'MRN', house.id from of_mrn d
          cross join lateral (select id from house_consignment h where h.ens_id = d.id limit $3) house
          limit $3)
      )
      select coalesce((select array_agg(distinct id) from found), '{}') as ids,
        (select count(*) from of_mrn) = $3
          or coalesce((select max(rows) from (select count(*) as rows from found group by kind) kinds) = $3, false)
          as more`,
    values: [beginning, beginning + HIGHEST_CHARACTER, examined],
  };
}
