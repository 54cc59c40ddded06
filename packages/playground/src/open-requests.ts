// The requests in progress, which a reset lets end or cuts off, so that none of them changes the data after it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isControlPath } from './control-path.js';

/** How long a request that may change data gets to end before a reset cuts it off, in milliseconds. */
const END_TIMEOUT_MS = 2000;

/** The requests in progress that are not for the playground's control addresses. */
export class OpenRequests {
  readonly #open = new Map<FastifyRequest, FastifyReply>();
  #paused: Promise<void> | undefined;

  /** Follows the requests of a server. While it is paused, new requests wait. */
  follow(app: FastifyInstance): void {
    app.addHook('onRequest', async (request, reply) => {
      if (isControlPath(request.routeOptions.url ?? request.url)) return;
      // A further reset may have begun before this request continues.
      while (this.#paused !== undefined) await this.#paused;
      this.#open.set(request, reply);
      reply.raw.once('close', () => this.#open.delete(request));
    });
  }

  /** Ends every request, does the work, and lets new requests continue. */
  async pauseFor(work: () => Promise<void>): Promise<void> {
    // Two resets at once run one after the other.
    while (this.#paused !== undefined) await this.#paused;
    let resume: () => void = () => undefined;
    this.#paused = new Promise((resolve) => {
      resume = resolve;
    });
    try {
      await this.endAll();
      await work();
    } finally {
      this.#paused = undefined;
      resume();
    }
  }

  /**
   * Reads are cut off; what may change data gets some time to end.
   *
   * @returns whether nothing was cut off that may change data
   */
  async endAll(): Promise<boolean> {
    const changing: Promise<void>[] = [];
    for (const [request, reply] of this.#open) {
      if (request.method === 'GET' || request.method === 'HEAD') reply.raw.destroy();
      else changing.push(new Promise((resolve) => reply.raw.once('close', resolve)));
    }
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), END_TIMEOUT_MS);
    });
    const haveEnded = Promise.all(changing).then(() => true);
    const inTime = await Promise.race([haveEnded, late]);
    clearTimeout(timer);
    for (const reply of this.#open.values()) reply.raw.destroy();
    return inTime;
  }
}
