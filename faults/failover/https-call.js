// One HTTPS request to the load balancer.
import { Agent, request } from 'node:https';

/** How long a client waits for a response, in milliseconds. */
const TIMEOUT_MS = 15_000;

/** A client with kept connections, as every client of a service has them. */
export class HttpsClient {
  #origin;
  #agent;

  /** @param {{ host: string, port: number, ca: Buffer }} origin */
  constructor(origin) {
    this.#origin = origin;
    this.#agent = new Agent({ keepAlive: true, ca: origin.ca });
  }

  /**
   * Sends a request.
   *
   * @param {{ method?: string, path: string, token?: string, body?: string, headers?: Record<string, string> }} call
   * @returns {Promise<{ status: number, text: string, retryAfter: number } | undefined>} `undefined` without a complete
   *   response; `retryAfter` in seconds
   */
  send({ method = 'GET', path, token, body, headers = {} }) {
    return new Promise((resolve) => {
      const sent = request(
        {
          ...this.#origin,
          agent: this.#agent,
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
            resolve({ status, text, retryAfter: Number(received['retry-after'] ?? 1) });
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

  close() {
    this.#agent.destroy();
  }
}
