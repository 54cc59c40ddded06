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

/** The clients of these names that are registered, in any order. */
export function findClients(clientIds: readonly string[]): Statement {
  return {
    name: 'find-clients',
    text: `
      select c.client_id as "clientId", o.identifier as organisation, o.kind,
        o.blocked or c.blocked as blocked, c.scopes, c.certificates, c.keys,
        array(select scope from organisation_scope s where s.organisation_id = o.id) as granted
      from unnest($1::text[]) asked (client_id)
      join client c on c.client_id = asked.client_id
      join organisation o on o.id = c.organisation_id`,
    values: [clientIds],
  };
}

/** A grant that is to be taken once: by its client and its jti, until it would be refused as expired. */
export type GrantUse = { clientId: string; jti: string; endsAt: Date };

/**
 * Gives a row for each grant that was not used before; one whose time is over may be taken again. No two may be the
 * same. Two servers that use
 * the same ones do so in one order, so that they never wait for each other both.
 */
export function useGrants(grants: readonly GrantUse[], now: Date): Statement {
  return {
    name: 'use-grants',
    text: `
      insert into used_grant (client_id, jti, ends_at)
      select client_id, jti, ends_at from unnest($1::text[], $2::text[], $3::timestamptz[])
        as asked (client_id, jti, ends_at)
      order by client_id, jti
      on conflict (client_id, jti) do update set ends_at = excluded.ends_at
        where used_grant.ends_at < $4
      returning client_id as "clientId", jti`,
    values: [
      grants.map(({ clientId }) => clientId),
      grants.map(({ jti }) => jti),
      grants.map(({ endsAt }) => endsAt),
      now,
    ],
  };
}

/** Leaves those that are being used again: it waits for nobody. */
export function forgetUsedGrants(now: Date): Statement {
  return {
    name: 'forget-used-grants',
    text: `
      delete from used_grant where ctid = any (array(
        select ctid from used_grant where ends_at < $1 for update skip locked))`,
    values: [now],
  };
}
