// SQL that says whether whoever has created a run may still decide.
import type { Statement } from '../database/database.js';

/** Whether the organisation of a run `r` may decide, and its client is neither blocked nor removed, by the rules of tokens. */
export const IS_ALLOWED = `may_still_act(r.organisation_id, r.client_id, '{authority/routing}')`;

/** Whether a run may decide now. */
export function selectRunAccess(run: string): Statement<{ isAllowed: boolean }> {
  return {
    name: 'select-routing-run-access',
    text: `select ${IS_ALLOWED} as "isAllowed" from routing_run r where id = $1`,
    values: [run],
  };
}
