// SQL of the candidates of a search: a bounded number of house consignments by the narrowest index, in the order of the page.
import type { HouseConsignmentQuery, HouseConsignmentState } from '@landfall/contract';
import { Parameters } from '../database/parameters.js';

/** Maximum number of house consignments that one search examines. */
export const MAX_CANDIDATES = 10_000;

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
export type Filters = Omit<HouseConsignmentQuery, 'marker' | 'limit' | 'from' | 'to' | 'state'> &
  FurtherFilters & {
    state?: HouseConsignmentState | undefined;
    /** The range of ids of the house consignments that were pre-notified in the requested time. */
    fromId?: string | undefined;
    toId?: string | undefined;
  };

/** Filters that an index serves, as conditions. Each combination is a statement with a plan of its own. */
const indexed = {
  documentNumber: (parameter: string) => `document_key = identifier_key(${parameter})`,
  containerId: (parameter: string) =>
    `id in (select house_consignment_id from house_consignment_container where container_id = ${parameter})`,
  receptacleId: (parameter: string) => `receptacle_id = ${parameter}`,
  masterDocumentNumber: (parameter: string) => `master_document_key = identifier_key(${parameter})`,
  mrn: (parameter: string) =>
    `ens_id = (select e.id from entry_summary_declaration e where e.mrn = ${parameter})`,
  ids: (parameter: string) => `id = any (${parameter})`,
} as const;

const LOWEST = '00000000-0000-0000-0000-000000000000';
const HIGHEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The candidates of one step of a search. */
export type Candidates = {
  isWithdrawn: boolean;
  /** Names the combination of filters. */
  named: string;
  parameters: Parameters;
  /** The expression `candidate`, with those that it needs. */
  expressions: string;
  /** Whether the step begins where it was asked to: at the beginning, or after goods that are known. */
  isKnown: string;
  /** Which of the candidates match, beside the filters of every search. */
  matches: string;
  /** Whether counting them reads more than a full page. */
  isLazy: boolean;
  /** The order of the candidates and of the page, and the reverse. */
  order: readonly string[];
};

/** The conditions of the filters that an index serves. */
type Conditions = Pick<Candidates, 'isWithdrawn' | 'parameters' | 'named'> & {
  goods: string;
  /** By the names of their filters. */
  conditions: ReadonlyMap<string, string>;
};

function readConditions(filters: Filters): Conditions {
  const isWithdrawn = filters.state === 'WITHDRAWN';
  const parameters = new Parameters();
  // The cast is true because these are the keys of `indexed`.
  const given = (Object.keys(indexed) as (keyof typeof indexed)[]).filter(
    (name) => filters[name] !== undefined,
  );
  const conditions = given.map((name): [string, string] => {
    const value = parameters.add(filters[name], name === 'ids' ? 'uuid[]' : 'text');
    // Containers of withdrawn goods are in their signal heads alone.
    return isWithdrawn && name === 'containerId'
      ? [name, `(signal_head || '}')::jsonb -> 'containerId' ? ${value}`]
      : [name, indexed[name](value)];
  });
  return {
    isWithdrawn,
    parameters,
    named: [...(isWithdrawn ? ['withdrawn'] : []), ...given].join('-') || 'all',
    goods: isWithdrawn ? 'withdrawn_house_consignment' : 'house_consignment',
    conditions: new Map(conditions),
  };
}

/**
 * The next candidates after those with an id: those of one declaration in the order of its house documents, because its
 * index has this order, and every page would sort the rest of the declaration otherwise; all others in that of their ids.
 */
export function nextCandidates(filters: Filters, after: string | undefined): Candidates {
  const conditions = readConditions(filters);
  const ofDeclaration = conditions.conditions.get('mrn');
  return ofDeclaration === undefined || conditions.isWithdrawn
    ? byId(filters, after, conditions)
    : byDocument(filters, after, conditions, ofDeclaration);
}

/** Ids are UUID v7, so a range of times is a range of ids, of which the index has nothing else. */
function byId(
  { fromId, toId }: Filters,
  after: string | undefined,
  { goods, conditions, ...given }: Conditions,
): Candidates {
  const { parameters } = given;
  const start = parameters.add(after ?? LOWEST, 'uuid');
  const where = conditions.size === 0 ? '' : `where ${[...conditions.values()].join(' and ')}`;
  return {
    ...given,
    // What the conditions lead to is collected before it is sorted: in the order of ids the planner might scan the table.
    expressions: `
      matching as ${conditions.size === 0 ? 'not materialized' : 'materialized'} (
        select id from ${goods} ${where}
      ),
      candidate as materialized (
        select id from matching
        where id > ${start}
          and id >= ${parameters.add(fromId ?? LOWEST, 'uuid')} and id < ${parameters.add(toId ?? HIGHEST, 'uuid')}
        order by id limit ${MAX_CANDIDATES}
      )`,
    isKnown: 'true',
    matches: 'true',
    isLazy: false,
    order: ['id'],
  };
}

/** No index has the ids of a declaration in a range, so the range is looked at in each candidate. */
function byDocument(
  { fromId, toId }: Filters,
  after: string | undefined,
  { goods, conditions, ...given }: Conditions,
  ofDeclaration: string,
): Candidates {
  const { parameters } = given;
  const start = parameters.add(after ?? LOWEST, 'uuid');
  // Nothing but the index of the declaration and its documents is read, unless another filter leads to fewer goods.
  const isIndexOrder = conditions.size === 1;
  const materialized = isIndexOrder ? 'not materialized' : 'materialized';
  return {
    ...given,
    expressions: `
      position as materialized (
        -- The goods may have been withdrawn since the page before.
        select document_number, document_type from house_consignment where id = ${start} and ${ofDeclaration}
        union all
        select document_number, document_type from withdrawn_house_consignment where id = ${start} and ${ofDeclaration}
        limit 1
      ),
      matching as ${materialized} (
        select id, document_number, document_type from ${goods} where ${[...conditions.values()].join(' and ')}
      ),
      candidate as ${materialized} (
        select id, document_number, document_type from matching
        where (document_number, document_type) >
          (coalesce((select document_number from position), ''), coalesce((select document_type from position), ''))
        order by document_number, document_type limit ${MAX_CANDIDATES}
      )`,
    isKnown: `(${start} = '${LOWEST}' or exists (select from position))`,
    matches: `candidate.id >= ${parameters.add(fromId ?? LOWEST, 'uuid')}
          and candidate.id < ${parameters.add(toId ?? HIGHEST, 'uuid')}`,
    isLazy: true,
    order: ['document_number', 'document_type'],
  };
}
