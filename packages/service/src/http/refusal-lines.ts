// Limits the lines of the log about requests that are not served: whoever is refused may repeat the request thousands of
// times a second, and so may clients of a server whose database has failed.
import type { FastifyBaseLogger } from 'fastify';

/** Lines for each key in a window; the others are counted. */
const MAX_LINES = 60;

/** The length of a window, in milliseconds. */
const WINDOW_MS = 60_000;

/** Keys that are counted separately in a window; all others share one count. */
const MAX_KEYS = 1000;

/** What is counted together: a status, and the organisation or else the network address that was refused. */
export type RefusalKey = {
  status: number;
  organisation: string | undefined;
  address: string | undefined;
};

/** What the line of a number says: not the address, which may be that of a person. */
type Counted = { status?: number; organisation?: string | undefined };

type Count = { counted: Counted; lines: number; leftOut: number };

declare module 'fastify' {
  interface FastifyInstance {
    refusalLines: RefusalLines;
  }
}

/** Which refusals of one log are logged each. */
export class RefusalLines {
  readonly #log: Pick<FastifyBaseLogger, 'warn'>;
  readonly #windowMs: number;
  #counts = new Map<string, Count>();
  #end: NodeJS.Timeout | undefined;

  constructor(log: Pick<FastifyBaseLogger, 'warn'>, windowMs: number = WINDOW_MS) {
    this.#log = log;
    this.#windowMs = windowMs;
  }

  /** Whether the log has said already why a request fails with this error; default: never. */
  isReported: (error: unknown) => boolean = () => false;

  /** Counts a refusal whose reason the log has already. */
  leaveOut(key: RefusalKey): void {
    this.#end ??= setTimeout(() => this.flush(), this.#windowMs).unref();
    this.#countOf(key).leftOut++;
  }

  /** Whether this refusal has a line of its own. If not, it is counted, and the end of the window logs the number. */
  admit(key: RefusalKey): boolean {
    this.#end ??= setTimeout(() => this.flush(), this.#windowMs).unref();
    const count = this.#countOf(key);
    if (count.lines < MAX_LINES) {
      count.lines++;
      return true;
    }
    count.leftOut++;
    return false;
  }

  /** Logs how many were left out, and begins a new window. */
  flush(): void {
    clearTimeout(this.#end);
    this.#end = undefined;
    const counts = this.#counts;
    this.#counts = new Map();
    for (const { counted, leftOut } of counts.values()) {
      if (leftOut > 0) this.#log.warn({ ...counted, leftOut }, 'refused further requests');
    }
  }

  #countOf({ status, organisation, address }: RefusalKey): Count {
    const own = `${status} ${organisation ?? ''} ${address ?? ''}`;
    const known = this.#counts.get(own);
    if (known !== undefined) return known;
    const isOther = this.#counts.size >= MAX_KEYS;
    const name = isOther ? 'others' : own;
    const counted = isOther ? {} : { status, organisation };
    const count = this.#counts.get(name) ?? { counted, lines: 0, leftOut: 0 };
    this.#counts.set(name, count);
    return count;
  }
}
