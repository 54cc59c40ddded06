// Lists the organisations, page by page.
import { type OrganisationQuery, type OrganisationSummary, PAGE_LIMIT } from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { selectOrganisations } from './organisation-queries.js';

/** A page, and the marker of the next page if more may follow. */
export type OrganisationPage = { page: OrganisationSummary[]; next: string | undefined };

/** The organisations after the marker, sorted by id. */
export async function listOrganisations(
  database: Queryable,
  { marker = '', limit = PAGE_LIMIT }: OrganisationQuery,
): Promise<OrganisationPage> {
  const page = await database.query(selectOrganisations(marker, limit));
  return { page, next: page.length === limit ? page.at(-1)?.id : undefined };
}
