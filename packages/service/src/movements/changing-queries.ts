// SQL of replacing and cancelling movement messages.
import { type ModeName, movementLevelCodes } from '@landfall/contract';
import type { Statement } from '../database/database.js';
import { Parameters } from '../database/parameters.js';
import {
  keyTimeout,
  lockTimeoutAgain,
  type MovementRow,
  type ReferenceRow,
} from './lodging-queries.js';
import type { LevelCode, MessageKind } from './message-kind.js';

/** A message that is to be changed: who has lodged it, and its text; null after that was removed. */
export type LodgedBefore = { id: number; identifier: string; body: string | null };

/** The message of this mode and level with an MRN, if the organisation has lodged it, or is its representative. */
export function selectLodged(
  mrn: string,
  organisation: number,
  { mode, level }: MessageKind,
): Statement<LodgedBefore> {
  return {
    name: 'select-lodged-movement',
    text: `
      select o.id, o.identifier, t.body
      from declaration e
      join movement m on m.declaration_id = e.id
      join organisation o on o.id = m.submitter
      left join movement_text t on t.declaration_id = e.id
      where e.mrn = $1 and $2::integer in (m.submitter, m.representative) and m.mode = $3 and m.level = $4`,
    values: [mrn, organisation, mode, movementLevelCodes[level]],
  };
}

/** Whether goods under a master consignment are presented. */
export function selectPresentedUnder(id: number): Statement<{ presented: boolean }> {
  return {
    name: 'select-presented-under-master',
    text: `
      select (
        select true
        from houses_of_master($1::integer, false) under
        join house_consignment h on h.ens_id = under.id
        where (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null
        limit 1
      ) is not null as presented`,
    values: [id],
  };
}

/** Of each master consignment, whose feeds are locked when goods under it are presented by their own documents. */
export function selectPartiesUnder(
  ids: readonly number[],
): Statement<{ id: number; organisations: number[] }> {
  return {
    name: 'select-parties-under-masters',
    text: `
      select m.id, array(select party from parties_under_master(m.id) order by party) as organisations
      from unnest($1::integer[]) m (id)`,
    values: [ids],
  };
}

/** A message, as whoever replaces or cancels it needs it. */
export type ExistingMovement = {
  id: number;
  level: LevelCode;
  mode: ModeName;
  submitter: number;
  representative: number | null;
  /** The organisation of the carrier that it names. */
  carrier: number | null;
  /** Whom the feeds are of that are locked when its goods are presented. */
  organisations: number[];
  key: string;
  state: string | null;
  /** Null after the text was removed. */
  body: string | null;
  reasons: string[];
  /** Its house consignment; null of other levels, and after it was withdrawn. */
  house: string | null;
  presented: boolean;
  routing: string | null;
  /** Of a transport that has arrived; the time is that of the message, to the second. */
  arrivedAt: Date | null;
  arrivalOffice: string | null;
  /** Of a transport: what routing signals say of it. */
  means: string | null;
  estimatedAt: Date | null;
  scheduledAt: Date | null;
};

export function selectExisting(mrn: string): Statement<ExistingMovement> {
  return {
    name: 'select-existing-movement',
    text: `
      select m.declaration_id as id, m.level, m.mode, m.submitter, m.representative, e.carrier,
        array_remove(array[m.submitter, m.representative], null) as organisations, m.key, m.state, t.body, m.reasons,
        m.arrived_at as "arrivedAt", m.arrival_office as "arrivalOffice", m.means, m.estimated_at as "estimatedAt",
        m.scheduled_at as "scheduledAt", h.id as house, h.routing,
        (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
      from declaration e
      join movement m on m.declaration_id = e.id
      left join movement_text t on t.declaration_id = e.id
      left join house_consignment h on h.ens_id = e.id
      where e.mrn = $1`,
    values: [mrn],
  };
}

/** Replaces what is stored of a message beside its goods, unless another current one has its key. */
export function updateMovement(
  id: number,
  message: MovementRow,
  body: string,
  at: Date,
): Statement<{ updated: number }> {
  return {
    name: 'update-movement',
    text: `
      with ${keyTimeout.trim()},
      replaced as (
        update movement m
        set representative = $2, key = $3, request_id = $4, replaced_at = $5, document_number = $6, document_type = $7,
          carrier = $8, means = $9, listed = $10, reasons = $11, conveyance = $13, estimated_at = $14, scheduled_at = $15,
          weight = $16, office = $17, import_procedure = $18, outgoing_procedure = $19, consignor_country = $20, house_key = case when level = 'HOUSE_CONSIGNMENT' then identifier_key($6) end
        from key_timeout
        where declaration_id = $1
          and (select true from movement o where o.key = $3 and o.state is null and o.declaration_id <> $1 limit 1) is null
        returning declaration_id
      ),
      text as (
        update movement_text t set body = $12 from replaced where t.declaration_id = replaced.declaration_id
        returning replaced.declaration_id as id
      )
      select count(text.id)::integer as updated, ${lockTimeoutAgain}
      from key_timeout left join text on true`,
    values: [
      id,
      message.representative ?? null,
      message.key,
      message.requestId,
      at,
      message.documentNumber ?? null,
      message.documentType ?? null,
      message.carrier ?? null,
      message.means ?? null,
      message.listed,
      message.reasons,
      body,
      message.conveyance ?? null,
      message.estimatedAt ?? null,
      message.scheduledAt ?? null,
      message.weight ?? null,
      message.office ?? null,
      message.importProcedure ?? null,
      message.outgoingProcedure ?? null,
      message.consignorCountry ?? null,
    ],
  };
}

/** Removes what a message named, before it is replaced. */
export function deleteReferences(id: number): Statement {
  return {
    name: 'delete-movement-references',
    text: 'delete from movement_reference where declaration_id = $1',
    values: [id],
  };
}

/** What a message names that a replacement of it does not name any more. */
export function selectRemovedReferences(
  id: number,
  references: readonly Pick<ReferenceRow, 'kind' | 'reference' | 'type'>[],
): Statement<Pick<ReferenceRow, 'kind' | 'reference'>> {
  const given = new Parameters();
  return {
    name: 'select-removed-references',
    text: `
      select kind, reference from (
        select kind, reference, reference_type from movement_reference
        where declaration_id = ${given.add(id, 'integer')}
        except
        select kind, reference, type
        from ${given.rows('r', references, {
          kind: ['text', ({ kind }) => kind],
          reference: ['text', ({ reference }) => reference],
          type: ['text', ({ type }) => type],
        })}
      ) removed
      order by kind, reference limit 1`,
    values: given.values,
  };
}

/** Ends a message. */
export function endMovement(
  id: number,
  state: 'CANCELLED',
  requestId: string,
  at: Date,
): Statement {
  return {
    name: 'end-movement',
    text: `
      with awaited as (
        delete from awaited_document where declaration_id = $1
      )
      update movement set state = $2, request_id = $3, ended_at = $4 where declaration_id = $1`,
    values: [id, state, requestId, at],
  };
}
