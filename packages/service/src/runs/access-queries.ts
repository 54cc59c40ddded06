// SQL that says whether whoever has created a run may still decide.
import type { Statement } from '../database/database.js';

/**
 * Whether the organisation of a run `r` may decide, and its client is neither blocked nor removed, by the rules of tokens.
 * The subject of a person is no client of an organisation.
 */
export const IS_ALLOWED = `exists (
        select from organisation o
        where o.id = r.organisation_id and not o.blocked
          and exists (
            select from organisation_scope s where s.organisation_id = o.id and s.scope = 'authority/routing')
          and not exists (
            select from client c join organisation p on p.id = c.organisation_id
            where lower(c.client_id) = lower(r.client_id) and (c.blocked or p.blocked)
              and (p.id = o.id or lower(r.client_id) not like 'eidas-%'))
          and not exists (
            select from removed_client c
            where lower(c.client_id) = lower(r.client_id) and c.organisation_id = o.id)
      )`;

/** Whether a run may decide now. */
export function selectRunAccess(run: string): Statement<{ isAllowed: boolean }> {
  return {
    name: 'select-routing-run-access',
    text: `select ${IS_ALLOWED} as "isAllowed" from routing_run r where id = $1`,
    values: [run],
  };
}
