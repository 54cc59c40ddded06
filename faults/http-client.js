// A client of several servers, or of a load balancer, with kept connections as every client of a service has them.
import http from 'node:http';
import https from 'node:https';

/** How long a client waits for a response, in milliseconds. */
const TIMEOUT_MS = 15_000;

/**
 * Where a request is sent. `name` is recorded with the response.
 *
 * @typedef {{ host: string, port: number, ca?: Buffer, name?: string }} Origin `ca`: with it, by HTTPS
 */

/** Sends requests. */
export class HttpClient {
  #choose;
  #ending = new AbortController();
  #agents = {
    http: new http.Agent({ keepAlive: true }),
    https: new https.Agent({ keepAlive: true }),
  };

  /** @param {() => Origin} choose the origin of the next request */
  constructor(choose) {
    this.#choose = choose;
  }

  /**
   * Sends a request.
   *
   * @param {{ method?: string, path: string, token?: string, body?: string, headers?: Record<string, string> }} call
   * @returns {Promise<{ status: number, text: string, retryAfter: number, server?: string } | undefined>} `undefined`
   *   without a complete response; `retryAfter` in seconds; `server`: the name of the origin
   */
  send({ method = 'GET', path, token, body, headers = {} }, to) {
    // Nothing keeps the process for those who would try again for ever.
    if (this.closed.aborted) return new Promise(() => undefined);
    const { name: server, ...address } = to ?? this.#choose();
    const [request, agent] = address.ca
      ? [https.request, this.#agents.https]
      : [http.request, this.#agents.http];
    return new Promise((resolve) => {
      const sent = request(
        {
          ...address,
          agent,
          method,
          path,
          headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (part) => {
            text += part;
          });
          response.on('end', () => {
            const { statusCode: status = 0, headers: received } = response;
            resolve({ status, text, retryAfter: Number(received['retry-after'] ?? 1), server });
          });
          response.on('error', () => resolve(undefined));
        },
      );
      // A limit of the whole exchange: that of the socket would begin anew with each byte.
      const timer = setTimeout(() => sent.destroy(), TIMEOUT_MS);
      sent.on('close', () => {
        clearTimeout(timer);
        resolve(undefined);
      });
      sent.on('error', () => resolve(undefined));
      sent.end(body);
    });
  }

  /** Aborted when the client is closed: whoever sends requests in a loop ends it then, also after a failure. */
  get closed() {
    return this.#ending.signal;
  }

  /** Ends all requests; later ones get no response. */
  close() {
    this.#ending.abort();
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }
}
