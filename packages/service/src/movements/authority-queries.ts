// SQL of what the authority reads of movement messages: transports by their estimated arrival, and any message with what it is
// coupled to.
import type { TransportQuery } from '@landfall/contract';
import type { Statement } from '../database/database.js';
import { Parameters } from '../database/parameters.js';
import type { LevelCode, MessageKind } from './message-kind.js';
import { aboutMovement, reasonsOfMovement } from './queries.js';
import { relationBetween } from './relation-queries.js';

/** How transports are found, each by an index in the order of the list. */
export type TransportWay = 'time' | 'office' | 'means';

/** The restrictions of a list of transports. */
export type TransportFilters = Omit<TransportQuery, 'marker' | 'limit'>;

/** After which transport a page begins, how many it has at most, and how many are examined for it. */
export type TransportStep = {
  after: { at: string; id: number } | undefined;
  limit: number;
  examined: number;
};

/** The transports of a step that match, how many were examined, and the marker of the last one that counts. */
export type FoundTransportsRow = { found: string[]; examined: number; last: string | null };

/** The marker of a page that ends with a transport: its estimated arrival, to the microsecond, and its MRN. */
const markerOf = (estimatedAt: string, mrn: string) =>
  `to_char(${estimatedAt} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || ${mrn}`;

/** The identifier of an organisation. */
const identifierOf = (organisation: string) =>
  `(select identifier from organisation where id = ${organisation})`;

/** Who has lodged the message \`m\` of the declaration \`d\`, and whom it names. */
const parties = `,
          'submitter', ${identifierOf('m.submitter')}, 'representative', ${identifierOf('m.representative')},
          'carrier', ${identifierOf('d.carrier')}`;

/** The members of a JSON object, followed by what identifies the message \`m\` in lists. */
const withListed = (entry: string) =>
  `left(${entry}, -1) || case when m.listed = '{}' then '}' else ',' || substr(m.listed, 2) end`;

/** The number of a transport with an MRN. */
export function selectMarkedTransport(mrn: string): Statement<{ id: number }> {
  return {
    name: 'select-marked-transport',
    text: `
      select m.declaration_id as id
      from (select id from declaration where mrn = $1) d
      cross join lateral (select * from movement where declaration_id = d.id and level = 'TRANSPORT' limit 1) m`,
    values: [mrn],
  };
}

/** What precedes the estimated arrival in the index of each way. */
const columnOfWay = { time: undefined, office: 'coalesce(arrival_office, office)', means: 'means' };

/**
 * The next transports after one, by their estimated arrival, and those of them that match. Each way walks an index: the
 * comparisons of rows say where it begins and ends, and the order with its first column that no other index has it.
 */
export function findTransports(
  filters: TransportFilters,
  way: TransportWay,
  { after, limit, examined }: TransportStep,
): Statement<FoundTransportsRow> {
  const given = new Parameters();
  const afterAt = given.add(after?.at ?? '-infinity', 'timestamptz');
  const afterId = given.add(after?.id ?? 0, 'integer');
  const maxExamined = given.add(examined, 'bigint');
  const maxFound = given.add(limit, 'bigint');
  const mode = given.add(filters.mode, 'text');
  const means = given.add(filters.identificationNumber, 'text');
  const office = given.add(filters.office, 'text');
  const state = given.add(filters.state, 'text');
  const arrived = given.add(filters.arrived, 'boolean');
  const from = given.add(filters.from ?? '-infinity', 'timestamptz');
  const to = given.add(filters.to ?? 'infinity', 'timestamptz');
  const start = `greatest(${afterAt}, ${from}), case when ${afterAt} < ${from} then 0 else ${afterId} end`;
  const column = columnOfWay[way];
  const value = way === 'office' ? office : means;
  const [columns, values] = column === undefined ? ['', ''] : [`${column}, `, `${value}, `];
  return {
    name: `find-transports-by-${way}`,
    text: `
      with candidate as materialized (
        select declaration_id, estimated_at from movement
        where level = 'TRANSPORT' and (${columns}estimated_at, declaration_id) > (${values}${start})
          and (${columns}estimated_at) < (${values}${to})
        order by ${columns}estimated_at, declaration_id limit ${maxExamined}
      ),
      page as materialized (
        select m.* from candidate
        cross join lateral (select * from movement where declaration_id = candidate.declaration_id limit 1) m
        where (${mode} is null or m.mode = ${mode})
          and (${means} is null or m.means = ${means})
          and (${office} is null or coalesce(m.arrival_office, m.office) = ${office})
          and (${state} is null or coalesce(m.state, 'CURRENT') = ${state})
          and (${arrived} is null or (m.arrived_at is not null) = ${arrived})
        order by candidate.estimated_at, candidate.declaration_id limit ${maxFound}
      ),
      described as materialized (
        select m.estimated_at, m.declaration_id, d.mrn, ${withListed(
          aboutMovement(
            'd.mrn',
            `,
          'estimatedDateAndTimeOfArrival', api_time(m.estimated_at), 'customsOfficeOfFirstEntry', m.office${parties}`,
          ),
        )} as entry
        from page m
        cross join lateral (select mrn, carrier from declaration where id = m.declaration_id limit 1) d
      ),
      last as (
        select case when (select count(*) from described) = ${maxFound} then (
          select ${markerOf('estimated_at', 'mrn')} from described order by estimated_at desc, declaration_id desc limit 1
        ) else (
          select ${markerOf('estimated_at', '(select mrn from declaration where id = declaration_id limit 1)')}
          from candidate order by estimated_at desc, declaration_id desc limit 1
        ) end as marker
      )
      select array(select entry from described order by estimated_at, declaration_id) as found,
        (select count(*)::integer from candidate) as examined, marker as last
      from last`,
    values: given.values,
  };
}

