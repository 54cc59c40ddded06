// The sessions that are open with one database: those whose connection was lost silently are found and closed.
import { UnusableSessionError } from './errors.js';
import type { SessionKind } from './session.js';

/** How often they are checked, in milliseconds. */
const CHECK_INTERVAL_MS = 500;

/** How long a session is silent before the server is queried whether it still works for it, in milliseconds. */
const SUSPICIOUS_MS = 1500;

/** How long it may stay silent while the server cannot be queried at all, in milliseconds. */
const UNREACHABLE_MS = 8000;

/** How long a session that only listens, or holds a lock, may be idle before it is pinged, in milliseconds. */
const PING_AFTER_MS = 10_000;

/** The state of a session that is monitored. */
export type WatchedSession = {
  readonly kind: SessionKind;
  /** The address of the server; `undefined` for the embedded database. */
  readonly server: string | undefined;
  /** Identifies the timeline of the primary that it was opened with; `undefined` with a standby. */
  readonly history: string | undefined;
  /** The server's process. */
  readonly backend: number | undefined;
  /** For how long nothing was received while statements are pending, in milliseconds. */
  silence(now: number): number;
  /** Whether it has been silent for longer than any statement may take there. */
  isOverdue(now: number): boolean;
  /** For how long nothing was sent and nothing received, in milliseconds. */
  idleness(now: number): number;
  /** Sends a statement, so that a dead connection is detected. */
  ping(): void;
  /** Closes the socket at once. */
  destroy(reason?: string): void;
};

/** Queries which of these server processes are working, or have just responded; returns their ids. */
export type FindWorking = (backends: readonly number[]) => Promise<readonly number[]>;

/**
 * A statement that takes long and a connection that a firewall or proxy has dropped look the same from here: nothing
 * is received. So the server is queried about silent sessions, over another session. Where it cannot be reached, a
 * session is closed after some seconds of silence, and in every case when a statement exceeds its time limit.
 */
export class OpenSessions {
  /** Each with the time at which the server last confirmed that it works for it, by `performance.now()`. */
  readonly #sessions = new Map<WatchedSession, number>();
  readonly #findWorking: FindWorking;
  readonly #onOverdue: () => void;
  readonly #onOtherHistory: () => void;
  readonly #onOtherData: () => void;
  #history: string | undefined;
  #data: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> | undefined;
  /** How many sessions were given up, for the metrics. */
  givenUp = 0;
  /** How often the database was replaced by another one. */
  replacements = 0;

  /**
   * @param findWorking is not called while a call of it is under way
   * @param onOverdue is called when a session was given up whose server process may still be working. That process is
   * not ended: it may be committing, and wait for a standby
   * @param onOtherHistory is called when a session was opened with a primary that has another history than the last one
   * @param onOtherData is called when the database is another one, such as one that was restored from a backup
   */
  constructor(
    findWorking: FindWorking,
    {
      onOverdue = () => undefined,
      onOtherHistory = () => undefined,
      onOtherData = () => undefined,
    }: { onOverdue?: () => void; onOtherHistory?: () => void; onOtherData?: () => void } = {},
  ) {
    this.#findWorking = findWorking;
    this.#onOverdue = onOverdue;
    this.#onOtherHistory = onOtherHistory;
    this.#onOtherData = onOtherData;
  }

  add(session: WatchedSession): void {
    this.#sessions.set(session, 0);
    this.#timer ??= setInterval(() => {
      // After the sockets were read: this thread may have been busy while responses arrived.
      // What fails here is seen by readiness, which checks too, and found again at the next interval.
      setImmediate(() => void this.check().catch(() => undefined));
    }, CHECK_INTERVAL_MS).unref();
  }

  delete(session: WatchedSession): void {
    this.#sessions.delete(session);
    if (this.#sessions.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /**
   * Closes those whose connection is dead.
   *
   * @throws DatabaseUnavailableError when sessions are silent and the server does not respond over another one either
   */
  check(): Promise<void> {
    const now = performance.now();
    for (const session of this.#sessions.keys()) {
      if (session.isOverdue(now)) {
        this.#onOverdue();
        this.#giveUp(session, 'the database did not respond in time');
      } else if (session.kind === 'service' && session.idleness(now) > PING_AFTER_MS)
        session.ping();
    }
    this.#checking ??= this.#checkSilent(now).finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  /** Whether another open session has the same server process: a connection pooler shares it. */
  sharesBackend(session: WatchedSession): boolean {
    return [...this.#sessions.keys()].some(
      (other) =>
        other !== session &&
        other.server === session.server &&
        other.backend !== undefined &&
        other.backend === session.backend,
    );
  }

  /**
   * Takes note of the history that a session was opened with. Sessions with another one are closed, wherever they are:
   * what they read is not what the primary has.
   */
  noteHistory(history: string): void {
    const before = this.#history;
    this.#history = history;
    if (before === undefined || before === history) return;
    for (const session of this.#sessions.keys()) {
      if (session.history !== undefined && session.history !== history) {
        session.destroy('another server became the primary');
      }
    }
    this.#onOtherHistory();
  }

  /** Takes note of the data that a session was opened with. Once it is another one, no earlier session is used again. */
  noteData(data: string): void {
    const before = this.#data;
    this.#data = data;
    if (before === undefined || before === data) return;
    this.replacements++;
    for (const session of this.#sessions.keys()) session.destroy('the database was replaced');
    this.#onOtherData();
  }

  /** Closes every session with a server at once; what is pending on them fails as unavailable. */
  leave(server: string | undefined, reason: string): void {
    for (const session of this.#sessions.keys()) {
      if (session.server === server) session.destroy(reason);
    }
  }

  /** Closes every session with another server than this one. */
  keepOnly(server: string, reason: string): void {
    for (const session of this.#sessions.keys()) {
      if (session.server !== server) session.destroy(reason);
    }
  }

  /** Closes every socket that is still open after the time limit for closing. */
  destroyAll(): void {
    for (const session of this.#sessions.keys()) session.destroy();
  }

  async #checkSilent(now: number): Promise<void> {
    const silent = [...this.#sessions.keys()].filter(
      (session) => session.kind !== 'service' && session.silence(now) > SUSPICIOUS_MS,
    );
    const backends = silent.flatMap(({ backend }) => backend ?? []);
    if (backends.length === 0) return;
    const working = new Set(await this.#findWorkingAmong(silent, backends));
    for (const session of silent) {
      const { backend } = session;
      // Only those that are still silent: a response may have come since.
      const stillSilent = session.silence(performance.now()) > SUSPICIOUS_MS;
      if (backend === undefined || !stillSilent) continue;
      if (working.has(backend)) this.#sessions.set(session, now);
      else this.#giveUp(session, 'the connection to the database was lost');
    }
  }

  async #findWorkingAmong(silent: readonly WatchedSession[], backends: readonly number[]) {
    try {
      return await this.#findWorking(backends);
    } catch (error) {
      // A server that refuses one more session is alive; one that does not respond at all is gone for every session.
      if (error instanceof UnusableSessionError) {
        const now = performance.now();
        for (const session of silent) {
          const confirmed = now - (this.#sessions.get(session) ?? 0);
          if (Math.min(session.silence(now), confirmed) > UNREACHABLE_MS) {
            this.#onOverdue();
            this.#giveUp(session, 'the database cannot be reached');
          }
        }
      }
      throw error;
    }
  }

  #giveUp(session: WatchedSession, reason: string): void {
    this.givenUp++;
    session.destroy(reason);
  }
}
