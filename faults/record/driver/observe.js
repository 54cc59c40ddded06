// Reads everything that the service says of the goods of a world.
const AUTHORITY = '/api/authority/v1';
const BY_OFFICER = { by: 0, scope: 'authority/routing' };

/** The longest range that arrivals are counted in, less the difference of the clocks, in milliseconds. */
const RANGE_MS = 160 * 3_600_000;

/** Statuses and signals, as their feeds are named in an observation. */
export const FEEDS = {
  statuses: {
    path: '/api/movement/presentation/v1/validation-status',
    idOf: ({ requestId }) => requestId,
  },
  signals: {
    path: '/api/movement/routing/v1/house-consignment',
    idOf: ({ routingResult }) => routingResult.id,
  },
};

const FORMATS = ['application/json', 'application/x-ndjson'];

/** Reads what the service says. It may read from either server, and in any format. */
export class Observer {
  #client;
  #world;
  #random;
  /** What was read of each feed, which must never change. */
  #read = new Map();

  constructor(client, world, random) {
    this.#client = client;
    this.#world = world;
    this.#random = random;
  }

  /** A response to a read that must succeed. */
  async get(request) {
    for (let attempt = 0; ; attempt++) {
      const response = await this.#client.send(this.#random.below(2), request);
      if (response?.status === 200 || response?.status === 404) return response;
      // A session that was terminated is noticed with its next use.
      if (attempt === 5 || (response !== undefined && response.status !== 503)) {
        throw new Error(`${request.path}: ${response?.status} ${response?.text}`);
      }
    }
  }

  /** The new entries of both feeds of each organisation, added to those that were read before. */
  async readFeeds() {
    const feeds = { statuses: {}, signals: {} };
    await Promise.all(
      Object.keys(FEEDS).flatMap((kind) =>
        this.#world.organisations.map(async (organisation) => {
          const key = `${kind} ${organisation}`;
          const before = this.#read.get(key) ?? [];
          const added = await this.#readAfter(kind, organisation, before.at(-1));
          this.#read.set(key, [...before, ...added]);
          feeds[kind][organisation] = this.#read.get(key);
        }),
      ),
    );
    return feeds;
  }

  /** Reads both feeds of each organisation again from some entry, as pages or events; describes each that has changed. */
  async rereadFeeds() {
    const changed = [];
    for (const [key, all] of this.#read) {
      const [kind, organisation] = key.split(' ');
      const start = this.#random.below(all.length + 1);
      const before = all.slice(start);
      const last = all[start - 1];
      const again = this.#random.chance(0.3)
        ? await this.#readEvents(kind, organisation, last, before.length)
        : await this.#readAfter(kind, organisation, last);
      const common = again.slice(0, before.length);
      if (JSON.stringify(common) !== JSON.stringify(before)) {
        changed.push(`${key}: read again, the feed is another: ${JSON.stringify(common)}`);
      }
    }
    return changed;
  }

  /** The entries after one of them, page by page. */
  async #readAfter(kind, organisation, last) {
    const { path, idOf } = FEEDS[kind];
    const entries = [];
    for (;;) {
      const marker = entries.at(-1) ?? last;
      const limit = 1 + this.#random.below(9);
      const accept = this.#random.pick(FORMATS);
      const query = `limit=${limit}${marker === undefined ? '' : `&marker=${idOf(marker)}`}`;
      const response = await this.get({
        by: organisation,
        scope: 'movement/entry',
        path: `${path}?${query}`,
        accept,
      });
      const page = response.lines ?? response.body;
      if (page === undefined) throw new Error(`${path}: ${response.status} ${response.text}`);
      entries.push(...page);
      if (!response.next?.includes('rel="next"')) return entries;
    }
  }

  /** So many entries after one of them, as events. */
  async #readEvents(kind, organisation, last, count) {
    if (count === 0) return [];
    const { path, idOf } = FEEDS[kind];
    const events = await this.#client.readEvents(
      this.#random.below(2),
      { by: organisation, scope: 'movement/entry', path },
      last && idOf(last),
      count,
    );
    return events.map(({ data }) => data);
  }

  /** The house consignments that a search finds, all of its pages. */
  async search(filters) {
    const found = [];
    for (let marker = ''; ; ) {
      const query = new URLSearchParams({ ...filters, limit: String(1 + this.#random.below(9)) });
      const response = await this.get({
        ...BY_OFFICER,
        path: `${AUTHORITY}/house-consignments?${query}${marker}`,
      });
      found.push(...response.body);
      const next = /[?&]marker=([^&>]+)/.exec(response.next ?? '');
      if (next === null) return found;
      marker = `&marker=${next[1]}`;
    }
  }

  /** All house consignments of the world. */
  async searchAll() {
    const found = await Promise.all(this.#world.mrns.map((mrn) => this.search({ mrn })));
    return found.flat();
  }

  async history(id) {
    return (
      await this.get({ ...BY_OFFICER, path: `${AUTHORITY}/house-consignments/${id}/history` })
    ).body;
  }

  async declaration(mrn) {
    const response = await this.get({
      by: 0,
      scope: 'authority/registry',
      path: `${AUTHORITY}/entry-summary-declarations/${mrn}`,
    });
    return response.status === 404 ? undefined : response.body;
  }

  /** @param {string | undefined} organisation `undefined` for the authority */
  async release(identifier, organisation) {
    const by =
      organisation === undefined ? BY_OFFICER : { by: organisation, scope: 'movement/entry' };
    const path = `/api/movement/routing/v1/release?identifier=${identifier}`;
    return (await this.get({ ...by, path })).body;
  }

  /** The numbers of arrivals at each office, of all episodes. */
  async arrivals() {
    const time = (offset) => new Date(Date.now() + offset).toISOString();
    const query = new URLSearchParams({ from: time(-RANGE_MS), to: time(60_000) });
    const { body } = await this.get({ ...BY_OFFICER, path: `${AUTHORITY}/arrivals?${query}` });
    const offices = {};
    for (const { customsOfficeOfPresentation: office, ...numbers } of body.arrivals) {
      offices[office] ??= { presented: 0, toControl: 0, toEntry: 0, undecided: 0 };
      for (const name of Object.keys(offices[office])) offices[office][name] += numbers[name];
    }
    return offices;
  }

  /** Presented goods of all episodes that wait for a decision. */
  async undecidedArrivals() {
    return (await this.get({ ...BY_OFFICER, path: `${AUTHORITY}/undecided-arrivals` })).body;
  }

  async statusesOf(organisation, mrn) {
    const path = `${FEEDS.statuses.path}/${mrn}`;
    return (await this.get({ by: organisation, scope: 'movement/entry', path })).body;
  }
}
