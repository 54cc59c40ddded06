// SQL of reading movement messages and the statuses of requests about them.
import { MAX_RELATIONS, type MovementQuery, movementLevelCodes } from '@landfall/contract';
import type { Statement } from '../database/database.js';
import { Parameters } from '../database/parameters.js';
import type { FoundEntry } from '../feed/feed-views.js';
import type { MessageKind } from './message-kind.js';

export function selectMovementStatus(
  organisationId: number,
  requestId: string,
): Statement<FoundEntry> {
  return {
    name: 'select-movement-status',
    text: 'select entry, position from movement_status where owner = $1 and id = $2',
    values: [organisationId, requestId],
  };
}

/** What is said of a message `m` wherever it is shown: JSON text. */
export const aboutMovement = (
  mrn: string,
  more = '',
) => `json_strip_nulls(json_build_object('mrn', ${mrn}, 'mode', m.mode,
          'level', m.level, 'state', coalesce(m.state, 'CURRENT'), 'lodgedAt', api_time(m.lodged_at),
          'replacedAt', api_time(m.replaced_at), 'endedAt', api_time(m.ended_at),
          'arrivedAt', api_time(m.arrived_at), 'customsOfficeOfArrival', m.arrival_office,
          'complete', case when m.level = 'HOUSE_CONSIGNMENT' then m.reasons = '{}' end${more}))::text`;

/** Why a house consignment `m` is incomplete, beside what is said of it. */
export const reasonsOfMovement = `,
          'incompleteDocumentationReasonList', case when m.reasons <> '{}' then to_json(m.reasons) end`;

/** The relations of a message `m` that couple it, as a member beside what is said of it. */
const relationsOfMovement = `,
          'relations', (
            select json_agg(json_build_object('mrn', mrn, 'parentObjectType', parent_type, 'childObjectType', child_type,
              'relatedAt', api_time(related_at)) order by related_at desc, mrn)
            from (
              select r.mrn, r.related_at, p.level as parent_type, c.level as child_type
              from (
                select * from movement_relation where parent = m.declaration_id
                union all
                select * from movement_relation where child = m.declaration_id
              ) r
              cross join lateral (select * from movement where declaration_id = r.parent offset 0) p
              cross join lateral (select * from movement where declaration_id = r.child offset 0) c
              where r.cancelled_at is null and were_current_together(p::movement, c::movement)
              order by r.related_at desc, r.mrn limit ${MAX_RELATIONS}
            ) related
          )`;

/** The message with this MRN, if it is of this kind and the organisation may read it. */
export function selectMovement(
  organisationId: number,
  { mode, level }: MessageKind,
  mrn: string,
): Statement<{ body: string }> {
  return {
    name: 'select-movement',
    text: `
      select left(${aboutMovement('$1::text', `${reasonsOfMovement}${relationsOfMovement}`)}, -1) || coalesce(',"message":' || t.body, '') || '}' as body
      from (select id from declaration where mrn = $1) d
      cross join lateral (
        select * from movement
        where declaration_id = d.id and $2::integer in (submitter, representative) and mode = $3 and level = $4
        limit 1
      ) m
      left join lateral (select body from movement_text where declaration_id = d.id limit 1) t on true`,
    values: [mrn, organisationId, mode, movementLevelCodes[level]],
  };
}

/** The message with an MRN, of any kind, if the organisation may read it. */
export function selectMarked(organisationId: number, mrn: string): Statement<{ id: number }> {
  return {
    name: 'select-marked-movement',
    text: `
      select m.declaration_id as id
      from (select id from declaration where mrn = $2) d
      cross join lateral (
        select declaration_id from movement where declaration_id = d.id and $1::integer in (submitter, representative) limit 1
      ) m`,
    values: [organisationId, mrn],
  };
}

/** The restrictions of a list. */
export type MovementFilters = Omit<MovementQuery, 'marker' | 'limit'> & MessageKind;

/** How the messages of a list are found: by their parties, by their document, or by their means of transport. */
export type ListedWay = 'party' | 'document' | 'means';

/** Where a page begins, how many messages it has at most, and how many are examined for it. */
export type ListedStep = { after: number | undefined; limit: number; examined: number };

/** The messages of a step that match, how many were examined, and the last of them. */
export type FoundMovementsRow = {
  found: string[];
  examined: number;
  lastFound: string | null;
  lastExamined: { id: number; mrn: string } | null;
};

/** What is after the newest declaration. */
const END = 2_147_483_647;

/**
 * The next messages after one, newest first, and those of them that match and that the organisation may read. Each way
 * walks an index backwards: the comparison of rows says where it begins, and the order with its first column that no
 * other index has it.
 */
export function findMovements(
  organisationId: number,
  filters: MovementFilters,
  way: ListedWay,
  { after, limit, examined }: ListedStep,
): Statement<FoundMovementsRow> {
  const given = new Parameters();
  const organisation = given.add(organisationId, 'integer');
  const before = given.add(after ?? END, 'integer');
  const maxExamined = given.add(examined, 'bigint');
  const maxFound = given.add(limit, 'bigint');
  const mode = given.add(filters.mode, 'text');
  const level = given.add(movementLevelCodes[filters.level], 'text');
  const document = given.add(filters.documentNumber, 'text');
  const type = given.add(filters.type, 'text');
  const carrier = given.add(filters.carrierId, 'text');
  const means = given.add(filters.identificationNumber, 'text');
  const state = given.add(filters.state, 'text');
  const walk = (column: string, value: string) => `
          (select declaration_id from movement
            where (${column}, declaration_id) < (${value}, ${before}) and ${column} >= ${value}
            order by ${column} desc, declaration_id desc limit ${maxExamined})`;
  const walks = {
    // Both may be the same organisation; `union` has such a message once.
    party: `${walk('submitter', organisation)}
          union${walk('representative', organisation)}`,
    document: walk('document_number', document),
    means: walk('means', means),
  };
  return {
    name: `find-movements-by-${way}`,
    text: `
      with candidate as materialized (
        select declaration_id from (${walks[way]}
        ) walked
        order by declaration_id desc limit ${maxExamined}
      ),
      page as materialized (
        select m.* from candidate
        cross join lateral (select * from movement where declaration_id = candidate.declaration_id limit 1) m
        where ${organisation} in (m.submitter, m.representative) and m.mode = ${mode} and m.level = ${level}
          and (${document} is null or m.document_number = ${document})
          and (${type} is null or m.document_type = ${type})
          and (${carrier} is null or m.carrier = ${carrier})
          and (${means} is null or m.means = ${means})
          and (${state} is null or coalesce(m.state, 'CURRENT') = ${state})
        order by candidate.declaration_id desc limit ${maxFound}
      ),
      described as materialized (
        select m.declaration_id as id, mrn, left(${aboutMovement('mrn')}, -1)
          || case when m.listed = '{}' then '}' else ',' || substr(m.listed, 2) end as entry
        from page m
        cross join lateral (select mrn from declaration where id = m.declaration_id limit 1) d
      )
      select array(select entry from described order by id desc) as found,
        (select count(*)::integer from candidate) as examined,
        (select mrn from described order by id limit 1) as "lastFound",
        (
          select json_build_object('id', declaration_id,
            'mrn', (select mrn from declaration where id = declaration_id limit 1))
          from (select declaration_id from candidate order by declaration_id limit 1) last
        ) as "lastExamined"`,
    values: given.values,
  };
}
