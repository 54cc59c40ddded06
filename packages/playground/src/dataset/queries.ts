// SQL of loading datasets.
import type { Statement } from '@landfall/service/assembly';

/** The number of an organisation. */
export function findOrganisationNumber(identifier: string): Statement {
  return {
    name: 'find-organisation-number',
    text: 'select id from organisation where identifier = $1',
    values: [identifier],
  };
}
