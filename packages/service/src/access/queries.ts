// SQL that finds the rights of the organisation and the client of a token.
import type { Statement } from '../database/database.js';

/** The current rights of a token's organisation and client. */
export type OrganisationRow = {
  id: number;
  kind: 'domestic' | 'foreign';
  /** Whether the organisation or this client is blocked. */
  blocked: boolean;
  granted: string[];
};

/** An organisation and its client, by the identifiers in tokens. */
export type OrganisationKey = { identifier: string; clientId: string };

/** Returns a row for each key, in their order; `id` is null if the organisation is not registered. */
export function findOrganisations(keys: readonly OrganisationKey[]): Statement {
  return {
    name: 'find-organisations',
    text: `
      select o.id, o.kind, o.blocked or coalesce(c.blocked, false) as blocked,
        array(select scope from organisation_scope s where s.organisation_id = o.id) as granted
      from unnest($1::text[], $2::text[]) with ordinality key (identifier, client_id, index)
      left join organisation o on o.identifier = key.identifier
      left join client c on c.client_id = key.client_id and c.organisation_id = o.id
      order by key.index`,
    values: [keys.map(({ identifier }) => identifier), keys.map(({ clientId }) => clientId)],
  };
}
