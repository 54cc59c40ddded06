// Requests for fuzz tests: valid requests to every operation of the contract's table, then changed. The same seed gives
// the same requests.
import { randomUUID } from 'node:crypto';
import { type Operation, operations, type PlaygroundCredentials } from '@landfall/contract';
import fc from 'fast-check';
import { FRESH_ID, freshIds } from './changed-json.js';
import { fuzzedBody } from './fuzzed-bodies.js';
import { identityFor, sampleBody, samplePath } from './request-samples.js';
import {
  encode,
  headers,
  methods,
  segments,
  textOf,
  unstorable,
  unusualValues,
} from './unusual-values.js';
import { pathsOf, putAt } from './worst-bodies.js';

/** A request as it is sent. */
export type FuzzedRequest = {
  operationId: string;
  method: string;
  /** Path and query. */
  path: string;
  /** The identity whose token it carries, if any. */
  identity: string | undefined;
  headers: Record<string, string>;
  body: string | undefined;
};

const pick = <Item>(items: readonly Item[]) => fc.constantFrom(...items);

/** Valid requests with one changed member or parameter: each of these, with each value that may be unstorable. */
export function* singleChanges(): Generator<FuzzedRequest> {
  const table: Operation[] = Object.values(operations);
  for (const operation of table) {
    const right = {
      operationId: operation.operationId,
      method: operation.method,
      identity: identityFor(operation),
    };
    for (const name of Object.keys(operation.query?.properties ?? {})) {
      for (const value of unstorable) {
        const query = `${name}=${encode(textOf(value))}`;
        const path = `${samplePath(operation)}?${query}`;
        yield { ...right, path, headers: {}, body: undefined };
      }
    }
    const schema = operation.body?.['application/json'];
    if (schema === undefined) continue;
    const sample = freshIds(sampleBody(operation, schema));
    for (const [path] of pathsOf(sample)) {
      for (const value of unstorable) {
        const body = putAt(sample, path, value).replaceAll(FRESH_ID, randomUUID());
        const headers = { 'content-type': 'application/json' };
        yield { ...right, path: samplePath(operation), headers, body };
      }
    }
  }
}

/** Requests to every operation. */
export function fuzzedRequests(
  credentials: readonly PlaygroundCredentials[],
): fc.Arbitrary<FuzzedRequest> {
  const table: Operation[] = Object.values(operations);
  return pick(table).chain((operation) => fuzzedRequest(operation, credentials));
}

function fuzzedRequest(
  operation: Operation,
  credentials: readonly PlaygroundCredentials[],
): fc.Arbitrary<FuzzedRequest> {
  const identity = identityFor(operation);
  return fc
    .record({
      method: fc.oneof({ weight: 8, arbitrary: fc.constant(operation.method) }, pick(methods)),
      path: fuzzedPath(operation),
      query: fuzzedQuery(operation),
      identity: fc.oneof(
        { weight: 8, arbitrary: fc.constant(identity) },
        pick([undefined, 'carrier', 'express', 'statistics', 'authority']),
      ),
      headers: fc.dictionary(pick(Object.keys(headers)), fc.nat(), { maxKeys: 2 }),
      body: fuzzedBody(operation, credentials),
    })
    .map(({ path, query, headers: chosen, body, ...rest }) => ({
      operationId: operation.operationId,
      ...rest,
      path: `${path}${query}`,
      headers: {
        ...(body !== undefined && { 'content-type': body.mediaType }),
        ...Object.fromEntries(
          Object.entries(chosen).map(([name, at]) => [name, headerValue(name, at)]),
        ),
      },
      body: body?.text,
    }));
}

function headerValue(name: string, at: number): string {
  const known = headers[name] ?? [''];
  return known[at % known.length] ?? '';
}

function fuzzedPath(operation: Operation): fc.Arbitrary<string> {
  const good = fc.constant(samplePath(operation));
  if (operation.parameters === undefined) return good;
  const bad = pick(segments).map((segment) => operation.path.replaceAll(/\{\w+\}/g, () => segment));
  return fc.oneof(good, bad);
}

function fuzzedQuery({ query }: Operation): fc.Arbitrary<string> {
  const names = Object.keys(query?.properties ?? {});
  const value = fc.oneof(
    pick(unusualValues.map(textOf)).map(encode),
    pick(segments),
    pick([
      '1',
      '1000',
      '2026-01-01T00:00:00Z',
      'SUCCESS',
      'PRESENTED',
      'N740',
      'NO351001',
      'JARU0000010',
    ]),
  );
  const name =
    names.length === 0 ? pick(['', 'a', '%00', '__proto__']) : pick([...names, ...names, '']);
  return fc
    .array(fc.tuple(name, value), { maxLength: names.length === 0 ? 1 : 4 })
    .map((pairs) =>
      pairs.length === 0 ? '' : `?${pairs.map((pair) => pair.join('=')).join('&')}`,
    );
}
