// SQL of lodging movement messages, and of recording requests about them.
import type { ModeName } from '@landfall/contract';
import type { Statement } from '../database/database.js';
import { AUDIT_LOCK } from '../database/locks.js';
import { Parameters } from '../database/parameters.js';
import type { OtherKind } from '../registry/other-kind.js';
import type { RegistrationContext } from '../routing/decision-context.js';
import type { LevelCode } from './message-kind.js';

/** A request of an organisation. */
type RequestKey = { owner: number; requestId: string };

/**
 * Begins to record requests: their time, and which requestIds were used before. Call it with the submitters' feeds locked.
 *
 * @param at the time of a clock that may have been moved; without it, the database's
 */
export function beginRecording(
  requests: readonly RequestKey[],
  at: Date | undefined,
): Statement<{ at: Date; used: number[] }> {
  const given = new Parameters();
  return {
    name: 'begin-recording-movements',
    text: `
      select record_time(${given.add(at, 'timestamptz')}) as at, array(
        select (r.number - 1)::integer
        from ${given.rows('r', requests, {
          owner: ['integer', ({ owner }) => owner],
          id: ['uuid', ({ requestId }) => requestId],
        })}
        where (select true from movement_status s where s.owner = r.owner and s.id = r.id limit 1)
      ) as used`,
    values: given.values,
  };
}

/** How long a key is waited for that another transaction is about to take or to free, in milliseconds. */
const KEY_WAIT_MS = 100;

/**
 * For the rest of a statement, locks are waited for no longer than keys: whoever waits holds the feeds of submitters. The
 * statement sets it back with `lockTimeoutAgain`.
 */
export const keyTimeout = `
      key_timeout as materialized (
        select current_setting('lock_timeout') as before, set_config('lock_timeout', '${KEY_WAIT_MS}', true)
      )`;

/** An aggregate: it is evaluated when all rows have been written. */
export const lockTimeoutAgain = `set_config('lock_timeout', min(key_timeout.before), true)`;

/** What is stored of a message beside its goods. */
export type MovementRow = {
  level: LevelCode;
  mode: ModeName;
  submitter: number;
  representative: number | undefined;
  key: string;
  requestId: string;
  documentNumber: string | undefined;
  documentType: string | undefined;
  carrier: string | undefined;
  means: string | undefined;
  conveyance: string | undefined;
  /** Instants in ISO 8601. */
  estimatedAt: string | undefined;
  scheduledAt: string | undefined;
  /** Of a transport: the customs office of first entry. */
  office: string | undefined;
  /** In kilograms. */
  weight: number | undefined;
  /** Of a house consignment. */
  importProcedure: string | undefined;
  outgoingProcedure: string | undefined;
  consignorCountry: string | undefined;
  /** JSON text. */
  listed: string;
  reasons: readonly string[];
};

/**
 * Adds messages whose keys no current one has, and gives their numbers; whoever else adds one of the keys at the same time
 * is waited for, but not for long. They are in the order of their keys, so that two transactions never wait for each other.
 */
export function claimKeys(
  messages: readonly MovementRow[],
  at: Date,
): Statement<{ claimed: { id: number; key: string }[] }> {
  const given = new Parameters();
  return {
    name: 'claim-movement-keys',
    text: `
      with ${keyTimeout.trim()},
      claimed as (
      insert into movement (declaration_id, level, mode, submitter, representative, key, request_id, lodged_at,
        document_number, document_type, house_key, carrier, means, conveyance, estimated_at, scheduled_at, office, weight,
        import_procedure, outgoing_procedure, consignor_country, listed, reasons)
      select nextval(pg_get_serial_sequence('declaration', 'id')), level, mode, submitter, representative, key, request_id,
        ${given.add(at, 'timestamptz')}, document_number, document_type,
        case when level = 'HOUSE_CONSIGNMENT' then identifier_key(document_number) end, carrier, means, conveyance,
        estimated_at, scheduled_at, office, weight, import_procedure, outgoing_procedure, consignor_country, listed,
        string_to_array(reasons, ' ')
      from (
        select level, mode, submitter, representative, key, request_id, document_number, document_type, carrier, means,
          conveyance, estimated_at, scheduled_at, office, weight, import_procedure, outgoing_procedure, consignor_country,
          listed, reasons
        from ${given.rows('m', messages, columns)}
        order by key
      ) in_order
      cross join key_timeout
      on conflict (key) where state is null do nothing
      returning declaration_id as id, key
      )
      select coalesce(json_agg(claimed) filter (where claimed.id is not null), '[]') as claimed, ${lockTimeoutAgain}
      from key_timeout left join claimed on true`,
    values: given.values,
  };
}

