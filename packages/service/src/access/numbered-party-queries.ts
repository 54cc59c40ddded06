// SQL that finds the organisations that identification numbers name.
import { partyOfNumber } from '@landfall/contract';
import type { Statement } from '../database/database.js';

/** An organisation that a number names. */
export type NumberedOrganisation = { id: number; identifier: string };

/**
 * Returns a row for each number, in their order: the organisation that it names, or `null` if it names nobody who is
 * registered.
 */
export function findNumberedOrganisations(
  numbers: readonly string[],
): Statement<{ organisation: NumberedOrganisation | null }> {
  const parties = numbers.map(partyOfNumber);
  return {
    name: 'find-numbered-organisations',
    text: `
      select case when o.id is not null then jsonb_build_object('id', o.id, 'identifier', o.identifier) end
        as organisation
      from unnest($1::text[], $2::text[]) with ordinality as given (identifier, number, position)
      left join organisation_number n on n.number = given.number
      left join lateral (
        select id, identifier from organisation where id = n.organisation_id
        union all
        select id, identifier from organisation where identifier = given.identifier
      ) o on true
      order by position`,
    values: [
      parties.map((party) => ('organisation' in party ? party.organisation : null)),
      parties.map((party) => ('registeredNumber' in party ? party.registeredNumber : null)),
    ],
  };
}
