// Where cases begin to read a feed: after everything that was in it before the run.
import type { Caller, OperationId } from '../http/caller.js';
import type { Role } from '../settings/settings.js';
import { expect, expectStatus, readJson } from './expect.js';
import { markerOf } from './markers.js';

/** Maximum number of pages that are read to find the end of a feed. */
const MAX_PAGES = 5000;

/** The feeds that a role may read. */
const feedsOfRole: Partial<Record<Role, readonly OperationId[]>> = {
  presenter: ['readRoutingSignals', 'listValidationStatuses', 'listMovementStatuses'],
  other: ['readRoutingSignals', 'listValidationStatuses', 'listMovementStatuses'],
  foreign: ['readRoutingSignals', 'listValidationStatuses'],
  reader: ['listGoodsItems'],
};

/** The ends of the feeds of each role before the first case. */
export class FeedStarts {
  readonly #found = new Map<string, Promise<string | undefined>>();

  /** Finds the ends of the feeds of a role. A failure is that of the cases that use them. */
  async prepare(role: Role, caller: Caller): Promise<void> {
    const feeds = feedsOfRole[role] ?? [];
    const searches = feeds.map((operationId) => {
      const search = findEnd(caller, operationId);
      this.#found.set(`${operationId} ${role}`, search);
      return search;
    });
    await Promise.allSettled(searches);
  }

  /** The marker of the last entry, or `undefined` if the feed was empty. */
  find(operationId: OperationId, role: Role): Promise<string | undefined> {
    const found = this.#found.get(`${operationId} ${role}`);
    if (found === undefined) throw new Error(`the requirement does not say that it needs ${role}`);
    return found;
  }
}

async function findEnd(caller: Caller, operationId: OperationId): Promise<string | undefined> {
  let marker: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const response = await caller.call(operationId, { query: { marker } });
    expectStatus(response, 200);
    const entries = readJson(response);
    expect(Array.isArray(entries), 'a page of a feed is not an array');
    const last = entries.at(-1);
    if (last === undefined) return marker;
    const next = markerOf(operationId, last);
    expect(next !== marker, `the page after ${marker} ends with that entry again`);
    marker = next;
  }
  throw new Error(`the feed has more than ${MAX_PAGES} pages`);
}
