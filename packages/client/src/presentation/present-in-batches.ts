// Presents many house consignments, many with one request, and resumes after a crash.
import type { Connection } from '../connection/connection.js';
import type { RequestOptions } from '../connection/options.js';
import { unexpected } from '../connection/result-form.js';
import type {
  HouseConsignmentPresentation,
  PresentationAccepted,
  PresentationResult,
} from '../contract/types.js';
import { ApiError } from '../errors/api-error.js';
import { ConnectionError } from '../errors/connection-error.js';
import { presentHouseConsignment, presentHouseConsignments } from '../operations/operations.js';
import { digestOf } from '../settling/digest.js';
import type { Source } from '../settling/map-concurrently.js';
import { type Sending, sendMany } from '../settling/send-many.js';
import type { PresentationOutcome, PresentManyOptions } from './present-many.js';
import type { WithoutRequestId } from './presentation.js';
import { makeRequest } from './presentation-request.js';

/** Lines of one request. */
const LINES = 1000;

/** Requests in progress. */
const REQUESTS = 2;

/** Items in progress: those that are sent, and as many as the next request sends. */
const ITEMS = (REQUESTS + 1) * LINES;

/** Requests that are not of many lines, such as those that read a status, in progress. */
const OTHERS = 16;

/** Codes of lines that were not processed, and may be sent again. */
const UNPROCESSED = new Set(['HELD', 'ACCESS_ENDED', 'RESULTS_NOT_READ']);

/** Options of presenting in batches. */
export type PresentInBatchesOptions<Item extends WithoutRequestId<HouseConsignmentPresentation>> =
  Omit<PresentManyOptions<Item>, 'concurrency'>;

/**
 * Presents house consignments as `presentMany` does, with the same outcomes and the same journal, but up to 1,000 with
 * one request. 3,000 items are in progress at a time, so a run that is killed leaves as many to be settled by the next one.
 *
 * What is in the source is sent at once, also if it is less. Where a service has no batches, they are presented one by
 * one.
 *
 * @throws what `presentMany` throws
 * @example
 * for await (const { item, outcome, errors } of presentInBatches(connection, parcels, { journal })) {
 *   if (outcome === 'refused') report(item, errors);
 * }
 */
export function presentInBatches<Item extends WithoutRequestId<HouseConsignmentPresentation>>(
  connection: Connection,
  source: Source<Item>,
  options: PresentInBatchesOptions<Item> = {},
): AsyncGenerator<PresentationOutcome<Item>, void, undefined> {
  const batches = new Batches(connection, options.signal);
  const sending: Sending<Item, PresentationAccepted> = {
    digestOf,
    makeRequest: (item, requestId) => {
      const body = { ...item, requestId };
      const single = makeRequest(connection, presentHouseConsignment, body);
      return {
        ...single,
        send: (given) =>
          batches.send({ body, onSend: given.onSend, alone: () => single.send(given) }, given),
        read: (given) => batches.limit(() => single.read(given)),
      };
    },
    endingOf: () => ({ outcome: 'presented', errors: [] }),
  };
  const given = { ...options, concurrency: ITEMS };
  // The cast is true because such a request ends with nothing else.
  return sendMany(connection, sending, source, given) as AsyncGenerator<
    PresentationOutcome<Item>,
    void,
    undefined
  >;
}

/** A presentation to send as a line, or with a request of its own. */
type Sent = {
  body: HouseConsignmentPresentation;
  onSend: RequestOptions['onSend'];
  alone: () => Promise<PresentationAccepted | undefined>;
};

/** A line that waits for its result. */
type Line = Sent & {
  resolve: (accepted: PresentationAccepted | undefined) => void;
  reject: (error: unknown) => void;
};

/** Lines that wait for a request, and the options of all of them: they differ in `onSend` alone. */
type Queue = { lines: Line[]; options: RequestOptions };

