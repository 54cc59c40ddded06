// Which streams in NATS have entries of data that a reset has replaced. They are deleted before anything is relayed to them
// again: also by a later process, when the one that reset was killed, or relayed nothing.
import { setTimeout as delay } from 'node:timers/promises';
import { type App, type Database, removeStream } from '@landfall/service/assembly';
import { keep, selectKept, selectRecordedStreams } from './data-queries.js';

const NAME = 'old streams';

/** How long starts and resets wait until something is relayed, in milliseconds. */
export const RELAY_START_MS = 5000;

/** The pauses between attempts to delete streams, in milliseconds: at a start, and in the background. */
const START_PAUSE_MS = 500;
const PAUSE_MS = 5000;

/** The streams of replaced data, which the database keeps. */
export class OldStreams {
  readonly #database: Database;
  readonly #natsUrl: string;
  #settling: { ending: AbortController; ended: Promise<void> } | undefined;

  constructor(database: Database, natsUrl: string) {
    this.#database = database;
    this.#natsUrl = natsUrl;
  }

  /** Notes every stream that was written to, before the data is replaced and with it what says so. */
  async note(): Promise<void> {
    await this.close();
    const recorded = await this.#database.query(selectRecordedStreams);
    if (recorded.length === 0) return;
    const noted = await this.#list();
    await this.#keep([...new Set([...noted, ...recorded.map(({ stream }) => stream)])]);
  }

  /**
   * Deletes them, before anything is relayed.
   *
   * @throws the last failure after `RELAY_START_MS`
   */
  async remove(): Promise<void> {
    const deadline = performance.now() + RELAY_START_MS;
    while (this.#natsUrl !== '') {
      try {
        return await this.#remove();
      } catch (error) {
        if (performance.now() + START_PAUSE_MS > deadline) throw error;
        await delay(START_PAUSE_MS);
      }
    }
  }

  /**
   * After a reset: forgets the streams that the relays have made anew, and deletes the others. Resolves when that is done, or
   * was tried once: while NATS does not respond, it goes on in the background, until the next reset or `close`.
   */
  async settle({ relays, app: { log } }: Pick<App, 'relays' | 'app'>): Promise<void> {
    if (this.#natsUrl === '') return;
    const attempt = async (waitMs: number) => {
      await relays.whenRelaying(waitMs);
      await this.#forget(relays.streams);
      await this.#remove();
    };
    try {
      await attempt(RELAY_START_MS);
    } catch (error) {
      log.warn({ err: error }, 'streams of replaced data are not deleted in NATS yet');
      const ending = new AbortController();
      // It only looks whether something is relayed, so that the next reset does not wait for it.
      this.#settling = { ending, ended: this.#repeat(() => attempt(1), ending.signal) };
    }
  }

  /** Ends what goes on in the background. */
  async close(): Promise<void> {
    this.#settling?.ending.abort();
    await this.#settling?.ended;
    this.#settling = undefined;
  }

  async #repeat(attempt: () => Promise<void>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // It ends early when it is closed.
      await delay(PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      const isDone = await attempt().then(
        () => true,
        () => false,
      );
      if (isDone) return;
    }
  }

  async #remove(): Promise<void> {
    for (const stream of await this.#list()) {
      await removeStream(this.#natsUrl, stream);
      await this.#forget([stream]);
    }
  }

  async #forget(streams: readonly string[]): Promise<void> {
    const noted = await this.#list();
    const left = noted.filter((stream) => !streams.includes(stream));
    if (left.length < noted.length) await this.#keep(left);
  }

  async #list(): Promise<string[]> {
    const [row] = await this.#database.query(selectKept(NAME));
    return row === undefined ? [] : JSON.parse(row.value);
  }

  async #keep(streams: readonly string[]): Promise<void> {
    await this.#database.query(keep(NAME, JSON.stringify(streams)));
  }
}
