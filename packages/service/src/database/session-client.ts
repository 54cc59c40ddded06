// One session with the database, by the driver: it cannot end the process, and its silence is measured.
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
import { verifySession } from './queries.js';
import { responseTimeout, type SessionKind } from './session.js';
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

/** A session of the driver. Statements go through `execute`, which records how many are pending and since when. */
export class SessionClient extends pg.Client implements WatchedSession {
  readonly kind: SessionKind;
  /** The server's process; behind a connection pooler, the driver's `processID` is another one. */
  backend: number | undefined;
  /** Statements that are sent and have no response yet. */
  #pending = 0;
  /** When something came last, or the first pending statement was sent after it: by `performance.now()`. */
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
    // A failure is reported to the session's users by their statements, and by 'end'.
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
   * Reads which process the server has for the session, and whether it takes writes; closes it where it does not.
   *
   * @throws UnusableSessionError for a standby, or a database that was set to be read-only
   */
  async verify(): Promise<void> {
    const [row] = await this.execute<{ pid: number; readOnly: boolean }>(verifySession);
    this.backend = row?.pid;
    if (!row?.readOnly || this.kind === 'maintenance') return;
    this.destroy();
    throw new UnusableSessionError(
      'the database takes no writes: it is a standby, or set read-only',
    );
  }

  /** Sends one statement, or a script without values, and gives its rows. */
  async execute<Result extends object>(statement: Statement | string): Promise<Result[]> {
    if (this.#pending++ === 0) this.#lastProgress = performance.now();
    try {
      return (await this.query<Result>(asQuery(statement))).rows;
    } catch (error) {
      throw this.kind === 'embedded'
        ? translateEmbeddedError(error)
        : translateDatabaseError(error);
    } finally {
      this.#pending--;
    }
  }

  silence(now: number): number {
    // What is still being written has not been received, so there can be no response yet.
    const waits = this.#pending > 0 && this.connection.stream.writableLength === 0;
    return waits ? now - this.#lastProgress : 0;
  }

  idleness(now: number): number {
    return this.#pending > 0 ? 0 : now - this.#lastProgress;
  }

  ping(): void {
    // A failure ends the session, which its owner observes by 'end'.
    this.execute('select 1').catch(() => undefined);
  }

  isOverdue(now: number): boolean {
    return this.#pending > 0 && now - this.#lastProgress > responseTimeout(this.kind);
  }

  /** Pending statements fail, and the server rolls back when it notices. */
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
