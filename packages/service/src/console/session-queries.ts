// SQL of the sessions of the console.
import type { ScopeName } from '@landfall/contract';
import type { Statement } from '../database/database.js';
import { SIGN_IN_LOCK } from '../database/locks.js';
import type { ProviderLogout, RoleAssignment, SignedIn } from './sessions.js';

/** A session as it is stored. */
export type SessionRow = {
  subject: string;
  name: string;
  organisation: string;
  role: string | null;
  scopes: ScopeName[];
  assignments: RoleAssignment[];
  providerSession: string | null;
  sealedTokens: Buffer | null;
  endsAt: Date;
} & ConfirmationRow;

/** When the rights of a session were confirmed; `null` if they cannot be. */
export type ConfirmationRow = {
  confirmedAt: Date | null;
  /** When they are to be confirmed next. */
  confirmAfter: Date | null;
};

/**
 * Reads a session that has not ended, and records its use.
 *
 * @param times `idleSince`: one that was not used after it has ended; `recordSince`: a use after it is recent enough
 */
export function useSession(
  digest: Buffer,
  { now, idleSince, recordSince }: { now: Date; idleSince: Date; recordSince: Date },
): Statement<SessionRow> {
  return {
    name: 'use-console-session',
    text: `
      with used as (
        update console_session set used_at = $2
        where digest = $1 and ends_at > $2 and used_at > $3 and used_at <= $4
      )
      select subject, name, organisation, role, scopes, assignments, provider_session as "providerSession",
        sealed_tokens as "sealedTokens", ends_at as "endsAt", confirmed_at as "confirmedAt",
        confirm_after as "confirmAfter"
      from console_session
      where digest = $1 and ends_at > $2 and used_at > $3`,
    values: [digest, now, idleSince, recordSince],
  };
}

/** Reads the session that has one of these ids and has not ended. */
export function selectSessionOf(
  digests: readonly Buffer[],
  now: Date,
  idleSince: Date,
): Statement<SessionRow & { digest: Buffer }> {
  return {
    name: 'select-console-session-of',
    text: `
      select digest, subject, name, organisation, role, scopes, assignments, provider_session as "providerSession",
        sealed_tokens as "sealedTokens", ends_at as "endsAt", confirmed_at as "confirmedAt",
        confirm_after as "confirmAfter"
      from console_session
      where digest = any($1::bytea[]) and ends_at > $2 and used_at > $3`,
    values: [digests, now, idleSince],
  };
}

/** Returns a row, with when its rights were confirmed, if the session has not ended. */
export function selectCurrentSession(
  digest: Buffer,
  now: Date,
  idleSince: Date,
): Statement<ConfirmationRow> {
  return {
    name: 'select-current-console-session',
    text: `
      select confirmed_at as "confirmedAt", confirm_after as "confirmAfter" from console_session
      where digest = $1 and ends_at > $2 and used_at > $3`,
    values: [digest, now, idleSince],
  };
}

/** What a stored session has beside its person. */
export type StoredSession = {
  digest: Buffer;
  sealedTokens: Buffer | undefined;
  now: Date;
  endsAt: Date;
  /** `undefined` if the rights cannot be confirmed. */
  confirmAfter: Date | undefined;
};

export function insertSession(
  { subject, name, organisation, role, scopes, assignments, providerSession }: SignedIn,
  { digest, sealedTokens, now, endsAt, confirmAfter }: StoredSession,
): Statement {
  return {
    name: 'insert-console-session',
    text: `
      insert into console_session (
        digest, subject, name, organisation, role, scopes, assignments, provider_session, sealed_tokens,
        started_at, used_at, ends_at, confirmed_at, confirm_after
      ) values (
        $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11, case when $12::timestamptz is not null then $10::timestamptz end, $12
      )`,
    values: [
      digest,
      subject,
      name,
      organisation,
      role ?? null,
      scopes,
      JSON.stringify(assignments),
      providerSession ?? null,
      sealedTokens ?? null,
      now,
      endsAt,
      confirmAfter ?? null,
    ],
  };
}

/** What decides whether somebody may choose another assignment. */
export type ReassignableRow = {
  sealedTokens: Buffer | null;
  assignments: RoleAssignment[];
  /** Whether a server confirms its rights now. */
  isConfirming: boolean;
};

