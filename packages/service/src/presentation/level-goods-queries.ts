// SQL of what a reference above the house level leads to, and what presenting it would add. It takes no lock.
import {
  type PresentationPath,
  presentationLevels,
  type ReferenceProblem,
} from '@landfall/contract';
import type { Statement } from '../database/database.js';
import { errorsText, problemTexts } from './queries.js';
import type { PresentationRequest } from './submission.js';

/** The levels above that of a house consignment. */
export type UpperLevel = Exclude<PresentationPath, 'house-consignment'>;

const mayPresent =
  '(not expected_only or may_present(presenter, declarant, representative, carrier, presenters))';

/**
 * Joins the declarations `e` of goods `h`, and these. Declarations are found one after the other by an index, without
 * their goods, so goods of which the presenter may know nothing are not read, however many they are (decision 0146).
 */
function leadingTo(condition: string, table = 'house_consignment'): string {
  return `cross join lateral (
          with recursive found_declaration (ens) as (
            (select h.ens_id from ${table} h where ${condition} order by h.ens_id limit 1)
            union all
            select (select h.ens_id from ${table} h
              where ${condition} and h.ens_id > found_declaration.ens order by h.ens_id limit 1)
            from found_declaration where found_declaration.ens is not null
          )
          select ens from found_declaration where ens is not null
        ) found_declaration
        cross join lateral (
          select * from entry_summary_declaration where id = found_declaration.ens
          offset 0 -- so that it is judged before its goods are read
        ) e
        cross join lateral (
          ${goodsOf(condition, table)}
          offset 0
        ) h`;
}

/** The goods of the declaration `e`, in the table of goods or of their containers. */
function goodsOf(condition: string, table: string): string {
  return table === 'house_consignment'
    ? `select h.id, h.ctid, h.routing from house_consignment h where ${condition} and h.ens_id = e.id`
    : `select goods.id, goods.ctid, goods.routing from ${table} h
          join house_consignment goods on goods.id = h.house_consignment_id
          where ${condition} and h.ens_id = e.id`;
}

/** What a presentation reaches, and whose feeds it has to lock. */
export type FoundLevel = {
  reused: boolean;
  problem: ReferenceProblem | null;
  /** The declarations that the reference leads to, and the number of their house consignments that it reaches. */
  declarations: number[];
  houses: number;
  /** The declaration and its MRN if it is the only one. */
  one_ens: number | null;
  one_mrn: string | null;
  /** The declarants and representatives of goods to which an organisation is added; none if nothing is added. */
  organisations: number[];
};

/** The request as a row, of the values of `requestValues`. */
export const requestRow = `request as materialized (
        select $1::integer as presenter, $2::text as reference, $3::text as document_type, $4::text as mrn,
          $5::boolean as expected_only, $6::text as request_text, $6::uuid as id, $7::text as errors,
          $8::bigint as status_end, $9::text as notified, $10::text as office, $11::text as not_found,
          $12::text as ambiguous
      )`;

export function requestValues(
  path: UpperLevel,
  { organisationId, submission, notifiedAt }: PresentationRequest,
  expectedOnly: boolean,
  statusEnd: number,
): unknown[] {
  const { notFound, ambiguous } = problemTexts(path);
  return [
    organisationId,
    submission.reference?.identifier,
    submission.reference?.documentType,
    submission.reference?.mrn,
    expectedOnly,
    submission.requestId,
    errorsText(submission.errors),
    statusEnd,
    notifiedAt.toISOString(),
    submission.customsOffice,
    notFound,
    ambiguous,
  ];
}

/** Whether the requestId of the request `r` was used before. */
export const isReused =
  '(select true from validation_status s where s.owner = r.presenter and s.id = r.id limit 1) is not null';

/**
 * The goods that a request leads to, their declarations and the parties of those, what is `missing`, which are the
 * connections that presenting adds, and what the request is `found` to reach.
 */
export function reachedGoods(path: UpperLevel): string {
  const { level } = presentationLevels[path];
  return `-- The goods that the reference leads to. The planner removes the parts for other levels.
      goods as (
        select r.presenter, r.expected_only, h.id as house, h.ctid as stored_at, h.routing is not null as decided, e.*
        from request r
        ${leadingTo('h.master_document_number = r.reference and h.master_document_type = r.document_type')}
        where (r.mrn is null or e.mrn = r.mrn) and '${level}' = 'MASTER_CONSIGNMENT'
          and ${mayPresent}
        union all
        select r.presenter, r.expected_only, h.id, h.ctid, h.routing is not null, e.*
        from request r
        ${leadingTo('h.container_id = r.reference', 'house_consignment_container')}
        where '${level}' = 'CONTAINER' and ${mayPresent}
        union all
        select r.presenter, r.expected_only, h.id, h.ctid, h.routing is not null, e.*
        from request r
        ${leadingTo('h.receptacle_id = r.reference')}
        where '${level}' = 'RECEPTACLE' and ${mayPresent}
        union all
        -- One without house consignments is presented too.
        select r.presenter, r.expected_only, h.id, h.ctid, h.routing is not null, e.*
        from request r
        join entry_summary_declaration e on e.mrn = r.reference
        left join house_consignment h on h.ens_id = e.id
        where '${level}' = 'ENTRY_SUMMARY_DECLARATION'
      ),
      -- Narrow rows: the texts of signals are read from their rows when the signals are written.
      reached as materialized (
        select house, stored_at, decided, id as ens from goods
        where ${mayPresent}
      ),
      declaration as materialized (
        select e.id, e.mrn, e.declarant, e.representative, houses
        from (select ens, count(house) as houses from reached group by ens) reached
        join entry_summary_declaration e on e.id = reached.ens
      ),
      affected as materialized (
        select d.id as ens, owner, owner = d.declarant as is_declarant
        from request r cross join declaration d
        cross join lateral (values
          (r.presenter),
          (nullif(d.declarant, r.presenter)),
          (case when d.representative not in (r.presenter, d.declarant) then d.representative end)
        ) each_once (owner)
        where owner is not null
      ),
      missing as materialized (
        select ens, owner, is_declarant, r.house, r.stored_at, r.decided
        from reached r join affected using (ens)
        where r.house is not null and (
          select true from signal_recipient c where c.house_consignment_id = r.house and c.organisation_id = owner limit 1
        ) is null
      ),
      found as materialized (
        select r.*, houses, one_ens, one_mrn,
          case
            when declarations = 0 and r.reference is not null then 'REFERENCE_NOT_FOUND'
            when declarations > 1 and r.document_type is not null then 'REFERENCE_AMBIGUOUS'
          end as problem
        from request r cross join (
          select count(*) as declarations, coalesce(sum(houses), 0)::bigint as houses,
            case when count(*) = 1 then min(id) end as one_ens, case when count(*) = 1 then min(mrn) end as one_mrn
          from declaration
        ) tally
      ),
      -- Deciding on goods needs the locks of their parties too, so no signal is missed (decision 0063).
      growing as materialized (
        select distinct owner from affected, found
        where problem is null and errors is null and ens in (select ens from missing)
      )`;
}

/** Finds what a presentation would do. Nothing is locked, so what it would add is looked up again under the locks. */
export function findLevel(
  path: UpperLevel,
  request: PresentationRequest,
  expectedOnly: boolean,
): Statement {
  return {
    name: `find-${path}`,
    text: `
      with ${requestRow},
      ${reachedGoods(path)}
      select ${isReused} as reused, problem, houses, one_ens, one_mrn,
        array(select id from declaration) as declarations, array(select owner from growing) as organisations
      from found r`,
    values: requestValues(path, request, expectedOnly, 0),
  };
}
