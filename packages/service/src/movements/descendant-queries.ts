// SQL of queries over what couples: trees of a transport or a master consignment, statuses of documents, and the entry status.
//
// What couples is said by functions of the database. Nothing here joins two sets by comparing each with each: tables
// that were never analysed would make that a nested loop.
import {
  type EntryStatus,
  entryReasons,
  keysOf,
  MAX_QUERIED_CONSIGNMENTS,
  type ModeName,
  type TransportDocumentQuery,
} from '@landfall/contract';
import type { Statement } from '../database/database.js';
import { Parameters } from '../database/parameters.js';
import type { LevelCode } from './message-kind.js';
import { relationBetween } from './relation-queries.js';

/** JSON text; null if there are more house consignments than a response has. */
export type QueriedRow = { body: string | null };

/** Who asks, in which mode, and whether only expected parties couple. */
export type Asking = { organisationId: number; mode: ModeName; expectedOnly: boolean };

/** How a message is named: by its MRN, or by its document and carrier. */
export type Named = { mrn: string } | TransportDocumentQuery;

/** A house consignment can be under one master consignment by its document or receptacle, and by a relation. */
const MAX_REACHED = 2 * MAX_QUERIED_CONSIGNMENTS + 1;
const MAX_DISTINCT = MAX_QUERIED_CONSIGNMENTS + 1;

/** The message that is asked about, as a table of one row or none. */
function asked(
  given: Parameters,
  named: Named,
  level: LevelCode,
  { organisationId, mode }: Asking,
  { carrierMayAsk = false } = {},
): string {
  const organisation = given.add(organisationId, 'integer');
  const isOfKind = `mode = ${given.add(mode, 'text')} and level = '${level}'`;
  if ('mrn' in named) {
    const parties = carrierMayAsk
      ? 'submitter, representative, d.carrier'
      : 'submitter, representative';
    return `
      asked as materialized (
        select m.*
        from (select id, carrier from declaration where mrn = ${given.add(named.mrn, 'text')}) d
        cross join lateral (
          select declaration_id as id, m.* from movement m
          where declaration_id = d.id and ${organisation} in (${parties}) and ${isOfKind}
          limit 1
        ) m
      )`;
  }
  return `
      asked as materialized (
        select declaration_id as id, m.* from movement m
        where document_number = ${given.add(named.documentNumber, 'text')}
          and document_type = ${given.add(named.type, 'text')} and carrier = ${given.add(named.carrierId, 'text')}
          and ${organisation} in (submitter, representative) and ${isOfKind}
        order by state is null desc, lodged_at desc, declaration_id desc
        limit 1
      )`;
}

/** The members of a document. */
const documentOf = (number: string, type: string) =>
  `'{"documentNumber":' || to_json(${number}) || ',"type":' || to_json(${type})`;

const weightOf = (weight: string) => `coalesce(',"weight":' || trim_scale(${weight}), '')`;
const sumOf = (weight: string) => `trim_scale(coalesce(sum(${weight}), 0))`;
const statusOf = (isComplete: string) =>
  `case when ${isComplete} then '"SUCCESS"' else '"INCOMPLETE"' end`;
const listOf = (entry: string, order: string) =>
  `'[' || coalesce(string_agg(${entry}, ',' order by ${order}), '') || ']'`;

/** The relation by which a message hangs on another one, as a member; nothing without one. */
const relationOf = (parent: string, child: string) =>
  `coalesce(',"relation":"' || ${relationBetween(parent, child)} || '"', '')`;

/** A house consignment \`h\` in a tree, and as the status of its document. */
const inTree = (
  relation: string,
) => `${documentOf('h.document_number', 'h.document_type')} || ${relation}
          || ${weightOf('h.weight')} || ',"status":' || ${statusOf(`h.reasons = '{}'`)} || '}'`;
const asDocument = `${documentOf('h.document_number', 'h.document_type')} || ',"received":true,"documentStatus":'
          || case when h.reasons = '{}' then '"SUCCESS"}'
            else '"INCOMPLETE","incompleteDocumentationReasonList":' || array_to_json(h.reasons) || '}' end`;

