// SQL that reads and replaces an organisation, its clients and its grants.
import type {
  Organisation,
  OrganisationClient,
  OrganisationName,
  OrganisationSummary,
} from '@landfall/contract';
import type { Statement } from '../database/database.js';

/** An organisation without the entity tag, which HTTP adds. */
export type OrganisationState = Omit<Organisation, 'etag'>;

export function readOrganisation(identifier: string): Statement<OrganisationState> {
  return {
    name: 'read-organisation',
    text: `
      select o.identifier as id, o.name, o.kind, o.blocked,
        array(select scope from organisation_scope s where s.organisation_id = o.id order by scope)
          as "grantedScopes",
        array(select number from organisation_number n where n.organisation_id = o.id order by number)
          as "identificationNumbers",
        coalesce((
          select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
            'client_id', c.client_id, 'scopes', to_jsonb(c.scopes), 'certificates', c.certificates,
            'keys', c.keys, 'blocked', c.blocked)) order by c.client_id)
          from client c where c.organisation_id = o.id), '[]') as clients
      from organisation o where o.identifier = $1`,
    values: [identifier],
  };
}

/**
 * Adds an organisation without data, and returns a row for it, unless it exists. Waits for a transaction that is adding
 * it.
 */
export function addOrganisation(identifier: string): Statement {
  return {
    name: 'add-organisation',
    text: `
      insert into organisation (identifier) values ($1)
      on conflict (identifier) do nothing
      returning id`,
    values: [identifier],
  };
}

/** Locks the organisation's row until the commit: what is read afterwards does not change. */
export function lockOrganisation(identifier: string): Statement {
  return {
    name: 'lock-organisation',
    text: 'select id from organisation where identifier = $1 for no key update',
    values: [identifier],
  };
}

/** Identifiers are compared byte by byte, whatever the collation of the database. */
export function selectOrganisations(after: string, limit: number): Statement<OrganisationSummary> {
  return {
    name: 'select-organisations',
    text: `
      select o.identifier as id, o.name, o.kind,
        array(select scope from organisation_scope s where s.organisation_id = o.id order by scope)
          as "grantedScopes",
        array(select number from organisation_number n where n.organisation_id = o.id order by number)
          as "identificationNumbers",
        o.blocked
      from organisation o
      where o.identifier collate "C" > $1
      order by o.identifier collate "C"
      limit $2`,
    values: [after, limit],
  };
}

/** Names that say more than the id, which is the name of an organisation that only declarations name. */
export function selectOrganisationNames(ids: readonly string[]): Statement<OrganisationName> {
  return {
    name: 'select-organisation-names',
    text: `
      select identifier as id, name
      from organisation
      where identifier = any ($1::text[]) and name <> identifier
      order by identifier collate "C"`,
    values: [ids],
  };
}

export function updateOrganisation(
  identifier: string,
  name: string,
  kind: string,
  blocked: boolean,
): Statement<{ id: number }> {
  return {
    name: 'update-organisation',
    text: `
      update organisation set name = $2, kind = $3, blocked = $4
      where identifier = $1
      returning id`,
    values: [identifier, name, kind, blocked],
  };
}

export function removeOtherScopes(organisationId: number, scopes: readonly string[]): Statement {
  return {
    name: 'remove-other-scopes',
    text: 'delete from organisation_scope where organisation_id = $1 and scope <> all ($2::text[])',
    values: [organisationId, scopes],
  };
}

/** Returns a row for each scope that was not granted before. */
export function addScopes(
  organisationId: number,
  scopes: readonly string[],
): Statement<{ scope: string }> {
  return {
    name: 'add-scopes',
    text: `
      insert into organisation_scope (organisation_id, scope)
      select $1, scope from unnest($2::text[]) scope
      on conflict do nothing
      returning scope`,
    values: [organisationId, scopes],
  };
}

/** Adds the organisation, or locks its row until the commit; one without a name gets this one. */
export function ensureOrganisation(
  identifier: string,
  name: string,
  kind: string,
): Statement<{ id: number }> {
  return {
    name: 'ensure-organisation',
    text: `
      insert into organisation as o (identifier, name, kind) values ($1, $2, $3)
      on conflict (identifier) do update
        set kind = excluded.kind, name = case o.name when '' then excluded.name else o.name end
      returning id`,
    values: [identifier, name, kind],
  };
}

/** Removes all clients but these, and remembers which. */
export function removeOtherClients(
  organisationId: number,
  clientIds: readonly string[],
): Statement {
  return {
    name: 'remove-other-clients',
    text: `
      with removed as (
        delete from client where organisation_id = $1 and client_id <> all ($2::text[])
        returning client_id
      )
      insert into removed_client (organisation_id, client_id)
      select $1, client_id from removed
      on conflict do nothing`,
    values: [organisationId, clientIds],
  };
}

/** Clients that are registered again are not removed any more. */
export function keepClients(organisationId: number, clientIds: readonly string[]): Statement {
  return {
    name: 'keep-clients',
    text: `
      delete from removed_client
      where organisation_id = $1
        and lower(client_id) in (select lower(given collate "C") from unnest($2::text[]) given)`,
    values: [organisationId, clientIds],
  };
}

/**
 * Adds or replaces a client of an organisation that is locked. Returns a row unless its id belongs to another
 * organisation.
 */
export function putClient(
  organisationId: number,
  {
    client_id: clientId,
    scopes,
    certificates = [],
    keys = [],
    blocked = false,
  }: OrganisationClient,
): Statement {
  return {
    name: 'put-client',
    text: `
      with replaced as (
        update client set scopes = $3, certificates = $4, keys = $5, blocked = $6
        where organisation_id = $1 and client_id = $2
        returning client_id
      ),
      added as (
        insert into client (organisation_id, client_id, scopes, certificates, keys, blocked)
        select $1, $2, $3, $4, $5, $6 where not exists (select from replaced)
        on conflict do nothing
        returning client_id
      )
      select client_id from replaced union all select client_id from added`,
    values: [organisationId, clientId, scopes ?? null, certificates, JSON.stringify(keys), blocked],
  };
}

export function removeOtherNumbers(organisationId: number, numbers: readonly string[]): Statement {
  return {
    name: 'remove-other-numbers',
    text: 'delete from organisation_number where organisation_id = $1 and number <> all ($2::text[])',
    values: [organisationId, numbers],
  };
}

/**
 * Adds those numbers that no organisation has, in their order, so that two transactions do not wait for each other. Waits for
 * a transaction that is adding or removing one of them.
 */
export function addNumbers(organisationId: number, numbers: readonly string[]): Statement {
  return {
    name: 'add-organisation-numbers',
    text: `
      insert into organisation_number (number, organisation_id)
      select number, $1 from unnest($2::text[]) number order by number collate "C"
      on conflict (number) do nothing`,
    values: [organisationId, numbers],
  };
}

/** The numbers that the organisation does not have after they were added: they belong to others. */
export function selectTakenNumbers(
  organisationId: number,
  numbers: readonly string[],
): Statement<{ number: string }> {
  return {
    name: 'select-taken-numbers',
    text: `
      select number from unnest($2::text[]) number
      except
      select number from organisation_number where organisation_id = $1`,
    values: [organisationId, numbers],
  };
}
