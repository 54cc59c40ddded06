// The one place that mints ids: UUID version 7, whose order is that of time (wire contract, conventions).
import { v7 } from 'uuid';

/** A new id. */
export function newId(): string {
  return v7();
}
