// What servers on one PostgreSQL tell each other (LISTEN and NOTIFY). Nothing may depend on its arriving.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Statement } from './database.js';

const CHANNEL = 'landfall';

/** How long to wait before listening again after the session was lost, in milliseconds. */
const LISTEN_AGAIN = 1000;

/** One server's ear and its name, by which it knows its own announcements. */
export class Announcements {
  readonly #config: pg.ClientConfig;
  readonly #name = randomUUID();
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(config: pg.ClientConfig) {
    this.#config = config;
  }

  /** The statement that announces; it need not reach the disk before it is answered. */
  statement(message: string): Statement {
    return {
      name: 'announce',
      text: `
        select set_config('synchronous_commit', 'off', true), pg_notify('${CHANNEL}', $1)`,
      values: [`${this.#name} ${message}`],
    };
  }

  /** Listens until closed, in a session of its own that is opened again when it is lost. */
  listen(handle: (message: string) => void): void {
    const client = new pg.Client(this.#config);
    this.#client = client;
    let lost = false;
    const again = () => {
      if (lost || this.#closed) return;
      lost = true;
      this.#timer = setTimeout(() => this.listen(handle), LISTEN_AGAIN).unref();
    };
    client.on('error', again);
    client.on('end', again);
    client.on('notification', ({ payload = '' }) => {
      const end = payload.indexOf(' ');
      if (payload.slice(0, end) !== this.#name) handle(payload.slice(end + 1));
    });
    client
      .connect()
      .then(() => client.query(`listen ${CHANNEL}`))
      .catch(again);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#client?.end().catch(() => undefined);
  }
}
