// Reads a stream of server-sent events while it is open.
import { setTimeout as delay } from 'node:timers/promises';
import type { Exchange, HttpRequest } from './exchange.js';
import { NoResponseError, openResponse } from './send.js';

/** One server-sent event. */
export type ServerEvent = { id: string | undefined; data: string };

/** Maximum length of what is kept of a stream for the report, in characters. */
const MAX_KEPT = 20_000;

/** An open stream of events. */
export class EventStream {
  readonly status: number;
  readonly headers: Headers;
  readonly events: ServerEvent[] = [];
  readonly #abort: AbortController;
  readonly #exchange: Exchange;
  #rest = '';
  #ended = false;
  #grown: () => void = () => undefined;

  private constructor(response: Response, exchange: Exchange, abort: AbortController) {
    this.status = response.status;
    this.headers = response.headers;
    this.#exchange = exchange;
    this.#abort = abort;
    exchange.response = { status: response.status, headers: response.headers, text: '' };
    void this.#read(response);
  }

  /** Opens a stream; the caller closes it. */
  static async open(
    request: HttpRequest,
    signal: AbortSignal,
    timeoutMs: number,
    record: (exchange: Exchange) => void,
  ): Promise<EventStream> {
    const exchange: Exchange = { request, durationMs: 0 };
    record(exchange);
    const startedAt = performance.now();
    const abort = new AbortController();
    const stop = () => abort.abort();
    signal.addEventListener('abort', stop, { once: true });
    const timer = setTimeout(stop, timeoutMs);
    try {
      return new EventStream(await openResponse(request, abort.signal), exchange, abort);
    } catch (error) {
      exchange.failure = error instanceof Error ? error.message : String(error);
      throw new NoResponseError(`${request.method} ${request.url}: ${exchange.failure}`);
    } finally {
      clearTimeout(timer);
      exchange.durationMs = performance.now() - startedAt;
    }
  }

  /** The text of a response that is not a stream of events, once it is complete. */
  get text(): string {
    return this.#exchange.response?.text ?? '';
  }

  /** Waits until the condition holds for the events, the stream ends, or the time is over; returns whether it holds. */
  async until(
    holds: (events: readonly ServerEvent[]) => boolean,
    timeoutMs: number,
  ): Promise<boolean> {
    const end = performance.now() + timeoutMs;
    while (!holds(this.events) && !this.#ended) {
      const left = end - performance.now();
      if (left <= 0) break;
      const grown = new Promise<void>((resolve) => {
        this.#grown = resolve;
      });
      const timer = new AbortController();
      await Promise.race([
        grown,
        delay(left, undefined, { signal: timer.signal }).catch(() => undefined),
      ]);
      timer.abort();
    }
    return holds(this.events);
  }

  close(): void {
    this.#abort.abort();
  }

  async #read(response: Response): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) {
        this.#add(decoder.decode(chunk, { stream: true }));
      }
    } catch {
      // Closed by this side, or cut; what has arrived is checked.
    }
    this.#ended = true;
    this.#grown();
  }

  #add(text: string): void {
    const { response } = this.#exchange;
    if (response !== undefined && response.text.length < MAX_KEPT) response.text += text;
    this.#rest = `${this.#rest}${text}`.replaceAll('\r\n', '\n');
    const blocks = this.#rest.split('\n\n');
    this.#rest = blocks.pop() ?? '';
    for (const block of blocks) this.#addBlock(block);
    this.#grown();
  }

  #addBlock(block: string): void {
    const fields = block
      .split('\n')
      .filter((line) => !line.startsWith(':'))
      .map((line): [string, string] => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
      });
    const data = fields.filter(([name]) => name === 'data').map(([, value]) => value);
    if (data.length === 0) return;
    const id = fields.findLast(([name]) => name === 'id')?.[1];
    this.events.push({ id, data: data.join('\n') });
  }
}