/** What is named and not lodged, likewise. */
const missingInTree = `${documentOf('document_number', 'document_type')} || ',"status":"INCOMPLETE"}'`;
const missingDocument = `${documentOf('document_number', 'document_type')} || ',"received":false,"documentStatus":"INCOMPLETE"}'`;

/** The first members of a master consignment \`m\`: those of its document, and in a tree its weight. */
const masterDocument = documentOf('m.document_number', 'm.document_type');
const masterHead = `${masterDocument} || ${weightOf('m.weight')}`;
const masterHeadInTree = `${masterDocument} || ${relationOf('(select id from asked)', 'm.declaration_id')} || ${weightOf('m.weight')}`;

/** Whether something hangs on the message \`m\` by a relation: most have none, and then nobody looks for those of each. */
const hasRelations = (id: string) =>
  `(select true from movement_relation where parent = ${id} and cancelled_at is null limit 1) is not null`;

/** The master consignments of the transport, each once, where it names them first; those that only relations hang on it last. */
const mastersOfAsked = (expectedOnly: string, head: string) => `
      master as materialized (
        select found.number, m.declaration_id as id, m.document_number, m.document_type, m.weight, ${head} as head,
          ${hasRelations('m.declaration_id')} as has_relations
        from (
          select reached.id, min(reached.number) as number
          from asked cross join lateral masters_of_transport(asked.id, ${expectedOnly}) reached
          group by reached.id
        ) found
        cross join lateral (select * from movement where declaration_id = found.id offset 0) m
      )`;

/** The master consignment that is asked about itself. */
const askedAsMaster = `
      master as materialized (
        select 1 as number, m.id, m.document_number, m.document_type, m.weight, ${masterHead} as head,
          ${hasRelations('m.id')} as has_relations
        from asked m
      )`;

/** The documents of a kind that the transport names, and that nothing of \`lodged\` has, where it names them first. */
const missingOf = (kind: LevelCode, lodged: string) => `
        select document_number, document_type, min(number) as number
        from (
          select r.reference as document_number, r.reference_type as document_type, r.number, false as is_lodged
          from asked join movement_reference r on r.declaration_id = asked.id and r.kind = '${kind}'
          union all
          ${lodged}
        ) named
        group by document_number, document_type having not bool_or(is_lodged)`;

/** The house consignments under each master consignment, once each; null under one that has none. */
const housesUnderMasters = (expectedOnly: string, entry: string) => `
      reached as materialized (
        select master.number, master.id, master.head, master.has_relations, under.id as house
        from master left join lateral houses_of_master(master.id, ${expectedOnly}) under on true
        limit ${MAX_REACHED}
      ),
      under_master as materialized (
        select r.*, h.weight as house_weight, h.reasons = '{}' as is_complete, h.lodged_at,
          h.document_number as house_number, h.document_type as house_type, ${entry} as entry
        from (select distinct on (id, house) * from reached limit ${MAX_DISTINCT}) r
        left join lateral (select * from movement where declaration_id = r.house offset 0) h on true
      )`;

/** The house consignments that hang directly on the transport, once each. */
const directHouses = (expectedOnly: string, entry: string) => `
      direct as materialized (
        select found.id, found.number, h.weight, h.reasons = '{}' as is_complete, h.document_number, h.document_type,
          ${entry} as entry
        from (
          select reached.id, min(reached.number) as number
          from asked cross join lateral direct_houses_of_transport(asked.id, ${expectedOnly}) reached
          group by reached.id
        ) found
        cross join lateral (select * from movement where declaration_id = found.id offset 0) h
      ),
      missing_house as materialized (${missingOf(
        'HOUSE_CONSIGNMENT',
        `select document_number, document_type, null, true from direct
          union all
          select house_number, house_type, null, true from under_master where house is not null and exists (
            select from asked join movement_reference r on r.declaration_id = asked.id and r.kind = 'HOUSE_CONSIGNMENT')`,
      )}
      )`;

