// SQL of finding house consignments: a bounded number of candidates by the narrowest index, then the other filters.
import type { HouseConsignmentQuery } from '@landfall/contract';
import type { Statement } from '../database/database.js';

/** House consignments that one search looks at, at most. */
export const CANDIDATES = 10_000;

/** The page as JSON text, how many candidates there were, and the last of them. */
export type FoundRow = {
  body: string;
  found: number;
  lastFound: string | null;
  candidates: number;
  lastCandidate: string | null;
};

/** Filters with values as SQL takes them. */
export type Filters = Omit<HouseConsignmentQuery, 'marker' | 'limit' | 'from' | 'to'> & {
  /** The ids between which all are that were pre-notified in the time asked for. */
  fromId?: string | undefined;
  toId?: string | undefined;
};

type Part = { name: string; value: unknown; sql: (parameter: string) => string };

/** The narrowest first: whichever is given leads to the candidates, and all are conditions on them. */
function narrowParts(filters: Filters): Part[] {
  return given([
    ['document', filters.documentNumber, (p) => `document_number = ${p}`],
    [
      'container',
      filters.containerId,
      (p) =>
        `id in (select house_consignment_id from house_consignment_container where container_id = ${p})`,
    ],
    ['receptacle', filters.receptacleId, (p) => `receptacle_id = ${p}`],
    ['master', filters.masterDocumentNumber, (p) => `master_document_number = ${p}`],
    [
      'mrn',
      filters.mrn,
      (p) => `ens_id = (select e.id from entry_summary_declaration e where e.mrn = ${p})`,
    ],
  ]);
}

/** What is looked at on each candidate `h`, its declaration `e` and whether it is `presented`. */
function wideParts(filters: Filters): Part[] {
  return given([
    ['type', filters.type, (p) => `h.document_type = ${p}`],
    ['office', filters.office, (p) => `e.customs_office_of_first_entry = ${p}`],
    [
      'organisation',
      filters.organisation,
      (p) => `(
        (select o.id from organisation o where o.identifier = ${p}) in (e.declarant, e.representative)
        or (select true from connection c
          where c.house_consignment_id = h.id
            and c.presenter = (select o.id from organisation o where o.identifier = ${p}) limit 1))`,
    ],
    [
      'state',
      filters.state,
      (
        p,
      ) => `case when presented then case when h.routing is null then 'PRESENTED' else 'SIGNALLED' end
        when h.routing is null then 'PRE_NOTIFIED' else 'DECIDED' end = ${p}`,
    ],
  ]);
}

function given(parts: [string, unknown, Part['sql']][]): Part[] {
  return parts
    .filter(([, value]) => value !== undefined)
    .map(([name, value, sql]) => ({ name, value, sql }));
}

const LOWEST = '00000000-0000-0000-0000-000000000000';
const HIGHEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * One step of a search: what it finds among the next candidates after an id. Every look-up of something else is a
 * subquery of one row: plans are kept, and a join's may have been made while its tables were empty.
 */
export function findPage(filters: Filters, after: string | undefined, limit: number): Statement {
  const narrow = narrowParts(filters);
  const wide = wideParts(filters);
  const parameter = (place: number) => `$${place + 5}`;
  const narrowSql = narrow.map(({ sql }, place) => `and ${sql(parameter(place))}`).join(' ');
  const wideSql = wide
    .map(({ sql }, place) => `and ${sql(parameter(narrow.length + place))}`)
    .join(' ');
  // What a document leads to is gathered whole before it is sorted: in the order of ids the planner might look
  // through all that there is instead.
  const source = narrow.length === 0 ? 'house_consignment' : 'narrowed';
  return {
    name: `find-house-consignments-${[...narrow, ...wide].map(({ name }) => name).join('-')}`,
    text: `
      with ${
        narrow.length === 0
          ? ''
          : `narrowed as materialized (select id from house_consignment where true ${narrowSql}),`
      }
      candidate as materialized (
        select id from ${source}
        where id > $1::uuid and id >= $2::uuid and id < $3::uuid
        order by id limit ${CANDIDATES}
      ),
      page as materialized (
        select h.*, e.mrn, e.customs_office_of_first_entry as office, e.declarant, e.representative, presented
        from candidate
        cross join lateral (select * from house_consignment h where h.id = candidate.id limit 1) h
        cross join lateral (select * from entry_summary_declaration e where e.id = h.ens_id limit 1) e
        cross join lateral (
          select (select true from connection c where c.house_consignment_id = h.id limit 1) is not null as presented
          offset 0
        ) connected
        where true ${wideSql}
        order by candidate.id limit $4
      )
      select '[' || coalesce(string_agg(${houseText}, ',' order by page.id), '') || ']' as body,
        count(*)::integer as found, max(page.id::text) as "lastFound",
        (select count(*)::integer from candidate) as candidates,
        (select max(id::text) from candidate) as "lastCandidate"
      from page`,
    values: [
      after ?? LOWEST,
      filters.fromId ?? LOWEST,
      filters.toId ?? HIGHEST,
      limit,
      ...[...narrow, ...wide].map(({ value }) => value),
    ],
  };
}

const identifierOf = (id: string) => `(select identifier from organisation o where o.id = ${id})`;

/** The text of one house consignment: what its signals say of it, and how it stands. */
const houseText = `
  '{"id":"' || page.id || '",' || substr(page.signal_head, 2)
    || ',"customsOfficeOfFirstEntry":' || to_json(page.office)
    || ',"declarant":' || to_json(${identifierOf('page.declarant')})
    || coalesce(',"representative":' || to_json(${identifierOf('page.representative')}), '')
    || coalesce(',"harmonizedSystemSubheadingCode":' || to_json(page.subheadings), '')
    || ',"state":"' || case when presented then case when routing is null then 'PRESENTED' else 'SIGNALLED' end
      when routing is null then 'PRE_NOTIFIED' else 'DECIDED' end || '"'
    || coalesce(',"routing":"' || routing || '"', '')
    || coalesce(',"routingControlLocation":"' || routing_control_location || '"', '')
    || coalesce(case when not presented then ',"addedAfterPresentation":' || added_after_presentation(page.id)::text end, '')
    || coalesce(case when presented then ',"presented":' || (
      select json_build_object('by', ${identifierOf('c.presenter')}, 'at', at, 'requestId', request_id)::text
      from (
        select presenter, request_id, (
          select entry from validation_status s where s.owner = presenter and s.id = request_id limit 1
        )::json ->> 'notificationDate' as at
        from connection where house_consignment_id = page.id
        offset 0
      ) c
      order by at, request_id limit 1) end, '')
    || coalesce(case when presented then ',"lastSignal":' || (
      select json_strip_nulls(json_build_object('at', result ->> 'documentIssueDate',
        'routing', result ->> 'routing', 'routingControlLocation', result ->> 'routingControlLocation'))::text
      from (
        select (
          select entry from routing_signal s where s.owner = signal.owner and s.position = signal.position limit 1
        )::json -> 'routingResult' as result
        from (
          select organisation_id as owner, signal_position as position from connection
          where house_consignment_id = page.id and signal_position is not null
          union all
          select owner, position from issued_signal where house_consignment_id = page.id
        ) signal
        offset 0
      ) issued
      order by result ->> 'documentIssueDate' desc limit 1) end, '')
    || '}'`;
