// SQL of registered clients and of consumed grants.
import type { Statement } from '@landfall/service/assembly';

/** A registered client, with the scopes that its organisation is granted. */
export type ClientRow = {
  clientId: string;
  organisation: string;
  kind: 'domestic' | 'foreign';
  /** Whether the client or its organisation is blocked. */
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
      from client c
      join organisation o on o.id = c.organisation_id
      where c.client_id = $1`,
    values: [clientId],
  };
}

/** A grant that is accepted once: its client, its jti, and until when it would otherwise be accepted. */
export type GrantUse = { clientId: string; jti: string; endsAt: Date };

/** Returns a row unless the grant was consumed before. A grant that has ended may be consumed again. */
export function consumeGrant({ clientId, jti, endsAt }: GrantUse, now: Date): Statement {
  return {
    name: 'consume-grant',
    text: `
      insert into used_grant (client_id, jti, ends_at) values ($1, $2, $3)
      on conflict (client_id, jti) do update set ends_at = excluded.ends_at
        where used_grant.ends_at < $4
      returning client_id`,
    values: [clientId, jti, endsAt, now],
  };
}

/** Returns a row if the grant was consumed before. */
export function findGrantUse(
  { clientId, jti }: Pick<GrantUse, 'clientId' | 'jti'>,
  now: Date,
): Statement {
  return {
    name: 'find-grant-use',
    text: `
      select client_id from used_grant where client_id = $1 and jti = $2 and ends_at >= $3`,
    values: [clientId, jti, now],
  };
}

/** Skips grants that are being consumed again, so that it waits for no lock. */
export function deleteExpiredGrants(now: Date): Statement {
  return {
    name: 'delete-expired-grants',
    text: `
      delete from used_grant where ctid = any (array(
        select ctid from used_grant where ends_at < $1 for update skip locked))`,
    values: [now],
  };
}
