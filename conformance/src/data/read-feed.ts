// Reads a feed page by page with markers.
import { isObject } from '@landfall/contract';
import type { Caller, CallOptions, OperationId } from '../http/caller.js';
import type { HttpResponse } from '../http/exchange.js';
import type { Role } from '../settings/settings.js';
import type { CaseContext } from '../suite/case-context.js';
import { expect, expectStatus, readJson } from '../suite/expect.js';
import { markerOf } from '../suite/markers.js';

/** An entry of a feed. */
export type Entry = Record<string, unknown>;

/** Maximum number of pages that a case reads. */
const MAX_PAGES = 2000;

/** The entries of one page. */
export function readEntries(response: HttpResponse): Entry[] {
  expectStatus(response, 200);
  const entries = readJson(response);
  expect(Array.isArray(entries), 'a page of a feed is not an array');
  return entries.map((entry) => {
    expect(isObject(entry), 'an entry of a feed is not an object');
    return entry;
  });
}

/**
 * Reads a feed after a marker to its end, or to the page with the entry `upTo`: a feed that others extend has no end for
 * a reader with short pages.
 */
export async function readAll(
  caller: Caller,
  operationId: OperationId,
  marker: string | undefined,
  { limit, upTo, ...options }: CallOptions & { limit?: number; upTo?: string | undefined } = {},
): Promise<Entry[]> {
  const all: Entry[] = [];
  let after = marker;
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = { ...options.query, marker: after, limit };
    const entries = readEntries(await caller.call(operationId, { ...options, query }));
    const last = entries.at(-1);
    if (last === undefined) return all;
    all.push(...entries);
    const next = markerOf(operationId, last);
    expect(next !== after, `the page after ${after} ends with that entry again`);
    after = next;
    if (entries.some((entry) => markerOf(operationId, entry) === upTo)) return all;
  }
  throw new Error(`a case read ${MAX_PAGES} pages without an end`);
}

/** The signals of a declaration that a role may read, issued since the run began. */
export async function readSignals(context: CaseContext, role: Role, mrn: string): Promise<Entry[]> {
  const start = await context.start(role, 'readRoutingSignals');
  const entries = await readAll(context.as(role), 'readRoutingSignals', start);
  return entries.filter((entry) => entry.entrySummaryDeclarationMRN === mrn);
}

/** A member within an entry, such as `routingResult.routing` or `validationErrors.0.code`. */
export function memberOf(entry: unknown, path: string): unknown {
  let value = entry;
  for (const name of path.split('.')) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  }
  return value;
}

/** The `rel="next"` address of a page (RFC 8288), as path and query; `undefined` if there is none. */
export function nextPage({ headers }: HttpResponse, baseUrl: string): URL | undefined {
  const link = /<([^<>]*)>\s*;[^,<]*rel="?next"?/.exec(headers.get('link') ?? '')?.[1];
  return link === undefined ? undefined : new URL(link, baseUrl);
}

/** The marker of the last entry that a role may read now. */
export async function endOfFeed(
  context: CaseContext,
  role: Role,
  operationId: OperationId,
): Promise<string | undefined> {
  const start = await context.start(role, operationId);
  const entries = await readAll(context.as(role), operationId, start);
  const last = entries.at(-1);
  return last === undefined ? start : markerOf(operationId, last);
}
