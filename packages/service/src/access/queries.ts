// SQL that finds the rights of the organisation of a token, and whether one of the parties of the token is blocked.
import type { Statement } from '../database/database.js';
import type { TokenParties } from './token-parties.js';

/** The current rights of a token's organisation. */
export type OrganisationRow = {
  id: number;
  kind: 'domestic' | 'foreign';
  /** Whether one of the parties is blocked, or the client was removed. */
  blocked: boolean;
  granted: string[];
};

/**
 * Returns a row for each key, in their order; `id` is null if the organisation is not registered. A client is blocked
 * with every organisation, because its id is unique at the identity provider; an eSeal only with its own, because serial
 * numbers are unique only for each issuer. A block also holds for an id that differs only in capitals.
 */
export function findOrganisations(
  keys: readonly TokenParties[],
): Statement<OrganisationRow | { id: null }> {
  return {
    name: 'find-organisations',
    text: `
      select o.id, o.kind,
        o.blocked
          or exists (
            select from organisation p where p.identifier = any (key.others) and p.blocked)
          or exists (
            select from client c join organisation p on p.id = c.organisation_id
            where lower(c.client_id) = key.client_id and (c.blocked or p.blocked)
              and (p.id = o.id or key.client_id not like 'eidas-%'))
          or exists (
            select from removed_client r join organisation p on p.id = r.organisation_id
            where lower(r.client_id) = key.client_id
              and (p.id = o.id or p.identifier = any (key.others))) as blocked,
        array(select scope from organisation_scope s where s.organisation_id = o.id) as granted
      from (
        select identifier, lower(client_id collate "C") as client_id,
          string_to_array(others, ' ') as others, index
        from unnest($1::text[], $2::text[], $3::text[]) with ordinality
          given (identifier, client_id, others, index)) key
      left join organisation o on o.identifier = key.identifier
      order by key.index`,
    values: [
      keys.map(({ organisation }) => organisation),
      keys.map(({ clientId }) => clientId),
      keys.map(({ others = [] }) => others.join(' ')),
    ],
  };
}
