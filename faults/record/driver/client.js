// Sends requests to the two servers as an organisation or an officer, and says whether a response arrived.
import http from 'node:http';
import { exchangeToken } from '../../../bench/goods.js';
import { until } from '../../until.js';
import { OFFICER_SCOPES, OFFICERS } from '../world.js';

/** How long a response is waited for, in milliseconds. */
const TIMEOUT_MS = 30_000;

/** How long a token is used, in milliseconds: less than it is valid. */
const TOKEN_AGE_MS = 600_000;

/**
 * @typedef {{ status: number, text: string, body?: any, lines?: any[], next?: string }} Response `lines`: of NDJSON;
 *   `next`: whether more may follow
 */

export class Client {
  #service;
  #provider;
  #world;
  #tokens = new Map();
  #agent = new http.Agent({ keepAlive: true });

  constructor(service, provider, world) {
    this.#service = service;
    this.#provider = provider;
    this.#world = world;
  }

  /** Gives the second officer and the organisations of the world their scopes; the first officer has its own. */
  async admit(scopes = ['movement/entry']) {
    const [, { organisation: officer }] = OFFICERS;
    await this.#grant(officer, OFFICER_SCOPES);
    for (const organisation of this.#world.organisations) {
      await this.#grant(organisation, scopes);
    }
  }

  async #grant(organisation, grantedScopes) {
    const put = (headers) =>
      this.send(0, {
        by: 0,
        scope: 'authority/registry',
        method: 'PUT',
        path: `/api/authority/v1/organisations/${organisation}`,
        headers,
        body: { name: organisation, kind: 'domestic', grantedScopes },
      });
    const created = await put({});
    // An episode before has registered it.
    const response = created?.status === 428 ? await put({ 'if-match': '*' }) : created;
    if (response?.status !== 200) throw new Error(`${organisation}: ${response?.text}`);
  }

  /**
   * Sends a request to a server.
   *
   * @param {number} server 0 or 1
   * @param {object} request `by`: an organisation, or the number of an officer; `scope`; `method`; `path`; `body`: JSON;
   *   `lines`: NDJSON; `cutAt`: the line at which the connection ends; `accept`; `headers`
   * @param {{ loseAfterMs?: number }} options after that time the connection is closed
   * @returns {Promise<Response | undefined>} `undefined` if no complete response arrived
   */
  async send(server, request, { loseAfterMs } = {}) {
    const { method = 'GET', path, body, lines, cutAt, accept, headers } = request;
    const token = await this.#token(request.by, request.scope);
    const text = lines === undefined ? body && JSON.stringify(body) : renderLines(lines, cutAt);
    return new Promise((resolve) => {
      const sent = http.request(
        {
          host: '127.0.0.1',
          port: this.#service.ports[server],
          method,
          path,
          agent: cutAt === undefined ? this.#agent : false,
          headers: {
            authorization: `Bearer ${token}`,
            ...(text !== undefined && {
              'content-type': lines === undefined ? 'application/json' : 'application/x-ndjson',
              // Node.js gives the body of a DELETE no length.
              ...(cutAt === undefined && { 'content-length': Buffer.byteLength(text) }),
            }),
            ...(accept && { accept }),
            ...headers,
          },
        },
        (response) => {
          let received = '';
          response.setEncoding('utf8');
          response.on('data', (part) => {
            received += part;
          });
          response.on('end', () => resolve(readResponse(response, received)));
          response.on('error', () => resolve(undefined));
        },
      );
      const timer = setTimeout(() => sent.destroy(), loseAfterMs ?? TIMEOUT_MS);
      sent.on('error', () => undefined);
      sent.on('close', () => {
        clearTimeout(timer);
        resolve(undefined);
      });
      if (cutAt === undefined) sent.end(text);
      else sent.write(text, () => setTimeout(() => sent.destroy(), 20));
    });
  }

  /**
   * Reads a stream of events until there are so many.
   *
   * @param {string | undefined} lastId the id of the event after which it begins
   */
  async readEvents(server, { by, scope, path }, lastId, count) {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), TIMEOUT_MS);
    const url = `http://127.0.0.1:${this.#service.ports[server]}${path}`;
    const headers = {
      authorization: `Bearer ${await this.#token(by, scope)}`,
      accept: 'text/event-stream',
      ...(lastId !== undefined && { 'last-event-id': lastId }),
    };
    const events = [];
    try {
      const { body } = await fetch(url, { headers, signal: controller.signal });
      let rest = '';
      for await (const text of body.pipeThrough(new TextDecoderStream())) {
        const blocks = `${rest}${text}`.split('\n\n');
        rest = blocks.pop();
        events.push(...blocks.filter((block) => block.includes('data:')).map(readEvent));
        if (events.length >= count) break;
      }
    } finally {
      clearTimeout(timer);
      controller.abort();
    }
    return events;
  }

  async #token(by, scope) {
    const key = `${by} ${scope}`;
    const known = this.#tokens.get(key);
    if (known !== undefined && performance.now() - known.at < TOKEN_AGE_MS) return known.token;
    const number = OFFICERS[by]?.number ?? this.#world.numbers.get(by);
    let attempts = 0;
    // A server may be killed at any time.
    const token = await until(() => {
      const port = this.#service.ports[attempts++ % 2];
      return exchangeToken(this.#provider, port, number, `customs:${scope}`);
    }, `a token of ${by}`);
    this.#tokens.set(key, { token, at: performance.now() });
    return token;
  }

  close() {
    this.#agent.destroy();
  }
}

function readEvent(block) {
  const lineOf = (name) =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim();
  return { id: lineOf('id'), data: JSON.parse(lineOf('data')) };
}

function renderLines(lines, cutAt) {
  const rendered = lines.map((line) => `${JSON.stringify(line)}\n`);
  if (cutAt === undefined) return rendered.join('');
  const whole = rendered.slice(0, cutAt.line);
  const last = rendered[cutAt.line];
  return [...whole, cutAt.within ? last.slice(0, last.length / 2) : last].join('');
}

/** @returns {Response | undefined} */
function readResponse({ complete, statusCode, headers }, text) {
  if (!complete) return undefined;
  const type = headers['content-type'] ?? '';
  const response = { status: statusCode, text, next: headers.link };
  if (type.includes('ndjson')) {
    return {
      ...response,
      lines: text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    };
  }
  return type.includes('json') ? { ...response, body: JSON.parse(text) } : response;
}