const missingMasters = `
      missing_master as materialized (${missingOf(
        'MASTER_CONSIGNMENT',
        'select document_number, document_type, null, true from master',
      )}
      )`;

/** Under a master consignment, and directly on the transport. */
const underMasterInTree = inTree(
  `case when r.has_relations then ${relationOf('r.id', 'r.house')} else '' end`,
);
const directInTree = inTree(relationOf('(select id from asked)', 'found.id'));

/** Each master consignment in a tree. */
const masterInTree = `
      in_tree as materialized (
        select number, id, min(head collate "C") || ',"received":true,"sumOfWeightForHouseConsignments":' || ${sumOf('house_weight')}
          || ',"houseConsignments":' || ${listOf('entry', 'lodged_at, house')} || '}' as entry
        from under_master
        group by number, id
      )`;

const countUnderMasters = '(select count(house) from under_master)';
const unlessTooMany = (count: string, body: string) =>
  `select case when ${count} <= ${MAX_QUERIED_CONSIGNMENTS} then ${body} end as body from asked`;

/** The tree of a transport. */
export function selectTransportDescendants(mrn: string, asking: Asking): Statement<QueriedRow> {
  const given = new Parameters();
  const message = asked(given, { mrn }, 'TRANSPORT', asking, { carrierMayAsk: true });
  const expectedOnly = given.add(asking.expectedOnly, 'boolean');
  return {
    name: 'select-transport-descendants',
    text: `
      with ${message}, ${mastersOfAsked(expectedOnly, masterHeadInTree)}, ${missingMasters},
      ${housesUnderMasters(expectedOnly, underMasterInTree)}, ${directHouses(expectedOnly, directInTree)}, ${masterInTree},
      listed_master (number, id, entry) as (
        select * from in_tree
        union all
        select number, null, ${documentOf('document_number', 'document_type')}
          || ',"received":false,"sumOfWeightForHouseConsignments":0,"houseConsignments":[]}' from missing_master
      ),
      listed_direct (number, id, entry) as (
        select number, id, entry from direct
        union all
        select number, null, ${missingInTree} from missing_house
      ),
      each_house as (
        select * from (select distinct on (house) house, house_weight from under_master where house is not null) once
        union all
        select id, weight from direct
      )
      ${unlessTooMany(
        `${countUnderMasters} + (select count(*) from direct)`,
        `'{"sumOfWeightForMasterConsignments":' || (select ${sumOf('weight')} from master)
        || ',"sumOfWeightForHouseConsignments":' || (select ${sumOf('house_weight')} from each_house)
        || ',"masterConsignments":' || (select ${listOf('entry', 'number, id')} from listed_master)
        || coalesce((select ',"houseConsignments":[' || string_agg(entry, ',' order by number, id) || ']' from listed_direct), '')
        || '}'`,
      )}`,
    values: given.values,
  };
}

/** The tree of a master consignment. */
export function selectMasterDescendants(mrn: string, asking: Asking): Statement<QueriedRow> {
  const given = new Parameters();
  const message = asked(given, { mrn }, 'MASTER_CONSIGNMENT', asking);
  const expectedOnly = given.add(asking.expectedOnly, 'boolean');
  return {
    name: 'select-master-descendants',
    text: `
      with ${message}, ${askedAsMaster},
      ${housesUnderMasters(expectedOnly, underMasterInTree)}, ${masterInTree}
      ${unlessTooMany(countUnderMasters, '(select entry from in_tree)')}`,
    values: given.values,
  };
}

