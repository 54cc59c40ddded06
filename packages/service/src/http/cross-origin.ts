// Lets pages of other origins call the API (CORS, in the Fetch standard of WHATWG), if the configuration lists them.
import type { IncomingHttpHeaders } from 'node:http';
import { operations } from '@landfall/contract';

/** Origins of this machine, whatever their port: for a playground. */
const LOOPBACK = 'loopback';

/** What takes a token or gives one. Never pages and cookies of the console. */
const PATHS = /\/(?:api|idp)\//;
const CONSOLE_PATHS = /\/console\//;

/** Headers of responses that a client needs and that a browser does not show without this. */
const EXPOSED =
  'Date, ETag, Landfall-Count, Landfall-Marker, Landfall-Timeline, Link, Preference-Applied, Retry-After';

/** How long a browser keeps the response to a preflight request, in seconds. */
const MAX_AGE = '600';

/** What a page may send. Nothing says that credentials may be included, so a browser sends no cookies. */
const PREFLIGHT = {
  'Access-Control-Allow-Methods': [
    ...new Set(Object.values(operations).map(({ method }) => method)),
  ].join(', '),
  'Access-Control-Allow-Headers':
    'authorization, content-type, if-match, if-none-match, last-event-id, prefer, traceparent',
  'Access-Control-Max-Age': MAX_AGE,
};

/** The origins that may call the API. */
export class CrossOrigins {
  readonly #origins: ReadonlySet<string>;
  readonly #allowsLoopback: boolean;

  /** @param configured as the configuration has them; empty: none */
  constructor(configured: string) {
    const listed = configured === '' ? [] : configured.split(',');
    this.#origins = new Set(listed.filter((each) => each !== LOOPBACK));
    this.#allowsLoopback = listed.includes(LOOPBACK);
  }

  /** The headers of the response to a request; `undefined` if it needs none. */
  headersFor(url: string, { origin }: IncomingHttpHeaders): Record<string, string> | undefined {
    const path = url.split(/[?#]/, 1)[0] ?? '';
    const isConfigured = this.#origins.size > 0 || this.#allowsLoopback;
    if (!isConfigured || !PATHS.test(path) || CONSOLE_PATHS.test(path)) return undefined;
    if (origin === undefined || !this.#allows(origin)) return { Vary: 'Origin' };
    return {
      Vary: 'Origin',
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Expose-Headers': EXPOSED,
    };
  }

  /** The headers of the response to a preflight request; `undefined` if the request is another one. */
  preflight(
    method: string,
    headers: Record<string, string> | undefined,
  ): Record<string, string> | undefined {
    const isAllowed = headers !== undefined && 'Access-Control-Allow-Origin' in headers;
    return isAllowed && method === 'OPTIONS' ? { ...headers, ...PREFLIGHT } : undefined;
  }

  #allows(origin: string): boolean {
    return this.#origins.has(origin) || (this.#allowsLoopback && isLoopback(origin));
  }
}

function isLoopback(origin: string): boolean {
  if (!isOrigin(origin)) return false;
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(origin).hostname);
}

/** An origin exactly as a browser sends it. */
function isOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

/** Whether a list of the configuration has only origins as browsers send them, and `loopback`. */
export function areOrigins(list: string): boolean {
  return list === '' || list.split(',').every((each) => each === LOOPBACK || isOrigin(each));
}

/** The rule in words. */
export const ORIGINS_RULE =
  'origins such as https://app.example, separated by commas: scheme, host and port in small letters, without a path; or loopback, for every port of this machine';
