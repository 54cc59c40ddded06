// Sessions in the database, which every server reads: none ends because a server restarts or another one responds.
import { createHash, createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { atMost } from '../bounded-cache.js';
import type { Database, Statement } from '../database/database.js';
import { HttpError } from '../http/problem.js';
import { RateLimit } from '../http/rate-limit.js';
import { SignInRefusedError } from './openid/sign-in-refusal.js';
import { openTokens, sealTokens } from './sealed-tokens.js';
import {
  beginConfirmation,
  type ConfirmationRow,
  deleteOldestSessions,
  deleteProviderSession,
  deleteSession,
  deleteSessionOf,
  deleteSessionsOfSubject,
  endConfirmation,
  insertLogout,
  insertSession,
  lockSession,
  reassignSession,
  type SessionRow,
  type StoredSession,
  selectCurrentSession,
  selectLogoutSince,
  selectSessionOf,
  selectSignInTime,
  storeConfirmation,
  useSession,
} from './session-queries.js';
import {
  type ProviderLogout,
  type RoleAssignment,
  type Session,
  type SessionLimits,
  type Sessions,
  type SignedIn,
  sessionLimits,
} from './sessions.js';
import { lockSignIns } from './sign-in-locks.js';
import { isSignedId, makeSignedId, nextSignedId } from './signed-ids.js';

/** Maximum number of sessions that are remembered as current, with their person, and of those that are remembered as ended. */
const MAX_REMEMBERED = 10_000;

/**
 * How long logouts of the provider are kept, in milliseconds: longer than a sign-in takes, which is 10 minutes in the browser,
 * and some seconds here.
 */
const KEEP_LOGOUTS_MS = 15 * 60_000;

/** How long a session that has ended is remembered, in milliseconds. */
const ENDED_MS = 60_000;

/**
 * How long a confirmation takes at most, in milliseconds: the provider is requested twice, for its metadata and for
 * tokens, with 5 s for each.
 */
const MAX_CONFIRMATION_MS = 15_000;

/** How often, and at most how many times, a chosen role waits for the end of a confirmation, in milliseconds. */
const [WAIT_MS, MAX_WAITS] = [100, (MAX_CONFIRMATION_MS + 5000) / 100];

/** A sign-out may be late by so many choices of a role. */
const MAX_LATER_IDS = 8;

/** A use is recorded once in this time, in milliseconds, so that not every request writes. */
const RECORD_MS = 60_000;

/**
 * Confirms at the provider what somebody may still act as, and returns it with new tokens. `undefined`: no longer what
 * they act as now. Throws if the provider cannot say; ends in bounded time.
 */
export type ConfirmRights = (signedIn: SignedIn) => Promise<SignedIn | undefined>;

/** The limits of sessions in the database. */
type DatabaseLimits = SessionLimits & {
  /** How long confirmed rights are used before the provider confirms them again, in milliseconds. */
  confirmMs: number;
  /** After a failure, the provider is not requested again for this session before that, in milliseconds. */
  retryMs: number;
  /** A session whose rights were not confirmed for so long is refused until they are, in milliseconds. */
  maxUnconfirmedMs: number;
  /** The maximum age of a session whose rights cannot be confirmed, in milliseconds. */
  maxUnconfirmableMs: number;
  /**
   * How long open streams use what was read of their session, in milliseconds. A session that ends on another server, or
   * by its age, ends here so much later at most.
   */
  currentMs: number;
  /**
   * Requests in a second on this server of one person, with all of their sessions: each costs a transaction, also where it
   * is refused. As long as this server does not know whose session it is, it counts alone.
   */
  requestsPerSecond: number;
};

export const databaseLimits: DatabaseLimits = {
  ...sessionLimits,
  confirmMs: 5 * 60_000,
  retryMs: 30_000,
  maxUnconfirmedMs: 15 * 60_000,
  maxUnconfirmableMs: 60 * 60_000,
  currentMs: 2000,
  // Loading a page takes some tens.
  requestsPerSecond: 100,
};

/** What sessions depend on. */
export type DatabaseSessionsOptions = {
  /** Signs the ids of sessions; the same on every server. */
  key: Buffer;
  /** Without it, rights are those of the sign-in until the session ends. */
  confirm?: ConfirmRights | undefined;
  limits?: Partial<DatabaseLimits>;
  /** Milliseconds since 1970. */
  now?: () => number;
};

/** Sessions of people. The database has the digest of a session's id alone: who reads it cannot act for anybody. */
export class DatabaseSessions implements Sessions {
  readonly #database: Database;
  readonly #key: Buffer;
  readonly #confirm: ConfirmRights | undefined;
  readonly #limits: DatabaseLimits;
  readonly #now: () => number;
  readonly #rate: RateLimit;
  /** The confirmations that this server makes now, by the id of the session. */
  readonly #confirming = new Map<string, Promise<void>>();
  /** What open streams know of their sessions, by the id. */
  readonly #current: LRUCache<string, Promise<ConfirmationRow | undefined>>;
  /** The person of each session, by its id. */
  readonly #people = new LRUCache<string, string>({ ...atMost(MAX_REMEMBERED) });
  /** Ids of sessions that have ended: an id is never used again. */
  readonly #ended = new LRUCache<string, true>({ ...atMost(MAX_REMEMBERED), ttl: ENDED_MS });

  constructor(
    database: Database,
    { key, confirm, limits, now = Date.now }: DatabaseSessionsOptions,
  ) {
    this.#database = database;
    this.#key = key;
    this.#confirm = confirm;
    this.#limits = { ...databaseLimits, ...limits };
    this.#now = now;
    this.#rate = new RateLimit(this.#limits.requestsPerSecond, 'person');
    this.#current = new LRUCache({
      ...atMost(MAX_REMEMBERED),
      ttl: this.#limits.currentMs,
      ttlResolution: 0,
    });
    database.replacements.onReplaced(() => {
      this.#current.clear();
      this.#ended.clear();
    });
  }

  async start(
    signedIn: SignedIn,
    record: readonly Statement[] = [],
    begunAt?: Date,
  ): Promise<Session> {
    const id = makeSignedId(this.#key);
    const stored = this.#storedSession(id, signedIn);
    await this.#database.transact(async (transaction) => {
      for (const statement of lockSignIns(signedIn)) await transaction.query(statement);
      if (begunAt !== undefined) {
        const [refusal] = await transaction.query(
          selectLogoutSince(signedIn, begunAt, KEEP_LOGOUTS_MS),
        );
        if (refusal?.isTooLate) throw new SignInRefusedError('expired');
        if (refusal !== undefined) throw new SignInRefusedError('signed-out');
      }
      for (const statement of [
        insertSession(signedIn, stored),
        deleteOldestSessions(signedIn.subject, this.#limits.maxSessionsOfSubject),
        ...record,
      ]) {
        await transaction.query(statement);
      }
    });
    // The oldest one of this person may have ended.
    this.#current.clear();
    return { id, csrfToken: csrfTokenOf(id), signedIn, endsAt: stored.endsAt.getTime() };
  }

  async signInTime(): Promise<Date> {
    const [row] = await this.#database.lookUps.query(selectSignInTime);
    if (row === undefined) throw new Error('the database did not say the time');
    return row.now;
  }

  /**
   * Throws HttpError 429 for a person over their limit, and 503 while rights that were not confirmed for too long cannot be
   * confirmed.
   */
  async use(id: string): Promise<Session | undefined> {
    if (!isSignedId(this.#key, id) || this.#ended.has(id)) return undefined;
    // In real time, as all limits of requests.
    this.#rate.count(this.#people.get(id) ?? id, Date.now());
    let row = await this.#read(id);
    if (row !== undefined) this.#people.set(id, row.subject);
    if (row !== undefined && this.#isDue(row)) {
      await this.#confirmOnce(id, sessionOf(id, row).signedIn);
      row = await this.#read(id);
    }
    if (row === undefined) {
      this.#ended.set(id, true);
      return undefined;
    }
    if (!this.#isConfirmed(row)) {
      throw unconfirmable();
    }
    return sessionOf(id, row);
  }

  async isCurrent({ id, signedIn }: Session): Promise<boolean> {
    const row = await this.#readCurrent(id);
    if (row === undefined) return false;
    // An open stream does not wait for the provider: the next call finds the result.
    if (this.#isDue(row)) this.#confirmOnce(id, signedIn).catch(() => undefined);
    return this.#isConfirmed(row);
  }

  async find(id: string): Promise<Session | undefined> {
    if (!isSignedId(this.#key, id)) return undefined;
    this.#rate.count(this.#people.get(id) ?? id, Date.now());
    const now = this.#now();
    const ids = this.#idsAfter(id);
    const [row] = await this.#database.query(
      selectSessionOf(ids.map(digestOf), new Date(now), this.#idleSince(now)),
    );
    const current = ids.find((one) => row?.digest.equals(digestOf(one)));
    if (row === undefined || current === undefined) return undefined;
    return { ...sessionOf(current, row), id, csrfToken: csrfTokenOf(id) };
  }

  async end(id: string): Promise<void> {
    if (!isSignedId(this.#key, id)) return;
    const ids = this.#idsAfter(id);
    await this.#database.query(deleteSessionOf(ids.map(digestOf)));
    for (const one of ids) this.#current.delete(one);
  }

  async reassign(
    session: Session,
    assignment: RoleAssignment,
    record: readonly Statement[],
  ): Promise<Session | undefined> {
    for (let waits = 0; waits < MAX_WAITS; waits++) {
      const reassigned = await this.#tryToReassign(session, assignment, record);
      if (reassigned !== 'confirming') return reassigned;
      await delay(WAIT_MS);
    }
    throw unconfirmable();
  }

  /** `confirming`: the provider may be replacing the tokens. */
  async #tryToReassign(
    session: Session,
    { organisation, role }: RoleAssignment,
    record: readonly Statement[],
  ): Promise<Session | 'confirming' | undefined> {
    const id = nextSignedId(this.#key, session.id);
    const digest = digestOf(session.id);
    const signedIn = await this.#database.transact(async (transaction) => {
      const now = new Date(this.#now());
      const [row] = await transaction.query(lockSession(digest, now));
      if (row?.isConfirming) return 'confirming';
      // What the provider has taken away meanwhile is no choice.
      const assignment = row?.assignments.find(
        (one) => one.organisation === organisation && one.role === role,
      );
      if (row === undefined || assignment === undefined) return undefined;
      const tokens =
        row.sealedTokens === null ? undefined : openTokens(session.id, row.sealedTokens);
      const after = { digest: digestOf(id), sealedTokens: tokens && sealTokens(id, tokens) };
      await transaction.query(reassignSession(digest, after, assignment, now));
      for (const statement of record) await transaction.query(statement);
      const { assignments } = row;
      return { ...session.signedIn, ...assignment, assignments, tokens };
    });
    if (signedIn === undefined || signedIn === 'confirming') return signedIn;
    this.#current.delete(session.id);
    return { ...session, id, csrfToken: csrfTokenOf(id), signedIn };
  }

  async endByProvider(logout: ProviderLogout): Promise<number | undefined> {
    const { subject, providerSession } = logout;
    const count = await this.#database.transact(async (transaction) => {
      for (const statement of lockSignIns(logout)) await transaction.query(statement);
      const isNew = (await transaction.query(insertLogout(logout, KEEP_LOGOUTS_MS))).length > 0;
      if (!isNew) return undefined;
      const ended = await transaction.query(
        providerSession === undefined
          ? deleteSessionsOfSubject(subject ?? '')
          : deleteProviderSession(providerSession, subject),
      );
      return ended.length;
    });
    this.#current.clear();
    return count;
  }

  /** Reads a session for its open streams, once in a while for all of them. */
  #readCurrent(id: string): Promise<ConfirmationRow | undefined> {
    const known = this.#current.get(id);
    if (known !== undefined) return known;
    const now = this.#now();
    const reading = this.#database.lookUps
      .query(selectCurrentSession(digestOf(id), new Date(now), this.#idleSince(now)))
      .then(([row]) => row);
    if (this.#limits.currentMs > 0) this.#current.set(id, reading);
    reading.catch(() => this.#current.delete(id));
    return reading;
  }

  async #read(id: string): Promise<SessionRow | undefined> {
    const now = this.#now();
    const [row] = await this.#database.query(
      useSession(digestOf(id), {
        now: new Date(now),
        idleSince: this.#idleSince(now),
        recordSince: new Date(now - Math.min(RECORD_MS, this.#limits.idleMs / 10)),
      }),
    );
    return row;
  }

  #isDue({ confirmAfter }: ConfirmationRow): boolean {
    return confirmAfter !== null && confirmAfter.getTime() <= this.#now();
  }

  #isConfirmed({ confirmedAt }: ConfirmationRow): boolean {
    return (
      confirmedAt === null || this.#now() - confirmedAt.getTime() < this.#limits.maxUnconfirmedMs
    );
  }

  /** Requests of a session at the same time wait for one confirmation. */
  #confirmOnce(id: string, signedIn: SignedIn): Promise<void> {
    const running = this.#confirming.get(id);
    if (running !== undefined) return running;
    const confirming = this.#confirmRights(id, signedIn).finally(() => {
      this.#confirming.delete(id);
      this.#current.delete(id);
    });
    this.#confirming.set(id, confirming);
    return confirming;
  }

  /** Stores what the provider confirms, or ends the session. If the provider cannot say, nothing changes. */
  async #confirmRights(id: string, signedIn: SignedIn): Promise<void> {
    const now = this.#now();
    const digest = digestOf(id);
    const [begun] = await this.#database.query(
      beginConfirmation(digest, {
        now: new Date(now),
        retryAt: new Date(now + this.#limits.retryMs),
        until: new Date(now + MAX_CONFIRMATION_MS),
      }),
    );
    // Another server confirms it.
    if (begun === undefined || begun.sealedTokens === null || this.#confirm === undefined) return;
    let confirmed: SignedIn | undefined;
    try {
      confirmed = await this.#confirm({ ...signedIn, tokens: openTokens(id, begun.sealedTokens) });
    } catch {
      // It is reported by whoever confirms.
      await this.#database.query(endConfirmation(digest));
      return;
    }
    await this.#database.query(
      confirmed === undefined
        ? deleteSession(digest)
        : storeConfirmation(confirmed, this.#storedSession(id, confirmed)),
    );
  }

  #storedSession(id: string, { tokens }: SignedIn): StoredSession {
    const now = this.#now();
    const { confirmMs, maxAgeMs, maxUnconfirmableMs } = this.#limits;
    const isConfirmable = this.#confirm === undefined || tokens?.refreshToken !== undefined;
    const age = isConfirmable ? maxAgeMs : maxUnconfirmableMs;
    return {
      digest: digestOf(id),
      sealedTokens: tokens && sealTokens(id, tokens),
      now: new Date(now),
      endsAt: new Date(now + age),
      confirmAfter:
        this.#confirm !== undefined && isConfirmable ? new Date(now + confirmMs) : undefined,
    };
  }

  /** This id, and those that the session may have been given after it. */
  #idsAfter(id: string): string[] {
    const ids = [id];
    for (let last = id; ids.length <= MAX_LATER_IDS; ids.push(last)) {
      last = nextSignedId(this.#key, last);
    }
    return ids;
  }

  #idleSince(now: number): Date {
    return new Date(now - this.#limits.idleMs);
  }
}

function sessionOf(id: string, row: SessionRow): Session {
  const { subject, name, organisation, scopes, assignments } = row;
  return {
    id,
    csrfToken: csrfTokenOf(id),
    signedIn: {
      kind: 'person',
      subject,
      name,
      organisation,
      role: row.role ?? undefined,
      scopes,
      assignments,
      providerSession: row.providerSession ?? undefined,
      tokens: row.sealedTokens === null ? undefined : openTokens(id, row.sealedTokens),
    },
    endsAt: row.endsAt.getTime(),
  };
}

function unconfirmable(): HttpError {
  return new HttpError(
    503,
    'The provider that signs people in cannot confirm what you may do. Try again in a moment.',
    { 'Retry-After': '5' },
  );
}

function digestOf(id: string): Buffer {
  return createHash('sha256').update(id).digest();
}

/** Follows from the id, so that it is not stored either. */
function csrfTokenOf(id: string): string {
  return createHmac('sha256', id).update('csrf').digest('base64url');
}
