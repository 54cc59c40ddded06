// SQL of the candidates of a search: a bounded number of house consignments by the narrowest index, in the order of the page.
import type { HouseConsignmentQuery, HouseConsignmentState } from '@landfall/contract';
import { Parameters } from '../database/parameters.js';

/** Maximum number of house consignments that one search examines. */
export const MAX_CANDIDATES = 10_000;

/** How many goods of a declaration are examined for each that is requested, before another way is tried. */
const EXAMINED_FOR_EACH = 10;

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

/** A filter that an index serves, as a condition on a row `h` of a table that leads to house consignments. */
type IndexedFilter = { value: (parameter: string) => string; condition: (value: string) => string };

const asGiven = (parameter: string) => parameter;
const asKey = (parameter: string) => `identifier_key(${parameter})`;

/** Each combination of these is a statement with a plan of its own. */
const indexed = {
  documentNumber: { value: asKey, condition: (value) => `h.document_key = ${value}` },
  containerId: { value: asGiven, condition: (value) => `h.container_id = ${value}` },
  receptacleId: { value: asGiven, condition: (value) => `h.receptacle_id = ${value}` },
  masterDocumentNumber: { value: asKey, condition: (value) => `h.master_document_key = ${value}` },
  mrn: {
    value: (parameter) => `(select e.id from declaration e where e.mrn = ${parameter})`,
    condition: (value) => `h.ens_id = ${value}`,
  },
  ids: { value: asGiven, condition: (value) => `h.id = any (${value})` },
} as const satisfies Record<string, IndexedFilter>;

type IndexedName = keyof typeof indexed;

/** Filters that lead to few goods of a declaration, however many it has. */
const NARROW: readonly IndexedName[] = ['documentNumber', 'ids'];

/** Filters that lead to few of its goods, or to all. */
const WIDE: readonly IndexedName[] = ['containerId', 'receptacleId', 'masterDocumentNumber'];

/**
 * What follows the filter and the declaration in an index: in this order, no more of it is read than is taken. A bitmap, or
 * a scan of the table, would have all that the filter leads to.
 */
const LED_BY: Partial<Record<IndexedName, string>> = {
  containerId: 'house_consignment_id',
  masterDocumentNumber: 'master_document_type',
};

/**
 * How one step of a search finds its candidates:
 *
 * - `IDS`: in the order of ids.
 * - `DOCUMENTS`: the goods of a declaration in the order of their documents, that of its index. What other filters ask is
 *   looked at in each candidate, which reads little where most match.
 * - `FILTERS`: in the same order, those to which another filter leads. That reads little where few match; if they are more
 *   than `MAX_CANDIDATES`, nothing is found (`isFound`).
 */
export type Way = { by: 'IDS' | 'DOCUMENTS' | 'FILTERS'; examined: number };

/** The ways of a step, in the order in which they are tried: the next one if one finds neither a full page nor the end. */
export function waysOfStep(filters: Filters, limit: number): readonly [Way, ...Way[]] {
  const has = (name: IndexedName) => filters[name] !== undefined;
  const examined = MAX_CANDIDATES;
  if (!has('mrn') || filters.state === 'WITHDRAWN') return [{ by: 'IDS', examined }];
  const documents: Way = { by: 'DOCUMENTS', examined };
  const others: Way = { by: 'FILTERS', examined };
  if (NARROW.some(has)) return [others, documents];
  if (!WIDE.some(has)) return [documents];
  const first = EXAMINED_FOR_EACH * limit;
  // Both read as much as is examined at most.
  if (first >= MAX_CANDIDATES) return [others, documents];
  return [{ by: 'DOCUMENTS', examined: first }, others, documents];
}

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
  /** Whether there is a filter that leads to few enough. */
  isFound: string;
  /** Which of the candidates match, beside the filters of every search. */
  matches: string;
  /** Whether counting them reads more than a full page. */
  isLazy: boolean;
  /** The order of the candidates and of the page, and the reverse. */
  order: readonly string[];
};

/** The filters that an index serves, with their values in the statement. */
type Given = Pick<Candidates, 'isWithdrawn' | 'parameters' | 'named'> & {
  goods: string;
  values: ReadonlyMap<IndexedName, string>;
};

/** The next candidates after those with an id. */
export function nextCandidates(filters: Filters, after: string | undefined, way: Way): Candidates {
  const isWithdrawn = filters.state === 'WITHDRAWN';
  const parameters = new Parameters();
  // The cast is true because these are the keys of `indexed`.
  const names = (Object.keys(indexed) as IndexedName[]).filter(
    (name) => filters[name] !== undefined,
  );
  const values = names.map((name): [IndexedName, string] => [
    name,
    indexed[name].value(parameters.add(filters[name], name === 'ids' ? 'uuid[]' : 'text')),
  ]);
  const given: Given = {
    isWithdrawn,
    parameters,
    named: [...(isWithdrawn ? ['withdrawn'] : []), ...names].join('-') || 'all',
    goods: isWithdrawn ? 'withdrawn_house_consignment' : 'house_consignment',
    values: new Map(values),
  };
  return way.by === 'IDS'
    ? byId(filters, after, way, given)
    : byDocument(filters, after, way, given);
}

/** The condition of a filter on a row `h` of house consignments. */
function conditionOf(name: IndexedName, value: string, isWithdrawn: boolean): string {
  const condition = indexed[name].condition(value);
  if (name !== 'containerId') return condition;
  // Containers of withdrawn goods are in their signal heads alone.
  return isWithdrawn
    ? `(h.signal_head || '}')::jsonb -> 'containerId' ? ${value}`
    : `h.id in (select h.house_consignment_id from house_consignment_container h where ${condition})`;
}

