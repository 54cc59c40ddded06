// Movement messages and statuses of requests about them, inserted as lodging would leave them, for tests of reading.
import { randomUUID } from 'node:crypto';
import type { MovementStatus } from '@landfall/contract';
import type { Database, Queryable } from '../database/database.js';
import { AUDIT_LOCK, FEED_LOCK } from '../database/locks.js';

/** One message; what is absent is null, or that of a house consignment by road. */
export type MovementRow = {
  mrn: string;
  submitter: number;
  representative?: number;
  level?: 'TRANSPORT' | 'MASTER_CONSIGNMENT' | 'HOUSE_CONSIGNMENT';
  mode?: 'road' | 'air' | 'rail' | 'maritime';
  state?: 'CANCELLED';
  documentNumber?: string;
  documentType?: string;
  carrier?: string;
  means?: string;
  estimatedAt?: string;
  office?: string;
  arrivedAt?: string;
  arrivalOffice?: string;
  listed?: object;
  reasons?: string[];
  message?: object;
};

/** Inserts messages in this order, each a second after the one before. */
export async function insertMovements(
  database: Queryable,
  rows: readonly MovementRow[],
): Promise<void> {
  await database.query({
    name: '',
    text: `
      with given as materialized (
        select row.*, ordinality as number, '2026-01-01T12:00:00.000Z'::timestamptz + ordinality * interval '1 second' as at
        from unnest($1::text[]) with ordinality as sent (text, ordinality)
        cross join lateral jsonb_to_record(text::jsonb) as row (mrn text, submitter integer, representative integer,
          level text, mode text, state text, "documentNumber" text, "documentType" text, carrier text, means text,
          "estimatedAt" timestamptz, office text, "arrivedAt" timestamptz, "arrivalOffice" text,
          listed jsonb, reasons text[], message jsonb)
      ),
      inserted as (
        insert into declaration (mrn, declarant, representative, kind)
          select mrn, submitter, representative, 'HOUSE' from given order by number returning id, mrn
      ),
      message as (
        insert into movement (declaration_id, level, mode, submitter, representative, key, state, request_id, lodged_at,
          ended_at, document_number, document_type, carrier, means, estimated_at, office, arrived_at, arrival_office,
          listed, reasons)
        select id, coalesce(level, 'HOUSE_CONSIGNMENT'), coalesce(mode, 'road'), submitter, representative, mrn, state,
          gen_random_uuid(), at, case when state is not null then at end, "documentNumber", "documentType", carrier, means,
          "estimatedAt", office, "arrivedAt", "arrivalOffice", coalesce(listed, '{}')::text, coalesce(reasons, '{}')
        from given join inserted using (mrn)
      )
      insert into movement_text (declaration_id, body)
        select id, coalesce(message, '{}')::text from given join inserted using (mrn)`,
    values: [rows.map((row) => JSON.stringify(row))],
  });
}

/** The status of a request about a house consignment by road, with members in the order in which they are stored. */
export function makeMovementStatus(given: Partial<MovementStatus> = {}): MovementStatus {
  const { mrn, requestId = randomUUID(), status = 'SUCCESS', ...rest } = given;
  return {
    requestId,
    status,
    notificationDate: new Date().toISOString(),
    ...(mrn !== undefined && { mrn }),
    mode: 'road',
    level: 'HOUSE_CONSIGNMENT',
    operation: 'LODGE',
    ...rest,
  };
}

/** Appends statuses to the feed of an organisation, with a record in the audit trail. */
export async function appendMovementStatuses(
  database: Database,
  owner: number,
  statuses: readonly MovementStatus[],
): Promise<void> {
  await database.transact(async (transaction) => {
    await transaction.query({
      name: '',
      text: `select pg_advisory_xact_lock(${FEED_LOCK}, $1)`,
      values: [owner],
    });
    await transaction.query({
      name: '',
      text: `
        select append_to_feeds(array_agg(new_movement_status($1, (text::json ->> 'requestId')::uuid,
          text::json ->> 'status' = 'FAILURE', text) order by number), ${AUDIT_LOCK},
          '{"at":"' || api_time(clock_timestamp()) || '","action":"test.movements","details":{"organisation":' || $1)
        from unnest($2::text[]) with ordinality as entry (text, number)`,
      values: [owner, statuses.map((status) => JSON.stringify(status))],
    });
  });
}