const columns = {
  level: ['text', ({ level }: MovementRow) => level],
  mode: ['text', ({ mode }: MovementRow) => mode],
  submitter: ['integer', ({ submitter }: MovementRow) => submitter],
  representative: ['integer', ({ representative }: MovementRow) => representative],
  key: ['text', ({ key }: MovementRow) => key],
  request_id: ['uuid', ({ requestId }: MovementRow) => requestId],
  document_number: ['text', ({ documentNumber }: MovementRow) => documentNumber],
  document_type: ['text', ({ documentType }: MovementRow) => documentType],
  carrier: ['text', ({ carrier }: MovementRow) => carrier],
  means: ['text', ({ means }: MovementRow) => means],
  conveyance: ['text', ({ conveyance }: MovementRow) => conveyance],
  estimated_at: ['timestamptz', ({ estimatedAt }: MovementRow) => estimatedAt],
  scheduled_at: ['timestamptz', ({ scheduledAt }: MovementRow) => scheduledAt],
  office: ['text', ({ office }: MovementRow) => office],
  weight: ['numeric', ({ weight }: MovementRow) => weight],
  import_procedure: ['text', ({ importProcedure }: MovementRow) => importProcedure],
  outgoing_procedure: ['text', ({ outgoingProcedure }: MovementRow) => outgoingProcedure],
  consignor_country: ['text', ({ consignorCountry }: MovementRow) => consignorCountry],
  listed: ['text', ({ listed }: MovementRow) => listed],
  // No reason has a blank, and an array of arrays would have to be rectangular.
  reasons: ['text', ({ reasons }: MovementRow) => reasons.join(' ')],
} as const;

/** The current messages that have these keys. */
export function selectByKeys(
  keys: readonly string[],
): Statement<{ key: string; mrn: string; submitter: number }> {
  return {
    name: 'select-movements-by-key',
    text: `
      select m.key, e.mrn, m.submitter
      from movement m join declaration e on e.id = m.declaration_id
      where m.key = any ($1::text[]) and m.state is null`,
    values: [keys],
  };
}

/** A declaration of a message that is lodged. */
export type LodgedDeclaration = {
  id: number;
  mrn: string;
  kind: OtherKind;
  submitter: number;
  representative: number | undefined;
  carrier: number | undefined;
  /** The message as JSON text. */
  body: string;
  context: Omit<RegistrationContext, 'at'>;
};

/** Adds declarations with their texts, each with the request that has registered it; gives the numbers of the registrations. */
export function insertLodged(
  declarations: readonly LodgedDeclaration[],
  at: Date,
): Statement<{ id: number; registration: number }> {
  const given = new Parameters();
  return {
    name: 'insert-lodged-declarations',
    text: `
      with lodged as materialized (
        select l.*, nextval(pg_get_serial_sequence('registration', 'id')) as registration
        from ${given.rows('l', declarations, {
          id: ['integer', ({ id }) => id],
          mrn: ['text', ({ mrn }) => mrn],
          kind: ['text', ({ kind }) => kind],
          submitter: ['integer', ({ submitter }) => submitter],
          representative: ['integer', ({ representative }) => representative],
          carrier: ['integer', ({ carrier }) => carrier],
          body: ['text', ({ body }) => body],
          organisation: ['integer', ({ context }) => context.actor?.organisationId],
          client: ['text', ({ context }) => context.actor?.client],
          request_id: ['uuid', ({ context }) => context.requestId],
        })}
      ),
      registered as (
        insert into registration (id, at, organisation_id, client_id, request_id) overriding system value
        select registration, ${given.add(at, 'timestamptz')}, organisation, client, request_id from lodged
      ),
      declared as (
        insert into declaration (id, mrn, kind, declarant, representative, carrier, version) overriding system value
        select id, mrn, kind, submitter, representative, carrier, registration from lodged
        where (select true from movement_relation r where r.mrn = lodged.mrn) is null
        on conflict (mrn) do nothing
        returning id
      ),
      text as (
        insert into movement_text (declaration_id, body) select id, body from lodged
      )
      select id, registration from lodged join declared using (id)`,
    values: given.values,
  };
}

/** A document or a receptacle that a message names, and where: positions are for each kind. */
export type ReferenceRow = {
  id: number;
  kind: 'MASTER_CONSIGNMENT' | 'HOUSE_CONSIGNMENT' | 'RECEPTACLE';
  position: number;
  reference: string;
  type: string | undefined;
};

/** Adds what messages name. */
export function insertReferences(references: readonly ReferenceRow[]): Statement {
  const given = new Parameters();
  return {
    name: 'insert-movement-references',
    text: `
      insert into movement_reference (declaration_id, kind, number, reference, reference_type)
      select id, kind, at, reference, type
      from ${given.rows('r', references, {
        id: ['integer', ({ id }) => id],
        kind: ['text', ({ kind }) => kind],
        at: ['integer', ({ position }) => position],
        reference: ['text', ({ reference }) => reference],
        type: ['text', ({ type }) => type],
      })}`,
    values: given.values,
  };
}

/** A status to append: the entry as JSON text. */
export type NewStatus = { owner: number; requestId: string; failed: boolean; entry: string };

/**
 * Appends statuses, and the audit record of the transaction.
 *
 * @param record its text without the two braces at its end
 */
export function appendStatuses(
  statuses: readonly NewStatus[],
  record: string,
): Statement<{ appended: string }> {
  const given = new Parameters();
  return {
    name: 'append-movement-statuses',
    text: `
      select appended from append_to_feeds(array(
        select new_movement_status(owner, id, failed, entry)
        from ${given.rows('s', statuses, {
          owner: ['integer', ({ owner }) => owner],
          id: ['uuid', ({ requestId }) => requestId],
          failed: ['boolean', ({ failed }) => failed],
          entry: ['text', ({ entry }) => entry],
        })}
        order by number
      ), ${AUDIT_LOCK}, ${given.add(record, 'text')})`,
    values: given.values,
  };
}
