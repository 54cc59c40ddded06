// SQL of declarations, without their house consignments: locking, reading and writing them, with who has registered them.
import { DOMESTIC_ORGANISATION_PREFIX } from '@landfall/contract';
import type { Statement } from '../database/database.js';
import type { RegistrationContext } from '../routing/decision-context.js';
import type { MrnOwner, OtherKind } from './other-kind.js';
import type { DeclarationMembers } from './read-incoming.js';

/**
 * Locks existing declarations until the commit, as far as they are free; returns which exist, and which of them are locked.
 * They are read by further statements, which see what was committed before the locks were taken.
 *
 * @param kind what they are; null for ENS, `MESSAGE` for any that is none
 */
export function lockDeclarations(
  mrns: readonly string[],
  kind: OtherKind | 'MESSAGE' | null,
): Statement<{ mrn: string; locked: boolean }> {
  const isOfKind = `(kind is not distinct from $2 or $2 = 'MESSAGE' and kind is not null)`;
  return {
    name: 'lock-declarations',
    text: `
      with free as materialized (
        select mrn from declaration where mrn = any($1::text[]) and ${isOfKind}
        order by mrn for no key update skip locked
      )
      select mrn, mrn in (select mrn from free) as locked from declaration
      where mrn = any($1::text[]) and ${isOfKind}
      order by mrn`,
    values: [mrns, kind],
  };
}

/** Locks a declaration; waits until it is free, in the order of those who wait. */
export function lockInTurn(mrn: string): Statement {
  return {
    name: 'lock-declaration-in-turn',
    text: 'select from declaration where mrn = $1 for no key update',
    values: [mrn],
  };
}

/**
 * Which of these declarations nobody seems to have locked. Reads only: locking a row writes. A row has the transaction
 * that has locked it, which holds the lock of its own number as long as it runs.
 */
export function selectFreeDeclarations(mrns: readonly string[]): Statement<{ key: string }> {
  return {
    name: 'select-free-declarations',
    text: `
      with running as materialized (
        select transactionid as id from pg_locks where locktype = 'transactionid' and granted
      )
      select mrn as key from unnest($1::text[]) as awaited (mrn)
      where (
        select true from declaration e join running on running.id = e.xmax
        where e.mrn = awaited.mrn limit 1
      ) is null`,
    values: [mrns],
  };
}

/** An existing ENS. */
export type ExistingDeclaration = {
  id: number;
  /** Another one after each change of the declaration or its house consignments; 0 if it was last changed long ago. */
  version: number;
  members: DeclarationMembers;
  /** The declarant and the representative, who receive the signals of its house consignments whoever presents them. */
  organisations: readonly number[];
  /** Whether it was withdrawn. Sent again, it is the same declaration. */
  withdrawn: boolean;
};

/** The declarations of every kind with these MRNs, and relations, which have MRNs too; `kind` is null for an ENS. */
export function selectDeclarations(
  mrns: readonly string[],
): Statement<ExistingDeclaration & { kind: MrnOwner | null }> {
  return {
    name: 'select-declarations',
    text: `
      select e.id, e.kind, coalesce(e.version, 0) as version, array_remove(array[e.declarant, e.representative], null) as organisations,
        e.withdrawal is not null as withdrawn,
        json_strip_nulls(json_build_object(
          'mrn', e.mrn,
          'kind', e.kind,
          'customsOfficeOfFirstEntry', e.customs_office_of_first_entry,
          'declarant', (select identifier from organisation o where o.id = e.declarant),
          'representative', (select identifier from organisation o where o.id = e.representative),
          'carrier', (select identifier from organisation o where o.id = e.carrier),
          'presenters', (
            select json_agg(o.identifier order by number)
            from unnest(e.presenters) with ordinality as presenter (id, number) join organisation o using (id)
          ),
          'estimatedTimeOfArrival', api_time(e.estimated_time_of_arrival),
          'activeBorderTransportMeans', case when e.transport_means_number is not null then json_build_object(
            'identificationNumber', e.transport_means_number, 'typeOfIdentification', e.transport_means_type
          ) end,
          'version', e.source_version
        )) as members
      from declaration e
      where e.mrn = any($1::text[])
      union all
      -- Nobody knows the MRN of a relation before its commit, so none can be registered at the same time.
      select 0, 'RELATION', 0, '{}', false, json_build_object('mrn', r.mrn)
      from movement_relation r
      where r.mrn = any($1::text[])`,
    values: [mrns],
  };
}

/** Which of these declarations have a presented house consignment. */
export function selectPresentedDeclarations(
  declarationIds: readonly number[],
): Statement<{ id: number }> {
  return {
    name: 'select-presented-declarations',
    text: `
      select id from unnest($1::integer[]) e (id)
      where (
        select true from house_consignment h
        where h.ens_id = e.id
          and (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null
        limit 1
      )`,
    values: [declarationIds],
  };
}

