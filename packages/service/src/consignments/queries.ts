// SQL of finding house consignments: a bounded number of candidates by the narrowest index, then the other filters.
import type { HouseConsignmentQuery, HouseConsignmentState } from '@landfall/contract';
import type { Statement } from '../database/database.js';
import { Parameters } from '../database/parameters.js';

/** Maximum number of house consignments that one search examines. */
export const MAX_CANDIDATES = 10_000;

/** The page as JSON text, the number of candidates, and the last of them. */
export type FoundRow = {
  body: string;
  found: number;
  lastFound: string | null;
  candidates: number;
  lastCandidate: string | null;
};

/** Filters that the contract does not have, for programs that assemble the service. */
export type FurtherFilters = {
  /** In one of these states. */
  states?: readonly HouseConsignmentState[] | undefined;
  /** Without a reference at any of these levels. */
  without?: readonly UpperReference[] | undefined;
  /** Of declarations that name this organisation, as `LANDFALL_PRESENTERS=expected` requires of a presenter. */
  presenter?: string | undefined;
  /** Together with `presenter`: or that name neither a carrier nor presenters. */
  orNoPresenter?: boolean | undefined;
  /** With one of these ids. */
  ids?: readonly string[] | undefined;
};

/** A level above the house consignment, below the declaration. */
export type UpperReference = 'MASTER_CONSIGNMENT' | 'RECEPTACLE' | 'CONTAINER';

/** The filters of a search. */
export type Filters = Omit<HouseConsignmentQuery, 'marker' | 'limit' | 'from' | 'to'> &
  FurtherFilters & {
    /** The range of ids of the house consignments that were pre-notified in the requested time. */
    fromId?: string | undefined;
    toId?: string | undefined;
  };

/** Filters that an index serves, as conditions. Each combination is a statement with a plan of its own. */
const indexed = {
  documentNumber: (parameter: string) => `document_number = ${parameter}`,
  containerId: (parameter: string) =>
    `id in (select house_consignment_id from house_consignment_container where container_id = ${parameter})`,
  receptacleId: (parameter: string) => `receptacle_id = ${parameter}`,
  masterDocumentNumber: (parameter: string) => `master_document_number = ${parameter}`,
  mrn: (parameter: string) =>
    `ens_id = (select e.id from entry_summary_declaration e where e.mrn = ${parameter})`,
  ids: (parameter: string) => `id = any (${parameter})`,
} as const;

const LOWEST = '00000000-0000-0000-0000-000000000000';
const HIGHEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * One step of a search: the next candidates after an id, and those of them that match. Every look-up of something else
 * is a subquery of one row: plans are kept, and a join's may have been made while its tables were empty.
 */
