// Which presentations were settled: their outcome was determined by their requestId, because a response was lost.
import type { Hooks } from '@landfall/client';

/** Observes the requests of a client: the status of a requestId is read only to settle its presentation. */
export class Settlements {
  readonly #requestIds = new Set<string>();
  readonly #onSettle: (requestId: string) => void;

  /** @param onSettle called once for each presentation that is being settled */
  constructor(onSettle: (requestId: string) => void = () => {}) {
    this.#onSettle = onSettle;
  }

  /** The hooks for the client. */
  get hooks(): Hooks {
    return {
      onRequest: ({ operationId, url }) => {
        if (operationId !== 'getValidationStatus') return;
        const requestId = decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '');
        if (this.#requestIds.has(requestId)) return;
        this.#requestIds.add(requestId);
        this.#onSettle(requestId);
      },
    };
  }

  has(requestId: string): boolean {
    return this.#requestIds.has(requestId);
  }
}
