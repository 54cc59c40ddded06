// What servers on one PostgreSQL announce to each other (LISTEN and NOTIFY). Nothing may depend on its arriving.
import { randomUUID } from 'node:crypto';
import type { Statement } from './database.js';
import { ANNOUNCEMENT_CHANNEL, announce } from './queries.js';
import { openSession, type SessionClient, type SessionConfig } from './session-client.js';

/** How long to wait before listening again after the session was lost, in milliseconds. */
const LISTEN_AGAIN_MS = 1000;

/** One server's announcements and its name, by which it recognises its own. */
export class Announcements {
  readonly #config: SessionConfig;
  readonly #name = randomUUID();
  #session: SessionClient | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  /** Is called each time that the session could not be opened, or was lost. */
  onFailure: (error: unknown) => void = () => undefined;

  constructor(config: SessionConfig) {
    this.#config = config;
  }

  /** The statement that announces a message, with the name of this server. */
  statement(message: string): Statement {
    return announce(`${this.#name} ${message}`);
  }

  /** Listens until closed, in a session of its own that is opened again when it is lost. */
  listen(handle: (message: string) => void): void {
    const lost = this.#listenUntilLost(handle).catch((error: unknown) => error);
    void lost.then((error) => {
      // Whatever failed, the session is not left open behind the next one.
      this.#session?.destroy();
      if (this.#closed) return;
      this.onFailure(error);
      this.#timer = setTimeout(() => this.listen(handle), LISTEN_AGAIN_MS).unref();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#session?.end();
  }

  async #listenUntilLost(handle: (message: string) => void): Promise<Error> {
    const session = await openSession(this.#config, (opening) => {
      this.#session = opening;
    });
    session.on('notification', ({ payload = '' }) => {
      const end = payload.indexOf(' ');
      if (payload.slice(0, end) !== this.#name) handle(payload.slice(end + 1));
    });
    const ended = new Promise<void>((resolve) => session.once('end', () => resolve()));
    await session.execute(`listen ${ANNOUNCEMENT_CHANNEL}`);
    await ended;
    return new Error('the session that listens for announcements was lost');
  }
}
