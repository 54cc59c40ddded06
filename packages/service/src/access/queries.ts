// SQL of organisations, their grants, their clients and the grants that were used.
import type { Statement } from '../database/database.js';

/** What a token's organisation and client may do now. */
export type OrganisationRow = {
  id: number;
  kind: 'domestic' | 'foreign';
  /** The organisation is blocked, or this client of it. */
  blocked: boolean;
  granted: string[];
};

/** The organisation, and whether it or its client is blocked. */
export function findOrganisation(identifier: string, clientId: string): Statement {
  return {
    name: 'find-organisation',
    text: `
      select o.id, o.kind, o.blocked or coalesce(c.blocked, false) as blocked,
        array(select scope from organisation_scope s where s.organisation_id = o.id) as granted
      from organisation o left join client c on c.client_id = $2 and c.organisation_id = o.id
      where o.identifier = $1`,
    values: [identifier, clientId],
  };
}

/** A client as it is registered, with what its organisation is granted. */
export type ClientRow = {
  clientId: string;
  organisation: string;
  kind: 'domestic' | 'foreign';
  blocked: boolean;
  scopes: string[] | null;
  granted: string[];
  certificates: string[];
  keys: Record<string, unknown>[];
};

export function findClient(clientId: string): Statement {
  return {
    name: 'find-client',
    text: `
      select c.client_id as "clientId", o.identifier as organisation, o.kind,
        o.blocked or c.blocked as blocked, c.scopes, c.certificates, c.keys,
        array(select scope from organisation_scope s where s.organisation_id = o.id) as granted
      from client c join organisation o on o.id = c.organisation_id
      where c.client_id = $1`,
    values: [clientId],
  };
}

/** Gives a row when the grant was not used before; one whose time is over may be taken again. */
export function useGrant(clientId: string, jti: string, endsAt: Date, now: Date): Statement {
  return {
    name: 'use-grant',
    text: `
      insert into used_grant (client_id, jti, ends_at) values ($1, $2, $3)
      on conflict (client_id, jti) do update set ends_at = excluded.ends_at
        where used_grant.ends_at < $4
      returning client_id`,
    values: [clientId, jti, endsAt, now],
  };
}

export function forgetUsedGrants(now: Date): Statement {
  return {
    name: 'forget-used-grants',
    text: 'delete from used_grant where ends_at < $1',
    values: [now],
  };
}
