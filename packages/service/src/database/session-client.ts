// One session with the database, by the driver: it cannot end the process, and its silence is noticed.
import type { Duplex } from 'node:stream';
import pg from 'pg';
import type { Statement } from './database.js';
import {
  DatabaseUnavailableError,
  translateDatabaseError,
  translateEmbeddedError,
  UnusableSessionError,
} from './errors.js';
import type { OpenSessions, WatchedSession } from './open-sessions.js';
import { answerTimeout, type SessionKind } from './session.js';
import { shortName } from './statement-name.js';

/** Gives bigint as number: positions and counts stay far below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format),
};

/** How a session is opened. */
export type SessionConfig = pg.ClientConfig & {
  kind: SessionKind;
  /** The sessions that are watched together. */
  sessions: OpenSessions;
};

/** What a session is asked when it opens, and when readiness is asked for. */
const VERIFY: Statement = {
  name: 'verify-session',
  text: `
    select pg_backend_pid() as pid,
      pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "readOnly"`,
  values: [],
};

/** A session of the driver. Statements go through `ask`, which knows what is unanswered and since when. */
export class SessionClient extends pg.Client implements WatchedSession {
  readonly kind: SessionKind;
  /** The server's process, which a connection pooler in between would not tell in the driver's `processID`. */
  backend: number | undefined;
  /** Statements that are sent and not answered. */
  #unanswered = 0;
  /** When something came last, or the first unanswered statement was sent after it: by `performance.now()`. */
  #lastProgress = performance.now();

  constructor({ kind, sessions, ...config }: SessionConfig) {
    super({ ...config, types });
    this.kind = kind;
    // With TLS the driver replaces the stream, and reads from the one that it has then.
    this.connection.once(this.ssl ? 'sslconnect' : 'connect', () =>
      contain(this.connection.stream, () => {
        this.#lastProgress = performance.now();
      }),
    );
    // Whoever uses the session learns of a failure by its statements, and by 'end'.
    this.on('error', () => undefined);
    this.once('connect', () => sessions.add(this));
    this.once('end', () => sessions.delete(this));
  }

  /**
   * Opens the session.
   *
   * @throws UnusableSessionError when the database cannot be reached, or takes no writes
   */
  async open(): Promise<void> {
    try {
      await this.connect();
    } catch (error) {
      // The driver leaves a socket behind whose session was refused after it was accepted.
      this.destroy();
      throw translateDatabaseError(error);
    }
    await this.verify();
  }

  /**
   * Learns which process the server has for the session, and that it takes writes; closes it where it does not.
   *
   * @throws UnusableSessionError for a standby, or a database that was set to be read-only
   */
  async verify(): Promise<void> {
    const [row] = await this.ask<{ pid: number; readOnly: boolean }>(VERIFY);
    this.backend = row?.pid;
    if (!row?.readOnly || this.kind === 'maintenance') return;
    this.destroy();
    throw new UnusableSessionError(
      'the database takes no writes: it is a standby, or set read-only',
    );
  }

  /** Sends one statement, or a script without values, and gives its rows. */
  async ask<Result extends object>(statement: Statement | string): Promise<Result[]> {
    if (this.#unanswered++ === 0) this.#lastProgress = performance.now();
    try {
      return (await this.query<Result>(asQuery(statement))).rows;
    } catch (error) {
      throw this.kind === 'embedded'
        ? translateEmbeddedError(error)
        : translateDatabaseError(error);
    } finally {
      this.#unanswered--;
    }
  }

  silence(now: number): number {
    // What is still being written has not been received, so there can be no answer yet.
    const waits = this.#unanswered > 0 && this.connection.stream.writableLength === 0;
    return waits ? now - this.#lastProgress : 0;
  }

  idleness(now: number): number {
    return this.#unanswered > 0 ? 0 : now - this.#lastProgress;
  }

  ping(): void {
    // A failure ends the session, which is how its owner learns of it.
    this.ask('select 1').catch(() => undefined);
  }

  isOverdue(now: number): boolean {
    return this.#unanswered > 0 && now - this.#lastProgress > answerTimeout(this.kind);
  }

  /** What is unanswered fails, and the server rolls back when it notices. */
  destroy(reason = 'the session was closed'): void {
    this.connection.stream.destroy(new DatabaseUnavailableError(reason));
  }
}

/**
 * Ends the session when the driver fails on what it reads, such as a text longer than V8 allows: the error would
 * otherwise leave the socket's event handler, and end the process.
 */
function contain(stream: Duplex, noteProgress: () => void): void {
  for (const listener of stream.listeners('data')) {
    // The cast is true because a listener of 'data' takes a chunk.
    const parse = listener as (chunk: Buffer) => void;
    stream.off('data', parse);
    stream.on('data', (chunk: Buffer) => {
      noteProgress();
      try {
        parse.call(stream, chunk);
      } catch (error) {
        stream.destroy(
          new Error('the driver cannot read what the database sent', { cause: error }),
        );
      }
    });
  }
}

/** The driver takes the values as they are; it does not change them, though its type says that it might. */
function asQuery(statement: Statement | string): pg.QueryConfig {
  if (typeof statement === 'string') return { text: statement };
  return {
    name: shortName(statement.name),
    text: statement.text,
    values: statement.values as unknown[],
  };
}