/** Adds organisations that do not exist yet, with their identifiers as names. */
export function insertOrganisations(identifiers: readonly string[]): Statement {
  return {
    name: 'insert-organisations',
    // Every registration adds them in the same order, so that none can deadlock with another.
    text: `
      insert into organisation (identifier, name, kind)
      select named, named, case when named like '${DOMESTIC_ORGANISATION_PREFIX}%' then 'domestic' else 'foreign' end
      from (select distinct unnest($1::text[]) as named order by 1) in_order
      where (select true from organisation where identifier = named limit 1) is null
      on conflict do nothing`,
    values: [identifiers],
  };
}

export function selectOrganisationIds(
  identifiers: readonly string[],
): Statement<{ id: number; identifier: string }> {
  return {
    name: 'select-organisation-ids',
    text: 'select id, identifier from organisation where identifier = any($1::text[])',
    values: [identifiers],
  };
}

/** Adds a registration; returns the id that its house consignments refer to. */
export function insertRegistration({
  at,
  actor,
  requestId,
}: RegistrationContext): Statement<{ id: number; at: Date }> {
  return {
    name: 'insert-registration',
    text: `
      insert into registration (at, organisation_id, client_id, request_id)
      values (record_time($1), $2, $3, $4) returning id, at`,
    values: [at ?? null, actor?.organisationId ?? null, actor?.client ?? null, requestId],
  };
}

/** Declarations as JSON text, without members that are not stored. */
function declarationText(declarations: readonly DeclarationMembers[]): string {
  return JSON.stringify(
    declarations.map(({ mrn, declarant, representative, carrier, presenters, ...members }) => ({
      mrn,
      office: members.customsOfficeOfFirstEntry,
      declarant,
      representative,
      carrier,
      presenters,
      arrival: members.estimatedTimeOfArrival,
      means_number: members.activeBorderTransportMeans?.identificationNumber,
      means_type: members.activeBorderTransportMeans?.typeOfIdentification,
      source_version: members.version,
    })),
  );
}

/** Adds declarations, whose organisations exist; returns those that were not added concurrently. */
export function insertDeclarations(
  declarations: readonly DeclarationMembers[],
  registration: number,
): Statement<{ id: number; mrn: string }> {
  return {
    name: 'insert-declarations',
    text: `
      insert into entry_summary_declaration (mrn, customs_office_of_first_entry, declarant, representative, carrier,
        presenters, estimated_time_of_arrival, transport_means_number, transport_means_type, source_version, version)
      select i.mrn, i.office, d.id as declarant, r.id as representative, c.id as carrier,
        (select array_agg(o.id order by number)
          from json_array_elements_text(i.presenters) with ordinality as presenter (identifier, number)
          join organisation o using (identifier)) as presenters,
        i.arrival, i.means_number, i.means_type, i.source_version, $2::bigint
      from json_to_recordset($1::json) as i (mrn text, office text, declarant text, representative text, carrier text,
        presenters json, arrival timestamptz, means_number text, means_type text, source_version bigint)
      join organisation d on d.identifier = i.declarant
      left join organisation r on r.identifier = i.representative
      left join organisation c on c.identifier = i.carrier
      order by i.mrn
      on conflict (mrn) do nothing
      returning id, mrn`,
    values: [declarationText(declarations), registration],
  };
}

export function updateDeclarations(declarations: readonly DeclarationMembers[]): Statement {
  return {
    name: 'update-declarations',
    text: `
      update declaration e
      set customs_office_of_first_entry = n.office, declarant = n.declarant, representative = n.representative,
        carrier = n.carrier, presenters = n.presenters, estimated_time_of_arrival = n.arrival,
        transport_means_number = n.means_number, transport_means_type = n.means_type,
        -- What comes without one keeps it.
        source_version = coalesce(n.source_version, e.source_version)
      from (
        select i.mrn, i.office, d.id as declarant, r.id as representative, c.id as carrier,
          (select array_agg(o.id order by number)
            from json_array_elements_text(i.presenters) with ordinality as presenter (identifier, number)
            join organisation o using (identifier)) as presenters,
          i.arrival, i.means_number, i.means_type, i.source_version
        from json_to_recordset($1::json) as i (mrn text, office text, declarant text, representative text, carrier text,
          presenters json, arrival timestamptz, means_number text, means_type text, source_version bigint)
        join organisation d on d.identifier = i.declarant
        left join organisation r on r.identifier = i.representative
        left join organisation c on c.identifier = i.carrier
      ) n
      where e.mrn = n.mrn`,
    values: [declarationText(declarations)],
  };
}

/** Declarations that a registration has changed, or of which it has changed house consignments, and which are current. */
export function updateVersions(ids: readonly number[], registration: number): Statement {
  return {
    name: 'update-versions',
    text: `
      update declaration set version = $2, withdrawal = null where id = any($1::integer[])`,
    values: [ids, registration],
  };
}
