// Reads the routing of documents one by one: what was decided before the marker at which a wait begins.
import type { Connection } from '../connection/connection.js';
import { unexpected } from '../connection/result-form.js';
import type { CheckedConsignment } from '../contract/types.js';
import { checkRelease } from '../operations/operations.js';
import { mapConcurrently } from '../settling/map-concurrently.js';
import { type AwaitedDocument, type HouseReference, identifies } from './awaited-documents.js';

/** How many documents are looked up at a time. A service may take 100 ms for one. */
const CONCURRENCY = 16;

/** The service may limit requests, and restart in the meantime. */
const RETRY = { maxAttempts: Number.POSITIVE_INFINITY, maxElapsedMs: 120_000 };

/** A document, and what the service says of it. */
export type LookedUp<Item> = {
  awaited: AwaitedDocument<Item>;
  found: CheckedConsignment | undefined;
};

/**
 * Looks the documents up.
 *
 * @returns each with its house consignment; `undefined` if the organisation may know of none, or of several
 */
export function lookUpRoutings<Item extends HouseReference>(
  connection: Connection,
  documents: readonly AwaitedDocument<Item>[],
  signal: AbortSignal,
): AsyncGenerator<LookedUp<Item>, void, undefined> {
  return mapConcurrently(
    documents,
    CONCURRENCY,
    async (awaited, _, itemSignal) => {
      const { item } = awaited;
      const identifier = item.transportDocumentHouseLevel.documentNumber;
      const options = { signal: itemSignal, retry: RETRY };
      const check = await connection.call(checkRelease, { query: { identifier } }, options);
      if (!Array.isArray(check?.houseConsignments)) {
        throw unexpected(checkRelease.operationId, 'has no house consignments');
      }
      const same = check.houseConsignments.filter((one) => identifies(item, one));
      return { awaited, found: same.length === 1 ? same[0] : undefined };
    },
    signal,
  );
}
