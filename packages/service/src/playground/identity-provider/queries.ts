// SQL of registered clients and of consumed grants.
import type { Statement } from '../../database/database.js';

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

/** A client as it stood in the database at some time; `state` is another as soon as anything of it is. */
export type ClientState = ClientRow & { state: string };

/** Changes with every change of the client's row (c), of its organisation's (o), and of what that is granted. */
const clientState = `
  c.xmin || ' ' || o.xmin || ' ' || array(
    select scope from organisation_scope s where s.organisation_id = o.id order by scope)::text`;

/** The clients of these names that are registered, in any order. */
export function findClients(clientIds: readonly string[]): Statement {
  return {
    name: 'find-clients',
    text: `
      select c.client_id as "clientId", o.identifier as organisation, o.kind,
        o.blocked or c.blocked as blocked, c.scopes, c.certificates, c.keys,
        array(select scope from organisation_scope s where s.organisation_id = o.id) as granted,
        ${clientState} as state
      from unnest($1::text[]) asked (client_id)
      join client c on c.client_id = asked.client_id
      join organisation o on o.id = c.organisation_id`,
    values: [clientIds],
  };
}

/** A grant that is to be taken once: by its client and its jti, until it would be refused as expired. */
export type GrantUse = {
  clientId: string;
  jti: string;
  endsAt: Date;
  /** As the client stood when the grant was checked; `undefined` where it rests on no registered client. */
  state: string | undefined;
};

/** What became of a grant: taken, or left alone because its client has changed. One used before has no row. */
export type GrantUseRow = { clientId: string; jti: string; taken: boolean };

/**
 * Takes the grants that were not used before and whose clients still stand as they did; one whose time is over may be
 * taken again. No two may be the same. Two servers that use the same ones do so in one order, so that they never wait
 * for each other both.
 */
export function useGrants(grants: readonly GrantUse[], now: Date): Statement {
  return {
    name: 'use-grants',
    text: `
      with asked as materialized (
        select asked.*, state is null or state = (
            select ${clientState} from client c join organisation o on o.id = c.organisation_id
            where c.client_id = asked.client_id
          ) as stands
        from unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[])
          as asked (client_id, jti, ends_at, state)
      ),
      taken as (
        insert into used_grant (client_id, jti, ends_at)
        select client_id, jti, ends_at from asked where stands order by client_id, jti
        on conflict (client_id, jti) do update set ends_at = excluded.ends_at
          where used_grant.ends_at < $5
        returning client_id, jti
      )
      select client_id as "clientId", jti, true as taken from taken
      union all
      select client_id, jti, false from asked where stands is not true`,
    values: [
      grants.map(({ clientId }) => clientId),
      grants.map(({ jti }) => jti),
      grants.map(({ endsAt }) => endsAt),
      grants.map(({ state }) => state),
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
