// The marker of an entry of each feed.
import { isObject } from '@landfall/contract';
import type { OperationId } from '../http/caller.js';
import { NotMetError } from './expect.js';

/** The path of the id of an entry, by the operation that reads the feed. */
const markerPaths: Partial<Record<OperationId, readonly string[]>> = {
  readRoutingSignals: ['routingResult', 'id'],
  listValidationStatuses: ['requestId'],
  getValidationStatus: ['requestId'],
  listGoodsItems: ['metadata', 'eventId'],
  listHouseConsignments: ['id'],
  listMovementStatuses: ['requestId'],
};

/** The marker to continue after an entry. */
export function markerOf(operationId: OperationId, entry: unknown): string {
  const path = markerPaths[operationId] ?? [];
  let value = entry;
  for (const name of path) value = isObject(value) ? value[name] : undefined;
  if (typeof value === 'string') return value;
  throw new NotMetError(
    `an entry has no ${path.join('.')}: ${JSON.stringify(entry)?.slice(0, 300)}`,
  );
}
