// SQL of listing declarations, master consignments, receptacles and containers with the numbers of their goods.
import type { PresentationLevel, TransportDocumentType } from '@landfall/contract';
import type { Statement } from '@landfall/service/assembly';

/** A level above the house consignment. */
export type GroupLevel = Exclude<PresentationLevel, 'HOUSE_CONSIGNMENT'>;

/** Which house consignments are counted. */
export type GroupFilters = {
  mrn?: string | undefined;
  masterDocumentNumber?: string | undefined;
  receptacleId?: string | undefined;
  containerId?: string | undefined;
  documentNumber?: string | undefined;
  presented?: boolean | undefined;
  decided?: boolean | undefined;
  without?: readonly string[] | undefined;
  /** Of declarations that name this organisation, or, with `orNoPresenter`, nobody. */
  presenter?: string | undefined;
  orNoPresenter?: boolean | undefined;
};

/** A group. Only that of a master document has a `type`; that of others is empty. */
export type GroupRow = {
  reference: string;
  type: TransportDocumentType;
  office: string;
  declarant: string;
  houseConsignments: number;
  presented: number;
  decided: number;
  masterConsignments: number;
  receptacles: number;
  containers: number;
};

const HOUSES = 'house_consignment h join declaration e on e.id = h.ens_id';

/** Where the reference of each level is. Only master documents have a type. */
const levels: Record<GroupLevel, { reference: string; type: string; from: string }> = {
  ENTRY_SUMMARY_DECLARATION: { reference: 'e.mrn', type: "''::text", from: HOUSES },
  MASTER_CONSIGNMENT: {
    reference: 'h.master_document_number',
    type: 'h.master_document_type',
    from: HOUSES,
  },
  RECEPTACLE: { reference: 'h.receptacle_id', type: "''::text", from: HOUSES },
  CONTAINER: {
    reference: 'c.container_id',
    type: "''::text",
    from: `${HOUSES} join house_consignment_container c on c.house_consignment_id = h.id`,
  },
};

/** Filters that an index serves. Each combination is a statement with a plan of its own. */
const indexed = {
  mrn: (parameter: string) => `e.mrn = ${parameter}`,
  masterDocumentNumber: (parameter: string) =>
    `h.master_document_key = identifier_key(${parameter})`,
  receptacleId: (parameter: string) => `h.receptacle_id = ${parameter}`,
  containerId: (parameter: string) =>
    `h.id in (select house_consignment_id from house_consignment_container where container_id = ${parameter})`,
  documentNumber: (parameter: string) => `h.document_key = identifier_key(${parameter})`,
} as const;

const PRESENTED =
  '(select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null';

/** The filters on goods that every statement has; they are off where the parameter is null. */
const ON_GOODS = `($4::boolean is null or ${PRESENTED} = $4)
        and ($5::boolean is null or (h.routing is not null) = $5)
        and ('MASTER_CONSIGNMENT' <> all ($6::text[]) or h.master_document_number is null)
        and ('RECEPTACLE' <> all ($6) or h.receptacle_id is null)
        and ('CONTAINER' <> all ($6) or (
          select true from house_consignment_container x where x.house_consignment_id = h.id limit 1) is null)`;

/** The filter on declarations. */
const ON_DECLARATIONS = `($7::text is null
          or may_present((select id from organisation where identifier = $7),
            e.declarant, e.representative, e.carrier, e.presenters)
          or ($8::boolean and e.carrier is null and e.presenters is null))`;

/** A page of the groups of a level that have matching goods, in the order of their references. */
export function findGroups(
  level: GroupLevel,
  filters: GroupFilters,
  after: { reference: string; type: string },
  limit: number,
): Statement<GroupRow> {
  // The cast is true because these are the keys of `indexed`.
  const given = (Object.keys(indexed) as (keyof typeof indexed)[]).filter(
    (name) => filters[name] !== undefined,
  );
  const ofIndex = given.map((name, index) => indexed[name](`$${index + 9}`));
  const goods = [...ofIndex, ON_GOODS, ON_DECLARATIONS].join('\n        and ');
  const by = given.map((name) => name.slice(0, 3)).join('-') || 'all';
  const { reference, type, from } = levels[level];
  return {
    name: `find-groups-${level}-${by}`,
    text: `
      with page as materialized (
        select distinct ${reference} as reference, ${type} as type
        from ${from}
        where (${reference}, ${type}) > ($1, $2) and ${goods}
        order by 1, 2 limit $3
      )
      select page.reference, page.type, counted.*, under.containers
      from page
      cross join lateral (
        select count(*)::integer as "houseConsignments",
          (count(*) filter (where ${PRESENTED}))::integer as presented,
          count(h.routing)::integer as decided,
          count(distinct (h.master_document_number, h.master_document_type))
            filter (where h.master_document_number is not null)::integer as "masterConsignments",
          count(distinct h.receptacle_id)::integer as receptacles,
          min(e.customs_office_of_first_entry) as office,
          (select identifier from organisation o where o.id = min(e.declarant)) as declarant
        from ${from}
        where ${reference} = page.reference and ${type} = page.type and ${goods}
      ) counted
      cross join lateral (
        select count(distinct x.container_id)::integer as containers
        from ${from} join house_consignment_container x on x.house_consignment_id = h.id
        where ${reference} = page.reference and ${type} = page.type and ${goods}
      ) under
      order by 1, 2`,
    values: [
      after.reference,
      after.type,
      limit,
      filters.presented,
      filters.decided,
      filters.without ?? [],
      filters.presenter,
      filters.orNoPresenter ?? false,
      ...given.map((name) => filters[name]),
    ],
  };
}
