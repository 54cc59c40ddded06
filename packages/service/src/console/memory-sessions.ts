// Sessions in the memory of a server, as a playground has them: it has one server, and signing in again takes one click.
import { LRUCache } from 'lru-cache';
import { atMost } from '../bounded-cache.js';
import {
  makeSecret,
  type Session,
  type SessionLimits,
  type Sessions,
  type SignedIn,
  sessionLimits,
} from './sessions.js';

/** The limits of sessions in memory. */
type MemoryLimits = SessionLimits & {
  /** Maximum number of sessions; the one that was used least recently ends. */
  maxSessions: number;
};

const memoryLimits: MemoryLimits = { ...sessionLimits, maxSessions: 10_000 };

/** Sessions that end with the process. */
export class MemorySessions implements Sessions {
  readonly #limits: MemoryLimits;
  readonly #now: () => number;
  readonly #sessions: LRUCache<string, Session>;
  /** The ids of the sessions of each subject, oldest first. */
  readonly #ofSubject = new Map<string, Set<string>>();

  constructor(limits: Partial<MemoryLimits> = {}, now: () => number = Date.now) {
    this.#limits = { ...memoryLimits, ...limits };
    this.#now = now;
    this.#sessions = new LRUCache({
      ...atMost(this.#limits.maxSessions),
      ttl: this.#limits.idleMs,
      updateAgeOnGet: true,
      ttlResolution: 0,
      perf: { now },
      dispose: (session) => this.#forget(session),
    });
  }

  /** Starts a session with an id that nobody had before. */
  start(signedIn: SignedIn): Session {
    const session: Session = {
      id: makeSecret(),
      csrfToken: makeSecret(),
      signedIn,
      endsAt: this.#now() + this.#limits.maxAgeMs,
    };
    const key = keyOf(signedIn);
    const ids = this.#ofSubject.get(key) ?? new Set();
    this.#ofSubject.set(key, ids);
    ids.add(session.id);
    this.#sessions.set(session.id, session);
    const [oldest] = ids;
    if (ids.size > this.#limits.maxSessionsOfSubject && oldest !== undefined) this.end(oldest);
    return session;
  }

  /** The session of a cookie, which counts as a use of it; `undefined` if there is none or it has ended. */
  use(id: string): Session | undefined {
    const session = this.#sessions.get(id);
    if (session === undefined || session.endsAt > this.#now()) return session;
    this.end(id);
    return undefined;
  }

  /** Whether the session has not ended; not a use of it. */
  isCurrent({ id, endsAt }: Session): boolean {
    return endsAt > this.#now() && this.#sessions.has(id);
  }

  find(id: string): Session | undefined {
    return this.use(id);
  }

  end(id: string): void {
    this.#sessions.delete(id);
  }

  #forget({ id, signedIn }: Session): void {
    const key = keyOf(signedIn);
    const ids = this.#ofSubject.get(key);
    ids?.delete(id);
    if (ids?.size === 0) this.#ofSubject.delete(key);
  }
}

/** No identifier contains a line break, so no two subjects have the same key. */
function keyOf({ organisation, subject }: SignedIn): string {
  return `${organisation}\n${subject}`;
}
