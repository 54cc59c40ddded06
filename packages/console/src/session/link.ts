// The connection with the service as pages see it: whether it is lost, and since when.
import { useSyncExternalStore } from 'react';

/** Whether the last request reached the service. */
export type LinkState = { lostSince: Date | undefined };

/** How often a page attempts a request that may succeed later. The user sees the error after that. */
export const MAX_ATTEMPTS = 2;

/** How often it is tried whether the service can be reached again, in milliseconds. */
const PROBE_INTERVAL_MS = 3_000;

/** Watches the requests of all pages. While the connection is lost, it tries whether the service can be reached. */
export class Link {
  #state: LinkState = { lostSince: undefined };
  /** When it was lost last, by the clock of the page. */
  #lostAt = Number.NEGATIVE_INFINITY;
  #probes: ReturnType<typeof setInterval> | undefined;
  readonly #listeners = new Set<() => void>();

  /** `fetch`, watched. */
  readonly fetch: typeof globalThis.fetch = async (...request) => {
    const begunAt = performance.now();
    try {
      const response = await globalThis.fetch(...request);
      // A response to an earlier request may still arrive after the connection was lost.
      if (begunAt > this.#lostAt) this.#restored();
      return response;
    } catch (error) {
      // An abort says nothing of the connection.
      if (!(error instanceof DOMException)) this.lost();
      throw error;
    }
  };

  /** @param since when the service was reached last, if that is known */
  lost(since: Date = new Date()): void {
    if (this.#state.lostSince !== undefined) return;
    this.#lostAt = performance.now();
    this.#set({ lostSince: since });
    this.#probes = setInterval(() => this.probe(), PROBE_INTERVAL_MS);
  }

  #restored(): void {
    if (this.#state.lostSince === undefined) return;
    clearInterval(this.#probes);
    this.#set({ lostSince: undefined });
  }

  /** Finds out whether the service can be reached, with an address that a playground does not list as a request. */
  readonly probe = (): void => {
    const signal = AbortSignal.timeout(PROBE_INTERVAL_MS);
    this.fetch('/console/configuration', { signal }).catch(() => this.lost());
  };

  readonly read = (): LinkState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #set(state: LinkState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

/** The one connection of the page. */
export const link = new Link();

// The browser notices at once that a network is gone or back, and a stream only after a while. But a browser without a
// network reaches a service on its own machine.
addEventListener('offline', link.probe);
addEventListener('online', link.probe);

/** Whether the connection is lost, and since when. */
export function useLink(): LinkState {
  return useSyncExternalStore(link.subscribe, link.read);
}
