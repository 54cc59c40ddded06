// SQL of the spaces of a hosted playground: who has one, and how large each is.
import type { Statement } from '@landfall/service/assembly';

/** A space, as it is stored. */
export type HostedSpaceRow = {
  name: string;
  organisation: string;
  /** The SHA-256 digest of its access code. */
  code: Buffer;
  address: string;
  createdAt: Date;
  usedAt: Date;
};

export const makeHostedSpaces = `
create schema if not exists playground;
create table if not exists playground."hosted space" (
  name text primary key,
  organisation text not null,
  code text not null,
  address text not null,
  created_at timestamptz not null,
  used_at timestamptz not null
);`;

export const listHostedSpaces: Statement<Omit<HostedSpaceRow, 'code'> & { code: string }> = {
  name: 'list-hosted-spaces',
  text: `
    select name, organisation, code, address, created_at as "createdAt", used_at as "usedAt"
    from playground."hosted space" order by created_at, name`,
  values: [],
};

export function insertHostedSpace(space: HostedSpaceRow): Statement {
  const { name, organisation, code, address, createdAt, usedAt } = space;
  return {
    name: 'insert-hosted-space',
    text: `
      insert into playground."hosted space" (name, organisation, code, address, created_at, used_at)
      values ($1, $2, $3, $4, $5, $6)`,
    values: [name, organisation, code.toString('hex'), address, createdAt, usedAt],
  };
}

export function deleteHostedSpace(name: string): Statement {
  return {
    name: 'delete-hosted-space',
    text: 'delete from playground."hosted space" where name = $1',
    values: [name],
  };
}

/** Keeps when spaces were used last. */
export function keepUse(names: readonly string[], times: readonly Date[]): Statement {
  return {
    name: 'keep-use-of-hosted-spaces',
    text: `
      update playground."hosted space" s set used_at = u.used_at
      from unnest($1::text[], $2::timestamptz[]) as u (name, used_at) where s.name = u.name`,
    values: [names, times.map((time) => time.toISOString())],
  };
}

/** The bytes of each schema, with indexes. */
export function measureSchemas(
  schemas: readonly string[],
): Statement<{ schema: string; bytes: number }> {
  return {
    name: 'measure-schemas',
    text: `
      select n.nspname as schema, sum(pg_total_relation_size(c.oid))::double precision as bytes
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = any ($1) and c.relkind = 'r'
      group by n.nspname`,
    values: [schemas],
  };
}