/** Locks a session that has not ended, until the end of the transaction. */
export function lockSession(digest: Buffer, now: Date): Statement<ReassignableRow> {
  return {
    name: 'lock-console-session',
    text: `
      select sealed_tokens as "sealedTokens", assignments, coalesce(confirming_until > $2, false) as "isConfirming"
      from console_session where digest = $1 and ends_at > $2
      for update`,
    values: [digest, now],
  };
}

/** Gives a session another id and another assignment. */
export function reassignSession(
  before: Buffer,
  after: { digest: Buffer; sealedTokens: Buffer | undefined },
  { organisation, role, scopes }: RoleAssignment,
  now: Date,
): Statement {
  return {
    name: 'reassign-console-session',
    text: `
      update console_session
      set digest = $2, sealed_tokens = $3, organisation = $4, role = $5, scopes = $6, used_at = $7
      where digest = $1`,
    values: [
      before,
      after.digest,
      after.sealedTokens ?? null,
      organisation,
      role ?? null,
      scopes,
      now,
    ],
  };
}

/**
 * Reserves the confirmation of a session's rights, which one server makes at a time, and returns the tokens for it.
 *
 * @param times `retryAt`: when it may be tried again if nothing is stored of this attempt; `until`: when the attempt is
 *   over in any case
 */
export function beginConfirmation(
  digest: Buffer,
  { now, retryAt, until }: { now: Date; retryAt: Date; until: Date },
): Statement<Pick<SessionRow, 'sealedTokens'>> {
  return {
    name: 'begin-console-confirmation',
    text: `
      update console_session set confirm_after = $3, confirming_until = $4
      where digest = $1 and confirm_after <= $2
      returning sealed_tokens as "sealedTokens"`,
    values: [digest, now, retryAt, until],
  };
}

/** Ends the attempt of a confirmation of which nothing is stored. */
export function endConfirmation(digest: Buffer): Statement {
  return {
    name: 'end-console-confirmation',
    text: 'update console_session set confirming_until = null where digest = $1',
    values: [digest],
  };
}

/** Stores what the provider has confirmed. Without `confirmAfter` it cannot be confirmed again. */
export function storeConfirmation(
  { scopes, assignments }: SignedIn,
  { digest, sealedTokens, now, endsAt, confirmAfter }: StoredSession,
): Statement {
  return {
    name: 'store-console-confirmation',
    text: `
      update console_session
      set scopes = $2, assignments = $3, sealed_tokens = $4, ends_at = least(ends_at, $6),
        confirmed_at = case when $7::timestamptz is not null then $5::timestamptz end, confirm_after = $7,
        confirming_until = null
      where digest = $1`,
    values: [
      digest,
      scopes,
      JSON.stringify(assignments),
      sealedTokens ?? null,
      now,
      endsAt,
      confirmAfter ?? null,
    ],
  };
}

export function deleteSession(digest: Buffer): Statement {
  return {
    name: 'delete-console-session',
    text: 'delete from console_session where digest = $1',
    values: [digest],
  };
}

export const deleteAllSessions: Statement = {
  name: 'delete-all-console-sessions',
  text: 'delete from console_session',
  values: [],
};

/** Deletes the session that has one of these ids, also if it is being given another one of them. */
export function deleteSessionOf(digests: readonly Buffer[]): Statement {
  return {
    name: 'delete-console-session-of',
    text: 'delete from console_session where digest = any($1::bytea[])',
    values: [digests],
  };
}

/** Deletes at most so many sessions that have ended, and returns a row for each. */
export function deleteEndedSessions(now: Date, idleSince: Date, limit: number): Statement {
  return {
    name: 'delete-ended-console-sessions',
    text: `
      delete from console_session where digest in (
        select digest from console_session where ends_at <= $1 or used_at <= $2 limit $3 for update skip locked
      )
      returning digest`,
    values: [now, idleSince, limit],
  };
}

/** Deletes the oldest sessions of a person, so that so many are left. */
export function deleteOldestSessions(subject: string, left: number): Statement {
  return {
    name: 'delete-oldest-console-sessions',
    text: `
      with oldest as (
        select digest from console_session where subject = $1 order by started_at desc, digest offset $2
      ),
      locked as materialized (
        select digest from console_session where digest in (select digest from oldest) order by digest for update
      )
      delete from console_session where digest in (select digest from locked)`,
    values: [subject, left],
  };
}

