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

export function findClient(clientId: string): Statement<ClientRow> {
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

/** A grant that is accepted once: its client, its jti, when it is used, and until when it would otherwise be accepted. */
export type GrantUse = { clientId: string; jti: string; usedAt: Date; endsAt: Date };

/**
 * Returns a row for each grant that was not consumed before. A grant that has ended may be consumed again. The same one
 * is given once. They are written in one order, so that two servers do not wait for each other.
 */
export function consumeGrants(
  uses: readonly GrantUse[],
): Statement<Pick<GrantUse, 'clientId' | 'jti'>> {
  return {
    name: 'consume-grants',
    text: `
      with used as (
        select * from unnest($1::text[], $2::text[], $3::timestamptz[], $4::timestamptz[])
          as u (client_id, jti, used_at, ends_at)
      )
      insert into used_grant (client_id, jti, ends_at)
      select client_id, jti, ends_at from used order by client_id, jti
      on conflict (client_id, jti) do update set ends_at = excluded.ends_at
        where used_grant.ends_at < (
          select used_at from used u where u.client_id = excluded.client_id and u.jti = excluded.jti)
      returning client_id as "clientId", jti`,
    values: [
      uses.map(({ clientId }) => clientId),
      uses.map(({ jti }) => jti),
      uses.map(({ usedAt }) => usedAt),
      uses.map(({ endsAt }) => endsAt),
    ],
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