/** Collects lines into requests: what comes while requests are in progress is sent with the next one. */
class Batches {
  readonly #connection: Connection;
  readonly #signal: AbortSignal | undefined;
  readonly #new: Queue = { lines: [], options: {} };
  /** What was sent before: it is sent once, and first, because there is a time for it. */
  readonly #settled: Queue = { lines: [], options: {} };
  #inProgress = 0;
  #others = 0;
  readonly #waitingOthers: (() => void)[] = [];
  /** Whether the service has batches: found out by the first one. */
  #areOffered: boolean | undefined;

  constructor(connection: Connection, signal: AbortSignal | undefined) {
    this.#connection = connection;
    this.#signal = signal;
  }

  /** Resolves when the service has presented it, and throws as a request of its own would. */
  send(line: Sent, options: RequestOptions): Promise<PresentationAccepted | undefined> {
    if (this.#areOffered === false) return this.limit(line.alone);
    const queue = options.repeatUnknown === false ? this.#new : this.#settled;
    queue.options = options;
    return new Promise((resolve, reject) => {
      queue.lines.push({ ...line, resolve, reject });
      // Others may come in the same turn.
      if (queue.lines.length === 1) setTimeout(() => this.#next());
    });
  }

  /** Does something when not too much else is in progress. */
  async limit<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#others >= OTHERS) {
      await new Promise<void>((resolve) => this.#waitingOthers.push(resolve));
    } else this.#others += 1;
    try {
      return await work();
    } finally {
      const next = this.#waitingOthers.shift();
      if (next === undefined) this.#others -= 1;
      else next();
    }
  }

  #next(): void {
    const requests = this.#areOffered === undefined ? 1 : REQUESTS;
    while (this.#inProgress < requests) {
      const queue = [this.#settled, this.#new].find(({ lines }) => lines.length > 0);
      if (queue === undefined) return;
      const lines = queue.lines.splice(0, LINES);
      this.#inProgress += 1;
      void this.#request(lines, queue.options).then(() => {
        this.#inProgress -= 1;
        this.#next();
      });
    }
  }

  /** Never throws: each line has its result, or the reason why it has none. */
  async #request(lines: readonly Line[], given: RequestOptions): Promise<void> {
    const left = new Set(lines);
    const { operationId } = presentHouseConsignments;
    try {
      const body = lines.map((line) => line.body);
      const onSend = () => {
        for (const line of lines) line.onSend?.();
      };
      const options = { ...given, signal: this.#signal, onSend };
      const results = await this.#connection.call(presentHouseConsignments, { body }, options);
      this.#areOffered = true;
      for await (const result of results) {
        const line = lines[result.line - 1];
        if (line === undefined || !left.has(line)) {
          throw unexpected(operationId, `has a result of line ${result.line}`);
        }
        if (isUnprocessed(result)) continue;
        settleLine(line, result);
        left.delete(line);
      }
      throw new ConnectionError(`a line of ${operationId} was not processed, or has no result`, {
        outcomeUnknown: true,
      });
    } catch (error) {
      const isMissing = error instanceof ApiError && (error.status === 404 || error.status === 405);
      if (isMissing) this.#areOffered = false;
      for (const { alone, resolve, reject } of left) {
        if (isMissing) this.limit(alone).then(resolve, reject);
        else reject(error);
      }
    }
  }
}

function isUnprocessed({ validationErrors }: PresentationResult): boolean {
  return (
    Array.isArray(validationErrors) && validationErrors.some((each) => UNPROCESSED.has(each?.code))
  );
}

function settleLine(
  { body: { requestId }, resolve, reject }: Line,
  { status, validationErrors, ...result }: PresentationResult,
): void {
  const { operationId } = presentHouseConsignments;
  // What is no requestId, and a line that cannot be read, is refused without one.
  const isOther = result.requestId !== undefined && result.requestId !== requestId;
  if (isOther || (status === 202 && result.requestId === undefined)) {
    reject(unexpected(operationId, `does not confirm ${requestId}`));
  } else if (status === 202) resolve({ requestId });
  else if (status === 400 && Array.isArray(validationErrors) && validationErrors.length > 0) {
    reject(new ApiError({ operationId, status, title: 'Bad Request', validationErrors }));
  } else reject(unexpected(operationId, `has no status of ${requestId}`));
}