/** A message that the authority reads: what the audit trail says of it, and the JSON text that is sent. */
export type ReadMovementRow = { level: LevelCode; digest: string | null; body: string };

/** The functions that say what is above a message of a level, and what is below it. */
const coupledBy: Readonly<Record<'above' | 'below', readonly [LevelCode, string][]>> = {
  above: [
    ['HOUSE_CONSIGNMENT', 'masters_of_house'],
    ['HOUSE_CONSIGNMENT', 'transports_of_house'],
    ['MASTER_CONSIGNMENT', 'transports_of_master'],
  ],
  below: [
    ['TRANSPORT', 'masters_of_transport'],
    ['TRANSPORT', 'direct_houses_of_transport'],
    ['MASTER_CONSIGNMENT', 'houses_of_master'],
  ],
};

/** A message of any organisation, with at most so many that it is coupled to. */
export function selectAnyMovement(
  mrn: string,
  expectedOnly: boolean,
  maxCoupled: number,
): Statement<ReadMovementRow> {
  const given = new Parameters();
  const asked = given.add(mrn, 'text');
  const expected = given.add(expectedOnly, 'boolean');
  const max = given.add(maxCoupled, 'bigint');
  // A message can hang on another one by its document, or its receptacle, and by a relation: so many have one more message
  // than is shown.
  const maxFound = `2 * (${max} + 1)`;
  const coupled = (side: 'above' | 'below') =>
    coupledBy[side]
      .map(
        ([level, reached]) => `
          (select id from asked cross join lateral ${reached}(asked.declaration_id, ${expected}) reached
            where asked.level = '${level}' limit ${maxFound})`,
      )
      .join('\n          union all');
  const relationOf = (side: 'above' | 'below') => {
    const [parent, child] =
      side === 'above'
        ? ['each.id', '(select declaration_id from asked)']
        : ['(select declaration_id from asked)', 'each.id'];
    return relationBetween(parent, child);
  };
  const listOf = (side: 'above' | 'below') => `
      ${side} as materialized (
        select coalesce(json_agg(entry::json order by number) filter (where number <= ${max}), '[]')::text as list,
          count(*) > ${max} or coalesce(sum(times), 0) >= ${maxFound} as has_more
        from (
          select row_number() over (order by m.declaration_id) as number, each.times, ${withListed(
            `json_strip_nulls(json_build_object('mrn', d.mrn, 'relation', ${relationOf(side)}, 'level', m.level,
              'state', coalesce(m.state, 'CURRENT')))::text`,
          )} as entry
          from (select id, count(*) as times from (${coupled(side)}
          ) found group by id) each
          cross join lateral (select * from movement where declaration_id = each.id limit 1) m
          cross join lateral (select mrn from declaration where id = each.id limit 1) d
        ) named
      )`;
  return {
    name: 'select-any-movement',
    text: `
      with asked as materialized (
        select m.*, e.mrn, e.carrier as carrier_organisation
        from (select id, mrn, carrier from declaration where mrn = ${asked}) e
        cross join lateral (select * from movement where declaration_id = e.id limit 1) m
      ),${listOf('above')},${listOf('below')}
      select m.level, encode(sha256(convert_to(t.body, 'UTF8')), 'hex') as digest,
        left(${aboutMovement(
          'm.mrn',
          `${reasonsOfMovement}${parties.replace('d.carrier', 'm.carrier_organisation')},
          'houseConsignmentId', (select h.id from house_consignment h where h.ens_id = m.declaration_id limit 1)`,
        )}, -1) || ',"above":' || above.list || ',"below":' || below.list || ',"moreAbove":' || above.has_more::text
          || ',"moreBelow":' || below.has_more::text || coalesce(',"message":' || t.body, '') || '}' as body
      from asked m
      cross join above cross join below
      left join lateral (select body from movement_text where declaration_id = m.declaration_id limit 1) t on true`,
    values: given.values,
  };
}

/** A message that the authority changes: its kind, and who has lodged it. */
export type ChangedMovement = {
  level: LevelCode;
  mode: MessageKind['mode'];
  id: number;
  identifier: string;
};

/** The message with an MRN, of any organisation. */
export function selectChanged(mrn: string): Statement<ChangedMovement> {
  return {
    name: 'select-movement-of-any-organisation',
    text: `
      select m.level, m.mode, o.id, o.identifier
      from declaration e
      join movement m on m.declaration_id = e.id
      join organisation o on o.id = m.submitter
      where e.mrn = $1`,
    values: [mrn],
  };
}