export function findPage(
  filters: Filters,
  after: string | undefined,
  limit: number,
): Statement<FoundRow> {
  // The cast is true because these are the keys of `indexed`.
  const given = (Object.keys(indexed) as (keyof typeof indexed)[]).filter(
    (name) => filters[name] !== undefined,
  );
  const parameters = new Parameters();
  const add = (value: unknown, type: string) => parameters.add(value, type);
  const start = add(after ?? LOWEST, 'uuid');
  const fromId = add(filters.fromId ?? LOWEST, 'uuid');
  const toId = add(filters.toId ?? HIGHEST, 'uuid');
  const count = add(limit, 'bigint');
  const type = add(filters.type, 'text');
  const office = add(filters.office, 'text');
  const organisation = add(filters.organisation, 'text');
  const state = add(filters.state, 'text');
  const states = add(filters.states, 'text[]');
  const without = add(filters.without, 'text[]');
  const presenter = add(filters.presenter, 'text');
  const orNoPresenter = add(filters.orNoPresenter ?? false, 'boolean');
  const conditions = given.map((name) =>
    indexed[name](add(filters[name], name === 'ids' ? 'uuid[]' : 'text')),
  );
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
  return {
    name: `list-house-consignments-${given.length === 0 ? 'all' : given.join('-')}`,
    text: `
      with matching as ${given.length === 0 ? 'not materialized' : 'materialized'} (
        -- What a filter leads to is collected before it is sorted: in the order of ids the planner might scan the table.
        select id from house_consignment ${where}
      ),
      candidate as materialized (
        select id from matching
        where id > ${start} and id >= ${fromId} and id < ${toId}
        order by id limit ${MAX_CANDIDATES}
      ),
      page as materialized (
        select h.*, customs_office_of_first_entry as office, presented, state,
          (select identifier from organisation o where o.id = e.declarant) as declarant,
          (select identifier from organisation o where o.id = e.representative) as representative
        from candidate
        cross join lateral (select * from house_consignment h where h.id = candidate.id limit 1) h
        cross join lateral (select * from entry_summary_declaration e where e.id = h.ens_id limit 1) e
        cross join lateral (
          select (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
          offset 0 -- so that it is looked up once, not wherever it is used
        ) connected
        cross join lateral (
          select case
            when presented and h.routing is null then 'PRESENTED'
            when presented then 'SIGNALLED'
            when h.routing is null then 'PRE_NOTIFIED'
            else 'DECIDED'
          end as state
        ) progress
        where (${type} is null or h.document_type = ${type})
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
          and (${presenter} is null
            or may_present((select o.id from organisation o where o.identifier = ${presenter}),
              e.declarant, e.representative, e.carrier, e.presenters)
            or (${orNoPresenter} and e.carrier is null and e.presenters is null))
        order by candidate.id limit ${count}
      ),
      described as (
        select page.*,
          case when not presented then added_after_presentation(id) end as added,
          case when presented then (
            select json_build_object('by', by, 'at', at, 'requestId', request_id)
            from (
              select request_id,
                (select identifier from organisation o where o.id = presenter) as by,
                -- Without its status, the time of the first presentation is known, and of others nothing.
                coalesce((
                  select entry from validation_status s where s.owner = presenter and s.id = request_id limit 1
                )::json ->> 'notificationDate', api_time(first_presented_at)) as at
              from signal_recipient where house_consignment_id = page.id
              offset 0
            ) presentation
            where at is not null order by at, request_id limit 1
          ) end as first_presentation,
          case when presented then (
            select json_strip_nulls(json_build_object('at', result ->> 'documentIssueDate',
              'routing', result ->> 'routing', 'routingControlLocation', result ->> 'routingControlLocation'))
            from (
              select (
                select entry from routing_signal s where s.owner = issued.owner and s.position = issued.position limit 1
              )::json -> 'routingResult' as result
              from (
                select organisation_id as owner, signal_position as position from signal_recipient
                where house_consignment_id = page.id and signal_position is not null
                union all
                select owner, position from issued_signal where house_consignment_id = page.id
              ) issued
              offset 0
            ) signal
            where result is not null order by result ->> 'documentIssueDate' desc limit 1
          ) end as last_signal
        from page
      )
      select '[' || coalesce(string_agg(
          '{"id":"' || id || '",' || substr(signal_head, 2)
            || ',"customsOfficeOfFirstEntry":' || to_json(office)
            || ',"declarant":' || to_json(declarant)
            || coalesce(',"representative":' || to_json(representative), '')
            || coalesce(',"harmonizedSystemSubheadingCode":' || to_json(subheadings), '')
            || ',"state":"' || state || '"'
            || coalesce(',"routing":"' || routing || '"', '')
            || coalesce(',"routingControlLocation":"' || routing_control_location || '"', '')
            || coalesce(',"addedAfterPresentation":' || added::text, '')
            || coalesce(',"presented":' || first_presentation::text, '')
            || coalesce(',"lastSignal":' || last_signal::text, '')
            || '}', ',' order by id), '') || ']' as body,
        count(*)::integer as found, max(id::text) as "lastFound",
        (select count(*)::integer from candidate) as candidates,
        (select max(id::text) from candidate) as "lastCandidate"
      from described`,
    values: parameters.values,
  };
}

/** The house consignments that a search examines, and whether there are more. */
export type IdentifiedRow = { ids: string[]; more: boolean };

/** The highest character: in the collation "C", every text that begins with another one is below that text and this. */
const HIGHEST_CHARACTER = String.fromCodePoint(0x10ffff);

/**
 * House consignments with an identifier that begins with a text, by the indexes of the identifiers.
 *
 * @param examined how many identifiers of each kind it examines at most, in the order of the index
 */
export function selectByBeginning(beginning: string, examined: number): Statement<IdentifiedRow> {
  return {
    name: 'select-houses-by-beginning',
    text: `
      with declaration as materialized (
        select id from entry_summary_declaration where mrn >= $1 and mrn < $2 order by mrn limit $3
      ),
      found as materialized (
        (select 'house document' as kind, id from house_consignment
          where document_number >= $1 and document_number < $2 order by document_number, document_type limit $3)
        union all
        (select 'master document', id from house_consignment
          where master_document_number >= $1 and master_document_number < $2
          order by master_document_number, master_document_type limit $3)
        union all
        (select 'receptacle', id from house_consignment
          where receptacle_id >= $1 and receptacle_id < $2 order by receptacle_id limit $3)
        union all
        (select 'container', house_consignment_id from house_consignment_container
          where container_id >= $1 and container_id < $2 order by container_id, house_consignment_id limit $3)
        union all
        -- Each declaration by its index: a join might scan the table.
        (select 'MRN', house.id from declaration d
          cross join lateral (select id from house_consignment h where h.ens_id = d.id limit $3) house
          limit $3)
      )
      select coalesce((select array_agg(distinct id) from found), '{}') as ids,
        (select count(*) from declaration) = $3
          or coalesce((select max(rows) from (select count(*) as rows from found group by kind) kinds) = $3, false)
          as more`,
    values: [beginning, beginning + HIGHEST_CHARACTER, examined],
  };
}