/** The master consignments that a transport names, each with its status. */
export function selectMasterDocuments(mrn: string, asking: Asking): Statement<QueriedRow> {
  const given = new Parameters();
  const message = asked(given, { mrn }, 'TRANSPORT', asking);
  const expectedOnly = given.add(asking.expectedOnly, 'boolean');
  return {
    name: 'select-master-documents',
    text: `
      with ${message}, ${mastersOfAsked(expectedOnly, masterDocument)}, ${missingMasters},
      ${housesUnderMasters(expectedOnly, 'null')},
      listed (number, id, entry) as (
        select number, id, min(head collate "C") || ',"received":true,"documentStatus":'
          || ${statusOf('coalesce(bool_and(is_complete), true)')} || '}'
        from under_master
        group by number, id
        union all
        select number, null, ${missingDocument} from missing_master
      )
      ${unlessTooMany(countUnderMasters, `(select ${listOf('entry', 'number, id')} from listed)`)}`,
    values: given.values,
  };
}

/** The house consignments that a transport reaches, each once, and those that it names and that are not lodged. */
export function selectHouseDocumentsOfTransport(
  mrn: string,
  asking: Asking,
): Statement<QueriedRow> {
  const given = new Parameters();
  const message = asked(given, { mrn }, 'TRANSPORT', asking);
  const expectedOnly = given.add(asking.expectedOnly, 'boolean');
  return {
    name: 'select-house-documents-of-transport',
    text: `
      with ${message}, ${mastersOfAsked(expectedOnly, masterDocument)},
      ${housesUnderMasters(expectedOnly, asDocument)}, ${directHouses(expectedOnly, asDocument)},
      listed (is_direct, number, lodged_at, id, entry) as (
        select false, min(number), lodged_at, house, entry from under_master where house is not null
        group by lodged_at, house, entry
        union all
        select true, number, null, id, entry from direct
        union all
        select true, number, null, null, ${missingDocument} from missing_house
      )
      ${unlessTooMany(
        `${countUnderMasters} + (select count(*) from direct)`,
        `(select ${listOf('entry', 'is_direct, number, lodged_at, id')} from listed)`,
      )}`,
    values: given.values,
  };
}

/** The house consignments under a master consignment, each with its status. */
export function selectHouseDocumentsOfMaster(master: Named, asking: Asking): Statement<QueriedRow> {
  const given = new Parameters();
  const message = asked(given, master, 'MASTER_CONSIGNMENT', asking);
  const expectedOnly = given.add(asking.expectedOnly, 'boolean');
  const way = 'mrn' in master ? 'mrn' : 'document';
  return {
    name: `select-house-documents-of-master-by-${way}`,
    text: `
      with ${message}, ${askedAsMaster}, ${housesUnderMasters(expectedOnly, asDocument)}
      ${unlessTooMany(
        countUnderMasters,
        `(select ${listOf('entry', 'lodged_at, house')} from under_master where house is not null)`,
      )}`,
    values: given.values,
  };
}

/** The status of a house consignment. */
export function selectHouseDocument(house: Named, asking: Asking): Statement<QueriedRow> {
  const given = new Parameters();
  const message = asked(given, house, 'HOUSE_CONSIGNMENT', asking);
  const way = 'mrn' in house ? 'mrn' : 'document';
  return {
    name: `select-house-document-by-${way}`,
    text: `with ${message} select ${asDocument} as body from asked h`,
    values: given.values,
  };
}

/** The current house consignments of the organisation in a receptacle. */
export function selectHouseDocumentsOfReceptacle(
  receptacle: string,
  { organisationId, mode }: Omit<Asking, 'expectedOnly'>,
): Statement<QueriedRow> {
  return {
    name: 'select-house-documents-of-receptacle',
    text: `
      with found as materialized (
        select m.*
        from house_consignment h
        cross join lateral (select * from movement where declaration_id = h.ens_id offset 0) m
        where h.receptacle_id = $1 and $2::integer in (m.submitter, m.representative) and m.mode = $3 and m.state is null
        limit ${MAX_DISTINCT}
      )
      select case when count(*) <= ${MAX_QUERIED_CONSIGNMENTS}
        then ${listOf(asDocument, 'h.lodged_at, h.declaration_id')} end as body
      from found h`,
    values: [receptacle, organisationId, mode],
  };
}

