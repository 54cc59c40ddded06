// SQL that reads what was registered of house consignments: those of a declaration in pages, or some by their ids.
import type { PreNotifiedHouseConsignment } from '@landfall/contract';
import type { Statement } from '../database/database.js';

/** A house consignment of a declaration, with the facts of it that a profile depends on. */
export type HouseOfDeclaration = {
  id: string;
  documentNumber: string;
  type: string;
  head: string;
  registered: PreNotifiedHouseConsignment;
};

/** A page of the signal heads of an ENS, in the order of the house documents: that of its index. */
export function selectHousesOfDeclaration(
  declarationId: number,
  after: Pick<HouseOfDeclaration, 'documentNumber' | 'type'> | undefined,
  limit: number,
): Statement<HouseOfDeclaration> {
  return {
    name: 'select-houses-of-declaration',
    text: `
      select id, document_number as "documentNumber", document_type as type, signal_head as head, registered_house(document_number, document_type, signal_head, receptacle_id,
        subheadings, registered_routing, registered_control_location) as registered
      from house_consignment
      where ens_id = $1 and (document_number, document_type) > ($2, $3)
      order by document_number, document_type limit $4`,
    values: [declarationId, after?.documentNumber ?? '', after?.type ?? '', limit],
  };
}

const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * House consignments as text, and the id of the last; `null` if there are none. `version` is that of their
 * declaration in the same snapshot; `null` if it does not exist.
 */
export type HousePage = { version: number | null; last: string | null; body: string | null };

/** What is before and after each element of a page, and between two. */
export type ElementFrame = { before: string; after: string; between: string };

/** A page of the house consignments of an ENS in the order of their ids, each in a frame. */
export function selectHousePage(
  declarationId: number,
  after: string | undefined,
  limit: number,
  frame: ElementFrame,
): Statement<HousePage> {
  return {
    name: 'select-house-page',
    text: `
      with page as materialized (
        select * from house_consignment where ens_id = $1 and id > $2 order by id limit $3
      )
      select (select coalesce(version, 0) from entry_summary_declaration where id = $1) as version,
        (select id from page order by id desc limit 1) as last,
        string_agg($4::text || registered_house(document_number, document_type, signal_head, receptacle_id, subheadings,
          registered_routing, registered_control_location)::text || $5::text, $6::text order by id) as body
      from page`,
    values: [declarationId, after ?? LOWEST_ID, limit, frame.before, frame.after, frame.between],
  };
}

/** What was registered of a house consignment: JSON text, as `getEntrySummaryDeclaration` has it. */
export type RegisteredHouse = { id: string; registered: PreNotifiedHouseConsignment };

/** What was registered of house consignments, also of withdrawn ones. */
export function selectRegisteredHouses(ids: readonly string[]): Statement<RegisteredHouse> {
  return {
    name: 'select-registered-houses',
    text: `
      select id, registered_house(document_number, document_type, signal_head, receptacle_id, subheadings,
        registered_routing, registered_control_location) as registered
      from (
        select id, document_number, document_type, signal_head, receptacle_id, subheadings, registered_routing,
          registered_control_location
        from house_consignment where id = any ($1::uuid[])
        union all
        select id, document_number, document_type, signal_head, receptacle_id, subheadings, registered_routing,
          registered_control_location
        from withdrawn_house_consignment where id = any ($1::uuid[])
      ) house`,
    values: [ids],
  };
}
