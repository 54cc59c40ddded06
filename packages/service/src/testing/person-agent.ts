// A person's browser without pages, for tests of signing in: it keeps cookies, and signs in at the provider's form.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';

/** Maximum number of redirects in a row. */
const MAX_REDIRECTS = 10;

/** The session, as pages of the console read it. */
export type SessionView = {
  name: string;
  organisation: string;
  role: string;
  assignments: { organisation: string; role: string }[];
  scopes: string[];
  csrfToken: string;
};

/** A browser with its cookies, of each origin, by path. */
export class PersonAgent {
  readonly #cookies = new Map<
    string,
    { origin: string; path: string; name: string; value: string }
  >();
  readonly #baseUrl: string;

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /**
   * Sends a request with the cookies of its address, and keeps those of the response. A test is faster than a person: over
   * a limit of requests a second it waits, and sends the request again.
   */
  async send(address: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(address, this.#baseUrl);
    const headers = new Headers({ accept: 'text/html', ...init.headers });
    const cookies = [...this.#cookies.values()].filter(
      ({ origin, path }) => origin === url.origin && url.pathname.startsWith(path),
    );
    if (cookies.length > 0) {
      headers.set('cookie', cookies.map(({ name, value }) => `${name}=${value}`).join('; '));
    }
    const response = await fetch(url, { redirect: 'manual', ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const name = pair.slice(0, pair.indexOf('='));
      const value = pair.slice(name.length + 1);
      const path = /; *path=([^;]*)/i.exec(line)?.[1] ?? '/';
      const key = `${url.origin} ${path} ${name}`;
      if (value === '' || /max-age=0/i.test(line)) this.#cookies.delete(key);
      else this.#cookies.set(key, { origin: url.origin, path, name, value });
    }
    if (response.status !== 429 || !response.headers.has('ratelimit-policy')) return response;
    await response.body?.cancel();
    await delay(Number(response.headers.get('retry-after')) * 1000);
    return this.send(address, init);
  }

  /** The value of a cookie of the console. */
  cookie(name: string): string | undefined {
    return [...this.#cookies.values()].find((cookie) => cookie.name === name)?.value;
  }

  /** Follows redirects until a page, which it returns with its address. */
  async open(address: string): Promise<{ url: URL; response: Response; text: string }> {
    let url = new URL(address, this.#baseUrl);
    for (let redirects = 0; redirects < MAX_REDIRECTS; redirects++) {
      const response = await this.send(url.href);
      const location = response.headers.get('location');
      if (location === null) return { url, response, text: await response.text() };
      await response.body?.cancel();
      url = new URL(location, url);
    }
    throw new Error(`${address}: more than ${MAX_REDIRECTS} redirects`);
  }

  /** Goes to the provider and signs in there; stops at the address with which it sends the browser back. */
  async goToProvider(account: string, returnTo = '/console/'): Promise<URL> {
    return this.signInAtProvider(
      account,
      `/console/sign-in?return=${encodeURIComponent(returnTo)}`,
    );
  }

  /** Signs in at the form of the provider to which this address leads, as `goToProvider` does. */
  async signInAtProvider(account: string, address: string): Promise<URL> {
    const page = await this.open(address);
    const action = /<form[^>]* action="([^"]+)"/.exec(page.text)?.[1];
    assert(action !== undefined, `${page.url.href}: ${page.text.slice(0, 500)}`);
    let response = await this.send(new URL(action, page.url).href, {
      method: 'POST',
      body: new URLSearchParams({ prompt: 'login', login: account, password: 'any' }),
    });
    for (let redirects = 0; redirects < MAX_REDIRECTS; redirects++) {
      const location = response.headers.get('location');
      assert(location !== null, `the provider responded with ${response.status}`);
      const url = new URL(location, page.url);
      if (url.origin === new URL(this.#baseUrl).origin) return url;
      response = await this.send(url.href);
    }
    throw new Error('too many redirects');
  }

  /** Signs in, and returns the page at which the person arrives. */
  async signIn(account: string, returnTo?: string): Promise<URL> {
    const { url } = await this.open((await this.goToProvider(account, returnTo)).href);
    return url;
  }

  /** Signs out at the provider, and not at the console. */
  async signOutAtProvider(issuer: string): Promise<void> {
    const page = await this.open(`${issuer}/session/end`);
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page.text)?.[1];
    assert(xsrf !== undefined, page.text.slice(0, 500));
    const response = await this.send(`${issuer}/session/end/confirm`, {
      method: 'POST',
      body: new URLSearchParams({ xsrf, logout: 'yes' }),
    });
    assert(response.status < 400, `the provider responded with ${response.status}`);
  }

  /** The session; `undefined` if nobody has signed in. */
  async session(): Promise<SessionView | undefined> {
    const response = await this.send('/console/session');
    if (response.status === 204) return undefined;
    assert.equal(response.status, 200);
    // The cast is true because this is what pages read.
    return (await response.json()) as SessionView;
  }

  /** Sends a request to an operation, or to the session, as a page does. */
  async act(path: string, method = 'GET', body?: unknown): Promise<Response> {
    const session = await this.session();
    return this.send(path, {
      method,
      headers: {
        accept: 'application/json',
        origin: new URL(this.#baseUrl).origin,
        'landfall-csrf-token': session?.csrfToken ?? '',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }
}