/** JSON text of the entry status, and the parts by which a change of it is seen. */
export type EntryRow = { body: string } & Required<Pick<EntryStatus, 'validEntry' | 'reasons'>>;

/**
 * Whether each reason holds, as SQL. What was decided is said after the arrival alone: whoever learned before it that goods are
 * to be controlled could bring them otherwise.
 */
const hinders: Record<keyof typeof entryReasons, string> = {
  NOT_ARRIVED: 'asked.arrived_at is null',
  NOTHING_LODGED: 'counted.houses = 0',
  DOCUMENT_NOT_LODGED: 'exists (select from missing)',
  INCOMPLETE:
    'case when asked.arrived_at is null then counted.lacking else counted.incomplete end > 0',
  UNDECIDED: 'asked.arrived_at is not null and counted.undecided > 0',
  ENTRY_DENIED: 'asked.arrived_at is not null and counted.denied > 0',
  TO_CONTROL: 'asked.arrived_at is not null and counted.controlled > 0',
};

/** Whether the goods of a transport may be unloaded. Only if they may, it is looked up when they were decided. */
export function selectEntryStatus(mrn: string, asking: Asking): Statement<EntryRow> {
  const given = new Parameters();
  const message = asked(given, { mrn }, 'TRANSPORT', asking, { carrierMayAsk: true });
  const expectedOnly = given.add(asking.expectedOnly, 'boolean');
  const reasons = keysOf(entryReasons).map(
    (reason) => `case when ${hinders[reason]} then '${reason}' end`,
  );
  return {
    name: 'select-entry-status',
    text: `
      with ${message},
      house as materialized (
        select h.id, h.routing, coalesce(h.routing, 'ENTRY_PENDING') = 'ENTRY_PENDING' as is_undecided,
          h.routing_control_location as location, m.reasons <> '{}' as is_incomplete,
          m.document_number, m.document_type
        from (
          select distinct reached.id
          from asked cross join lateral houses_of_transport(asked.id, ${expectedOnly}) reached
        ) reached
        cross join lateral (select * from movement where declaration_id = reached.id offset 0) m
        cross join lateral (select * from house_consignment where ens_id = reached.id offset 0) h
      ),
      counted as materialized (
        select count(*) as houses, count(*) filter (where is_undecided) as undecided,
          count(*) filter (where is_undecided and is_incomplete) as incomplete,
          count(*) filter (where is_incomplete) as lacking,
          count(*) filter (where routing = 'ENTRY_DENIED') as denied,
          count(*) filter (where routing = 'TO_CONTROL' and location is distinct from 'AFTER_ENTRY') as controlled
        from house
      ),
      missing as materialized (${missingOf(
        'MASTER_CONSIGNMENT',
        `select master.document_number, master.document_type, null, true
          from asked cross join lateral masters_of_transport(asked.id, ${expectedOnly}) reached
          cross join lateral (select * from movement where declaration_id = reached.id offset 0) master`,
      )}
        union all${missingOf(
          'HOUSE_CONSIGNMENT',
          'select document_number, document_type, null, true from house',
        )}
      ),
      judged as materialized (
        select asked.arrived_at, asked.arrival_office,
          array_remove(array[${reasons.join(', ')}], null) as reasons
        from asked cross join counted
      )
      select json_strip_nulls(json_build_object(
          'validEntry', reasons = '{}',
          'customsOfficeOfEntry', arrival_office,
          'timeOfEntry', case when reasons = '{}' then api_time(greatest(arrived_at, (
            select max(decision.decided_at)
            from house
            cross join lateral (
              select decided_at from routing_decision d
              where d.house_consignment_id = house.id and d.takes_effect
              order by d.number desc limit 1
            ) decision))) end,
          'mrn', ${given.add(mrn, 'text')},
          'reasons', case when reasons <> '{}' then to_json(reasons) end))::text as body,
        reasons = '{}' as "validEntry", reasons
      from judged`,
    values: given.values,
  };
}
