// How the reference of each level leads to goods, and whom these concern: joins of SQL.
import type { PresentationPath } from '@landfall/contract';

/** From a request (r) to house consignments (h) and their entry summary declaration (e). */
export const joins: Record<PresentationPath, string> = {
  'house-consignment': `
    join house_consignment h on h.document_number = r.reference and h.document_type = r.document_type
    join entry_summary_declaration e on e.id = h.ens_id and (r.mrn is null or e.mrn = r.mrn)`,
  'master-consignment': `
    join house_consignment h
      on h.master_document_number = r.reference and h.master_document_type = r.document_type
    join entry_summary_declaration e on e.id = h.ens_id and (r.mrn is null or e.mrn = r.mrn)`,
  container: `
    join house_consignment_container c on c.container_id = r.reference
    join house_consignment h on h.id = c.house_consignment_id
    join entry_summary_declaration e on e.id = h.ens_id`,
  receptacle: `
    join house_consignment h on h.receptacle_id = r.reference
    join entry_summary_declaration e on e.id = h.ens_id`,
  'entry-summary-declaration': `
    join entry_summary_declaration e on e.mrn = r.reference
    left join house_consignment h on h.ens_id = e.id`,
};

/** The same as far as it is needed to know the declarations: that of an ENS leads to no house consignment. */
export const declarationJoins: Record<PresentationPath, string> = {
  ...joins,
  'entry-summary-declaration': 'join entry_summary_declaration e on e.mrn = r.reference',
};

/**
 * Whom goods concern, as `owner`: the presenter, the declarant and the representative. Whoever is several of them at
 * once, as most are, stands once; where there is no representative, `owner` is null.
 *
 * @param presenter column of the presenter
 * @param declaration name of what has the columns `declarant` and `representative`
 */
export function concerned(presenter: string, declaration: string): string {
  const [declarant, representative] = [`${declaration}.declarant`, `${declaration}.representative`];
  return `
    cross join lateral (values
      (${presenter}),
      (nullif(${declarant}, ${presenter})),
      (case when ${representative} not in (${presenter}, ${declarant}) then ${representative} end)
    ) organisation (owner)`;
}

/** Whether somebody is connected to a house consignment: an expression that looks it up. */
export function isConnected(house: string, owner: string): string {
  return `(
    select true from connection c where c.house_consignment_id = ${house} and c.organisation_id = ${owner} limit 1
  ) is not null`;
}
