// SQL of routing profiles, and of the house consignments that they decide.
import type { ModeName } from '@landfall/contract';
import type { Statement } from '../database/database.js';
import { HIGHEST_CHARACTER } from '../database/highest-character.js';

/** A version of a profile; `profile` is JSON text. */
export type ProfileRow = {
  name: string;
  version: number;
  created_at: Date;
  profile: string;
  live_since: Date | null;
};

/** Serialises changes of profiles and of the live profile. Readers do not wait. */
export const lockProfiles: Statement = {
  name: 'lock-routing-profiles',
  text: 'lock table routing_profile in share row exclusive mode',
  values: [],
};

/** A version in a list, and how many versions follow the marker, itself included; never more than were asked for. */
export type ListedProfileRow = ProfileRow & { following: number };

/**
 * Versions of the profiles whose names begin with a text, in the order of names and versions.
 *
 * @param after the last version of the page before
 * @param bytes versions are returned until those before them have so many bytes
 */
export function selectProfiles(
  beginning: string,
  after: { name: string; version: number },
  limit: number,
  bytes: number,
): Statement<ListedProfileRow> {
  return {
    name: 'select-routing-profiles',
    text: `
      select name, version, created_at, profile, live_since, following from (
        select listed.*, count(*) over ()::integer as following,
          sum(octet_length(profile)) over (order by name, version) - octet_length(profile) as before
        from (
          select * from routing_profile
          where (name, version) > ($1, $2::integer) and name >= $3 and name < $4
          order by name, version limit $5
        ) listed
      ) measured
      where before < $6::bigint
      order by name, version`,
    values: [after.name, after.version, beginning, beginning + HIGHEST_CHARACTER, limit, bytes],
  };
}

export const selectLiveProfile: Statement<ProfileRow> = {
  name: 'select-live-routing-profile',
  text: 'select * from routing_profile where live_since is not null',
  values: [],
};

/** One version, or the latest. */
export function selectProfile(name: string, version?: number): Statement<ProfileRow> {
  return {
    name: 'select-routing-profile',
    text: `
      select * from routing_profile where name = $1 and version = coalesce($2, version)
      order by version desc limit 1`,
    values: [name, version ?? null],
  };
}

export function insertProfile(
  name: string,
  version: number,
  profile: string,
  createdAt: Date,
): Statement<ProfileRow> {
  return {
    name: 'insert-routing-profile',
    text: `
      insert into routing_profile (name, version, profile, created_at) values ($1, $2, $3, $4)
      returning *`,
    values: [name, version, profile, createdAt],
  };
}

export const clearLiveProfile: Statement<ProfileRow> = {
  name: 'clear-live-routing-profile',
  text: 'update routing_profile set live_since = null where live_since is not null returning *',
  values: [],
};

export function setLiveProfile(name: string, version: number, at: Date): Statement<ProfileRow> {
  return {
    name: 'set-live-routing-profile',
    text: 'update routing_profile set live_since = $3 where name = $1 and version = $2 returning *',
    values: [name, version, at],
  };
}

/** A house consignment with the facts that a profile depends on. */
export type ConsignmentRow = {
  id: string;
  mrn: string;
  documentNumber: string;
  documentType: string;
  receptacleId: string | null;
  subheadings: string[] | null;
  /** Null for goods that were lodged, until they are presented. */
  customsOfficeOfFirstEntry: string | null;
  /** Of goods that were lodged: the name of their mode of transport, and what their message says. */
  lodgedMode: ModeName | null;
  importProcedure: string | null;
  outgoingProcedure: string | null;
  carrierIdentificationNumber: string | null;
  consignorCountry: string | null;
  grossMass: number | null;
  typeOfIdentification: string | null;
  routing: string | null;
  routingControlLocation: string | null;
};

/** The columns of a row, of `house_consignment h`, its `declaration e` and its `movement m`. */
export const FACTS = `h.id, e.mrn, h.document_number as "documentNumber", h.document_type as "documentType",
        h.receptacle_id as "receptacleId", h.subheadings,
        coalesce(e.customs_office_of_first_entry, case when m.mode is not null then (
          select office from signal_recipient c
          where c.house_consignment_id = h.id and c.first_presented_at is not null
        ) end) as "customsOfficeOfFirstEntry", m.mode as "lodgedMode",
        m.import_procedure as "importProcedure", m.outgoing_procedure as "outgoingProcedure",
        coalesce(m.carrier, case when m.mode is not null then (
          select t.carrier from signal_recipient c join movement t on t.declaration_id = c.transport
          where c.house_consignment_id = h.id and c.transport is not null limit 1
        ) end) as "carrierIdentificationNumber",
        m.consignor_country as "consignorCountry", m.weight::float8 as "grossMass",
        e.transport_means_type as "typeOfIdentification", h.routing,
        h.routing_control_location as "routingControlLocation"`;

/** Those of these house consignments on which a profile decides: what is incomplete is decided by hand alone. */
export function selectConsignmentFacts(ids: readonly string[]): Statement<ConsignmentRow> {
  return {
    name: 'select-consignment-facts',
    text: `
      select ${FACTS}
      from house_consignment h join declaration e on e.id = h.ens_id left join movement m on m.declaration_id = e.id
      where h.id = any ($1::uuid[]) and coalesce(cardinality(m.reasons), 0) = 0`,
    values: [ids],
  };
}

/** The house consignments that were pre-notified last: the greatest ids, optionally only those below an id. */
export function selectLatestConsignments(
  below: string | undefined,
  limit: number,
): Statement<ConsignmentRow> {
  return {
    name: 'select-latest-consignments',
    text: `
      select ${FACTS}
      from house_consignment h join declaration e on e.id = h.ens_id left join movement m on m.declaration_id = e.id
      where h.id < coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
      order by h.id desc limit $2`,
    values: [below ?? null, limit],
  };
}

/**
 * Undecided house consignments in the order of their ids; optionally only those above an id.
 *
 * @param read how many house consignments are read for them at most
 */
export function selectUndecidedConsignments(
  above: string | undefined,
  limit: number,
  read: number,
): Statement<ConsignmentRow> {
  return {
    name: 'select-undecided-consignments',
    text: `
      select ${FACTS}
      from (
        select * from house_consignment
        where id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000')
        order by id limit $3
      ) h join declaration e on e.id = h.ens_id left join movement m on m.declaration_id = e.id
      -- What is incomplete is decided by hand alone.
      where h.routing is null and coalesce(cardinality(m.reasons), 0) = 0
      order by h.id limit $2`,
    values: [above ?? null, limit, read],
  };
}

/** The last of the house consignments above an id, so many at most, in the order of their ids; none if there are fewer. */
export function selectLastOf(above: string | undefined, read: number): Statement<{ id: string }> {
  return {
    name: 'select-last-of-consignments',
    text: `
      select id from house_consignment
      where id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000')
      order by id offset $2 - 1 limit 1`,
    values: [above ?? null, read],
  };
}