/** Takes one of the locks under which sign-ins and logouts take turns, until the end of the transaction. */
export function lockSignIn(number: number): Statement {
  return {
    name: 'lock-console-sign-in',
    text: `select pg_advisory_xact_lock(${SIGN_IN_LOCK}, $1::integer)`,
    values: [number],
  };
}

/** Reads the database's clock, in whole milliseconds as logouts are recorded. */
export const selectSignInTime: Statement<{ now: Date }> = {
  name: 'select-console-sign-in-time',
  text: "select date_trunc('milliseconds', clock_timestamp()) as now",
  values: [],
};

/**
 * Records that a logout token was received, now by the database's clock; returns a row unless it was before.
 *
 * @param keepMs how long it is kept at least, in milliseconds
 */
export function insertLogout(
  { tokenId, endsAt, subject, providerSession }: ProviderLogout,
  keepMs: number,
): Statement {
  return {
    name: 'insert-console-logout',
    text: `
      insert into console_logout (token_id, ends_at, subject, provider_session, received_at)
      select $1, greatest($2::timestamptz, now + $5::integer * interval '1 ms'), $3, $4, now
      from (select date_trunc('milliseconds', clock_timestamp()) as now) clock
      on conflict do nothing
      returning token_id`,
    values: [tokenId, endsAt, subject ?? null, providerSession ?? null, keepMs],
  };
}

/**
 * What prevents a session that a sign-in is about to start; no row if nothing does. The same logouts concern it as would end
 * it (`deleteProviderSession`, `deleteSessionsOfSubject`).
 *
 * @param begunAt when the sign-in began, by the database's clock
 * @param keepMs how long logouts are kept at least, in milliseconds
 * @returns `isTooLate` if logouts that were received since then may have been deleted
 */
export function selectLogoutSince(
  { subject, providerSession }: Pick<SignedIn, 'subject' | 'providerSession'>,
  begunAt: Date,
  keepMs: number,
): Statement<{ isTooLate: boolean }> {
  return {
    name: 'select-console-logout-since',
    text: `
      select is_too_late as "isTooLate"
      from (select clock_timestamp() - $4::integer * interval '1 ms' >= $3::timestamptz as is_too_late) clock
      where is_too_late or exists (
        select from console_logout
        where received_at > $3 and case
          when provider_session is null then subject = $1
          else provider_session = $2 and (subject is null or subject = $1)
        end
      )`,
    values: [subject, providerSession ?? null, begunAt, keepMs],
  };
}

/**
 * Deletes at most so many logout tokens that are no longer accepted in any case and concern no sign-in any more, and returns
 * a row for each.
 */
export function deleteEndedLogouts(now: Date, limit: number): Statement {
  return {
    name: 'delete-ended-console-logouts',
    text: `
      delete from console_logout where token_id in (
        select token_id from console_logout where ends_at <= $1 limit $2 for update skip locked
      )
      returning token_id`,
    values: [now, limit],
  };
}

/**
 * Deletes all sessions of a person, and returns a row for each. Whatever deletes several locks them in one order, so that two
 * do not wait for each other: logouts of a person and of a session of the provider may concern the same ones.
 */
export function deleteSessionsOfSubject(subject: string): Statement {
  return {
    name: 'delete-console-sessions-of-subject',
    text: `
      with locked as materialized (
        select digest from console_session where subject = $1 order by digest for update
      )
      delete from console_session where digest in (select digest from locked) returning digest`,
    values: [subject],
  };
}

/** Deletes the sessions that began in one session of the provider, if they are of this person; returns a row for each. */
export function deleteProviderSession(
  providerSession: string,
  subject: string | undefined,
): Statement {
  return {
    name: 'delete-console-sessions-of-provider-session',
    text: `
      with locked as materialized (
        select digest from console_session where provider_session = $1 and ($2::text is null or subject = $2)
        order by digest for update
      )
      delete from console_session where digest in (select digest from locked) returning digest`,
    values: [providerSession, subject ?? null],
  };
}
