// The last exchanges with their bodies, in memory.
import { EventEmitter, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Exchange, RecordedBody } from './exchange.js';

/** Maximum number of exchanges. */
const MAX_EXCHANGES = 500;

/** Maximum length of all bodies, in characters. */
const MAX_BODY_CHARACTERS = 16 * 1024 * 1024;

/** The last exchanges, oldest first. When there are too many, the oldest are dropped. */
export class ExchangeLog {
  #exchanges: Exchange[] = [];
  readonly #byRequest = new WeakMap<IncomingMessage, Exchange>();
  /** Any number of tests may wait for a request. */
  readonly #changes = new EventEmitter().setMaxListeners(0);
  #size = 0;
  #dropped = 0;

  /** How many were dropped since it was cleared. */
  get dropped(): number {
    return this.#dropped;
  }

  list(): readonly Exchange[] {
    return this.#exchanges;
  }

  add(exchange: Exchange, request: IncomingMessage): void {
    this.#exchanges.push(exchange);
    this.#byRequest.set(request, exchange);
    this.#size += sizeOf(exchange);
    this.#shrink();
    this.#changes.emit('change');
  }

  /** Resolves at the next change, after some milliseconds, or when the signal aborts. */
  async whenChanged(ms: number, ended: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([ended, AbortSignal.timeout(Math.ceil(ms))]);
    await once(this.#changes, 'change', { signal }).catch(() => undefined);
  }

  /** Adds to the exchange of a request what it calls, and who sends it. */
  addCaller(request: IncomingMessage, caller: Pick<Exchange, 'operation' | 'identity'>): void {
    const exchange = this.#byRequest.get(request);
    if (exchange === undefined) return;
    Object.assign(exchange, caller);
    this.#changes.emit('change');
  }

  /** Adds the response to an exchange; one that was dropped meanwhile is not added again. */
  complete(exchange: Exchange, rest: Pick<Exchange, 'durationMs' | 'request' | 'response'>): void {
    const before = sizeOf(exchange);
    Object.assign(exchange, rest);
    if (!this.#exchanges.includes(exchange)) return;
    this.#size += sizeOf(exchange) - before;
    this.#shrink();
    this.#changes.emit('change');
  }

  /** Adds the scenarios that take effect on a request to its exchange. */
  addScenarios(
    request: IncomingMessage,
    scenarios: readonly { kind: string; id?: string }[],
  ): void {
    const exchange = this.#byRequest.get(request);
    if (exchange === undefined) return;
    exchange.scenarios = scenarios.map(({ kind, id }) => ({
      kind,
      ...(id !== undefined && { id }),
    }));
    this.#changes.emit('change');
  }

  clear(): void {
    this.#exchanges = [];
    this.#size = 0;
    this.#dropped = 0;
  }

  #shrink(): void {
    while (this.#exchanges.length > MAX_EXCHANGES || this.#size > MAX_BODY_CHARACTERS) {
      const dropped = this.#exchanges.shift();
      if (dropped === undefined) return;
      this.#dropped++;
      this.#size -= sizeOf(dropped);
    }
  }
}

function sizeOf({ request, response }: Exchange): number {
  const length = (body: RecordedBody | undefined) => body?.text.length ?? 0;
  return length(request.body) + length(response?.body);
}