/** Ids are UUID v7, so a range of times is a range of ids, of which the index has nothing else. */
function byId(
  { fromId, toId }: Filters,
  after: string | undefined,
  { examined }: Way,
  { goods, values, ...given }: Given,
): Candidates {
  const { parameters, isWithdrawn } = given;
  const start = parameters.add(after ?? LOWEST, 'uuid');
  const conditions = [...values].map(([name, value]) => conditionOf(name, value, isWithdrawn));
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
  return {
    ...given,
    // What the conditions lead to is collected before it is sorted: in the order of ids the planner might scan the table.
    expressions: `
      matching as ${conditions.length === 0 ? 'not materialized' : 'materialized'} (
        select id from ${goods} h ${where}
      ),
      candidate as materialized (
        select id from matching
        where id > ${start}
          and id >= ${parameters.add(fromId ?? LOWEST, 'uuid')} and id < ${parameters.add(toId ?? HIGHEST, 'uuid')}
        order by id limit ${parameters.add(examined, 'bigint')}
      )`,
    isKnown: 'true',
    isFound: 'true',
    matches: 'true',
    isLazy: false,
    order: ['id'],
  };
}

/** The condition of a filter on the goods `h` of a candidate, whose value is read once. */
function rowCondition([name, value]: [IndexedName, string]): string {
  if (name === 'ids') return indexed.ids.condition(value);
  const condition = indexed[name].condition(`(select ${value})`);
  if (name !== 'containerId') return condition;
  return `(select true from house_consignment_container h where h.house_consignment_id = candidate.id
            and ${condition} limit 1) is not null`;
}

/**
 * The goods of a declaration in the order of its house documents, because its index has this order, and every page would
 * sort the rest of the declaration otherwise. No index has its ids in a range, so the range is looked at in each candidate.
 */
function byDocument(
  { fromId, toId }: Filters,
  after: string | undefined,
  { by, examined }: Way,
  { goods, values, ...given }: Given,
): Candidates {
  const { parameters } = given;
  const start = parameters.add(after ?? LOWEST, 'uuid');
  const ofDeclaration = indexed.mrn.condition(values.get('mrn') ?? 'null');
  const others = [...values].filter(([name]) => name !== 'mrn');
  const leading = others.filter(([name]) => NARROW.includes(name));
  const { expressions, isFound } =
    by === 'FILTERS'
      ? leadBy(leading.length > 0 ? leading : others, ofDeclaration)
      : { expressions: '', isFound: 'true' };
  // Nothing but the index of the declaration and its documents is read, unless another filter leads to fewer goods.
  const isInOrder = by === 'DOCUMENTS';
  return {
    ...given,
    named: `${given.named}-by-${by.toLowerCase()}`,
    expressions: `
      position as materialized (
        -- The goods may have been withdrawn since the page before.
        select document_number, document_type from house_consignment h where id = ${start} and ${ofDeclaration}
        union all
        select document_number, document_type from withdrawn_house_consignment h where id = ${start} and ${ofDeclaration}
        limit 1
      ),${expressions}
      candidate as ${isInOrder ? 'not materialized' : 'materialized'} (
        select id, document_number, document_type from ${isInOrder ? `${goods} h where ${ofDeclaration} and` : 'matching where'}
          (document_number, document_type) >
          (coalesce((select document_number from position), ''), coalesce((select document_type from position), ''))
        order by document_number, document_type limit ${parameters.add(examined, 'bigint')}
      )`,
    isKnown: `(${start} = '${LOWEST}' or exists (select from position))`,
    isFound,
    matches: [
      `candidate.id >= ${parameters.add(fromId ?? LOWEST, 'uuid')}`,
      `candidate.id < ${parameters.add(toId ?? HIGHEST, 'uuid')}`,
      ...others.map(rowCondition),
    ].join('\n          and '),
    isLazy: isInOrder,
    order: ['document_number', 'document_type'],
  };
}

/** The expression `matching`: the goods of a declaration to which the first filter leads that leads to few enough. */
function leadBy(
  filters: readonly [IndexedName, string][],
  ofDeclaration: string,
): { expressions: string; isFound: string } {
  const few = filters.map((_, index) => `(select count(*) from led_${index}) <= ${MAX_CANDIDATES}`);
  const led = filters.map(([name, value], index) => {
    const [table, id] =
      name === 'containerId'
        ? ['house_consignment_container', 'house_consignment_id']
        : ['house_consignment', 'id'];
    const order = LED_BY[name] === undefined ? '' : ` order by h.${LED_BY[name]}`;
    return `
      led_${index} as materialized (
        select h.${id} as id from ${table} h
        where ${ofDeclaration} and ${indexed[name].condition(value)}${order} limit ${MAX_CANDIDATES + 1}
      ),`;
  });
  const parts = few.map((isFew, index) => {
    // `case` keeps the order: what follows a filter that leads to few is not read.
    const before = few.slice(0, index).map((other) => `when ${other} then false`);
    return `select id from led_${index} where case ${before.join(' ')} when ${isFew} then true end`;
  });
  return {
    expressions: `${led.join('')}
      matching as materialized (
        select h.id, h.document_number, h.document_type from (${parts.join(' union all ')}) led
        -- Each by its id: a join might scan the table.
        cross join lateral (select * from house_consignment g where g.id = led.id limit 1) h
      ),`,
    isFound: `(${few.join(' or ')})`,
  };
}
