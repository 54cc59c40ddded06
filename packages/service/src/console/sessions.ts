// The sessions of the console: who signed in, and until when.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { ScopeName } from '@landfall/contract';
import type { Statement } from '../database/database.js';

/** What somebody may act as: in a role, for an organisation. */
export type RoleAssignment = {
  /** The organisation as tokens name it, such as `0192:974760673`. */
  organisation: string;
  /** The name that the operator gave the role; `undefined` for an identity of the playground. */
  role?: string | undefined;
  /** The most that the role gives; of these, what is granted to the organisation at each request. */
  scopes: readonly ScopeName[];
};

/** What the provider sent of somebody who signed in there. */
export type ProviderTokens = {
  /** By it the provider identifies who signs out. */
  idToken: string;
  /** Confirms later what the person may do; `undefined` if the provider gives none. */
  refreshToken: string | undefined;
};

/** Somebody who signed in, and what they act as. A sign-in makes a session from it. */
export type SignedIn = RoleAssignment & {
  /** An identity of the playground, or a person. */
  kind: 'identity' | 'person';
  /** The identity's client or the person's pseudonymous subject: the audit trail names it as the client. */
  subject: string;
  /** What the console shows. */
  name: string;
  /** Everything that a person may act as, the narrowest first. */
  assignments: readonly RoleAssignment[];
  /** The provider's name of its own session with the person (`sid`), which a back-channel logout has. */
  providerSession?: string | undefined;
  tokens?: ProviderTokens | undefined;
};

/** A session. Times are in milliseconds since 1970. */
export type Session = {
  /** Known to the browser's cookie alone. */
  id: string;
  /** Pages send it with everything that changes data; pages of other sites cannot read it. */
  csrfToken: string;
  signedIn: SignedIn;
  endsAt: number;
};

/** The limits of sessions. */
export type SessionLimits = {
  /** A session without a request for so long ends, in milliseconds. */
  idleMs: number;
  /** A session ends after so long in any case, in milliseconds. */
  maxAgeMs: number;
  /** Maximum number of sessions of one subject; the oldest ends. */
  maxSessionsOfSubject: number;
};

export const sessionLimits: SessionLimits = {
  idleMs: 60 * 60_000,
  maxAgeMs: 12 * 60 * 60_000,
  maxSessionsOfSubject: 10,
};

/**
 * The sessions, in the memory of a server or in the database. Those in the database throw DatabaseUnavailableError while
 * it does not respond.
 */
export type Sessions = {
  /**
   * Starts a session with an id that nobody had before. Sessions in the database throw SignInRefusedError `signed-out` if
   * the provider has reported a logout since the sign-in began that concerns it, and `expired` if it began too long ago.
   *
   * @param record is committed together with it, where sessions are in the database
   * @param begunAt when the sign-in at the provider began, by `signInTime`; without it, no logout concerns it
   */
  start(
    signedIn: SignedIn,
    record?: readonly Statement[],
    begunAt?: Date,
  ): Session | Promise<Session>;
  /** The time, by the clock by which logouts are received: it is read before the browser is sent to the provider. */
  signInTime?(): Promise<Date>;
  /** The session of a cookie, which counts as a use of it; `undefined` if there is none or it has ended. */
  use(id: string): Session | undefined | Promise<Session | undefined>;
  /** Whether the session has not ended; not a use of it. */
  isCurrent(session: Session): boolean | Promise<boolean>;
  /**
   * The session that has this id, or had it before the person chose something else to act as: the browser may have sent its
   * cookie before it received the next one. Not a use of it, and its rights may be outdated: it is there to be ended.
   */
  find(id: string): Session | undefined | Promise<Session | undefined>;
  /** Ends the session that has this id, or had it before, if there is one. */
  end(id: string): unknown;
  /**
   * Lets a person act as something else, in a session with another id, which ends when the one before would have ended.
   * `undefined` if that has ended meanwhile. Identities of a playground cannot.
   */
  reassign?(
    session: Session,
    assignment: RoleAssignment,
    record: readonly Statement[],
  ): Promise<Session | undefined>;
  /**
   * Ends the sessions that the provider has ended, on every server.
   *
   * @returns how many; `undefined` if the same logout was received before, which then has no effect
   */
  endByProvider?(logout: ProviderLogout): Promise<number | undefined>;
};

/** A logout that the provider reports: of a person, of one session at the provider, or of both. */
export type ProviderLogout = {
  /** Identifies the report. */
  tokenId: string;
  /** From then on the report is refused because it is too old. */
  endsAt: Date;
  subject: string | undefined;
  providerSession: string | undefined;
};

/** Whether a text from a request is the secret; takes as long whatever the text is. */
export function isSecret(given: unknown, secret: string): boolean {
  if (typeof given !== 'string') return false;
  const [one, other] = [Buffer.from(given), Buffer.from(secret)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** 256 random bits. */
export function makeSecret(): string {
  return randomBytes(32).toString('base64url');
}
