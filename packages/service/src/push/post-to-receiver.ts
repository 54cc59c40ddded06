// Sends one request to a receiver, with bounds for everything that it may do: name, connection, TLS, head and body together end
// within 15 s, and of the body some kilobytes are read. Redirects are not followed: they are responses like any other.
import http from 'node:http';
import https from 'node:https';
import { TLSSocket } from 'node:tls';
import type { AttemptOutcome } from '@landfall/contract';
import { DELIVERY_TIMEOUT_S } from '@landfall/contract';
import { readBounded } from './read-bounded-response.js';
import { hostOf, type Receivers } from './receiver-address.js';
import {
  AddressRefusedError,
  lookUpChecked,
  type ResolveName,
  requirePublic,
  resolveReceiver,
} from './resolve-receiver.js';
import { readRetryAfter } from './retry-schedule.js';
import { TlsError, watchHandshake } from './tls-error.js';

/** How much of a response is read, in bytes: a challenge fits many times. */
const MAX_RESPONSE_BYTES = 4096;

/** For how long the rest of a response is read after it was decided what it means, so that its connection can be used again. */
const MAX_DRAIN_MS = 1000;

/** For how long a connection is kept for the next request, in milliseconds: less than most receivers keep theirs. */
const KEEP_ALIVE_MS = 4000;

/** What is sent. */
export type ReceiverRequest = {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Whether the body of the response is needed. */
  readsBody: boolean;
};

/** What became of a request: its outcome, unless it depends on the body. */
export type ReceiverResponse = {
  outcome: AttemptOutcome;
  status: number | undefined;
  /** Whether something was sent, also if its response is not known. */
  mayHaveArrived: boolean;
  /** Seconds for which the receiver asks. */
  retryAfter: number | undefined;
  body: string | undefined;
};

/** Sends requests to receivers over connections that are kept for a moment. */
export class ReceiverConnections {
  readonly #receivers: Receivers;
  readonly #resolveName: ResolveName;
  readonly #agents = {
    'http:': new http.Agent({ keepAlive: true, timeout: KEEP_ALIVE_MS, maxFreeSockets: 8 }),
    'https:': new https.Agent({ keepAlive: true, timeout: KEEP_ALIVE_MS, maxFreeSockets: 8 }),
  };

  constructor(receivers: Receivers, resolveName: ResolveName) {
    this.#receivers = receivers;
    this.#resolveName = resolveName;
  }

  /** @param signal ends the request: whether it has arrived is not known then */
  async post(request: ReceiverRequest, signal: AbortSignal): Promise<ReceiverResponse> {
    const timeout = AbortSignal.timeout(DELIVERY_TIMEOUT_S * 1000);
    const end = AbortSignal.any([timeout, signal]);
    const progress: Progress = { mayHaveArrived: false };
    try {
      const url = new URL(request.url);
      const addresses = await untilAborted(
        resolveReceiver(hostOf(url), this.#receivers, this.#resolveName),
        end,
      );
      return await this.#send(url, addresses, request, end, progress);
    } catch (error) {
      return { ...failed, ...progress, outcome: this.#outcomeOf(error, timeout) };
    }
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  #outcomeOf(error: unknown, timeout: AbortSignal): AttemptOutcome {
    if (timeout.aborted) return 'TIMEOUT';
    if (error instanceof AddressRefusedError) return 'ADDRESS_REFUSED';
    return error instanceof TlsError ? error.outcome : 'UNREACHABLE';
  }

  async #send(
    url: URL,
    addresses: readonly string[],
    request: ReceiverRequest,
    signal: AbortSignal,
    progress: Progress,
  ): Promise<ReceiverResponse> {
    try {
      return await this.#sendOnce(url, addresses, request, signal, progress, true);
    } catch (error) {
      // The receiver has closed a kept connection while the request was on its way: what is sent may be sent again.
      if (!(error instanceof StaleConnectionError) || signal.aborted) throw error;
      return this.#sendOnce(url, addresses, request, signal, progress, false);
    }
  }

  async #sendOnce(
    url: URL,
    addresses: readonly string[],
    { headers, body, readsBody }: ReceiverRequest,
    signal: AbortSignal,
    progress: Progress,
    isReusing: boolean,
  ): Promise<ReceiverResponse> {
    const isSecure = url.protocol === 'https:';
    const sent = (isSecure ? https : http).request(url, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Landfall',
        accept: '*/*',
      },
      lookup: lookUpChecked(addresses),
      agent: isReusing ? this.#agents[isSecure ? 'https:' : 'http:'] : false,
      signal,
    });
    let findTlsError: (error: Error) => TlsError | undefined = () => undefined;
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve);
      // The listener stays: a request may fail after its response too.
      sent.on('error', (error) =>
        reject(
          sent.reusedSocket ? new StaleConnectionError(error) : (findTlsError(error) ?? error),
        ),
      );
      // Without a listener, what is answered with 101 ends without a response and without an error.
      sent.once('upgrade', (_, socket) => {
        socket.destroy();
        reject(new Error('the receiver wants another protocol'));
      });
      sent.once('close', () => reject(new Error('the connection ended without a response')));
      sent.once('socket', (socket) => {
        if (socket instanceof TLSSocket) findTlsError = watchHandshake(socket);
        // Once more where it leads to: what is connected is what counts.
        const check = () => {
          try {
            requirePublic([socket.remoteAddress ?? ''], this.#receivers);
          } catch (error) {
            sent.destroy(error instanceof Error ? error : undefined);
          }
        };
        const noteSending = () => {
          progress.mayHaveArrived ||= !sent.destroyed;
        };
        if (socket.connecting) {
          socket.once('connect', check);
          socket.once(isSecure ? 'secureConnect' : 'connect', noteSending);
        } else {
          check();
          noteSending();
        }
      });
      sent.end(body);
    });
    const status = response.statusCode ?? 0;
    const isConfirmed = status >= 200 && status < 300;
    const read = readBounded(response, MAX_RESPONSE_BYTES, {
      signal,
      // A head says all that is needed; how slowly the rest comes is nobody's concern.
      maxMs: readsBody && isConfirmed ? undefined : MAX_DRAIN_MS,
    });
    const text = await read;
    return {
      outcome: isConfirmed ? 'CONFIRMED' : 'REFUSED',
      status,
      mayHaveArrived: true,
      retryAfter: readRetryAfter(response.headers['retry-after'], Date.now()),
      body: readsBody && isConfirmed ? text : undefined,
    };
  }
}

/** How far a request came. */
type Progress = Pick<ReceiverResponse, 'mayHaveArrived'>;

const failed = { status: undefined, retryAfter: undefined, body: undefined };

/** A kept connection failed before the response. */
class StaleConnectionError extends Error {
  constructor(cause: unknown) {
    super('the receiver has closed a kept connection', { cause });
  }
}

function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new Error('the request was ended', { cause: signal.reason }));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
