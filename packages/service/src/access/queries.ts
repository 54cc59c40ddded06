// SQL that finds what the organisation and the client of a token may do.
import type { Statement } from '../database/database.js';

/** What a token's organisation and client may do now. */
export type OrganisationRow = {
  id: number;
  kind: 'domestic' | 'foreign';
  /** The organisation is blocked, or this client of it. */
  blocked: boolean;
  granted: string[];
};

/** An organisation as tokens name it, and the client that calls for it. */
export type OrganisationAsked = { identifier: string; clientId: string };

/** A row for each that was asked for, in their order; `id` is null where the organisation is not known. */
export function findOrganisations(asked: readonly OrganisationAsked[]): Statement {
  return {
    name: 'find-organisations',
    text: `
      select o.id, o.kind, o.blocked or coalesce(c.blocked, false) as blocked,
        array(select scope from organisation_scope s where s.organisation_id = o.id) as granted
      from unnest($1::text[], $2::text[]) with ordinality asked (identifier, client_id, place)
      left join organisation o on o.identifier = asked.identifier
      left join client c on c.client_id = asked.client_id and c.organisation_id = o.id
      order by asked.place`,
    values: [asked.map(({ identifier }) => identifier), asked.map(({ clientId }) => clientId)],
  };
}
