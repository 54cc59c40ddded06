// A view as the operations give it, and in which state one may be changed.
import { createHash } from 'node:crypto';
import type { StoredGoodsItemView } from '@landfall/contract';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import type { ViewRow } from './view-queries.js';

/** Changing views. */
export type ViewsContext = {
  database: Database;
  audit: AuditTrail;
  /** Called after each change. */
  currentViews: { forget(): void };
};

/** In which state the view must be: any, missing, or existing with an entity tag for which the function returns `true`. */
export type Precondition = 'any' | 'missing' | ((etag: string) => boolean);

/** The view with its entity tag; `undefined` for one that was removed. */
export function toStoredView({
  view,
  changedAt,
  ...row
}: ViewRow): StoredGoodsItemView | undefined {
  if (view === null) return undefined;
  const { organisation, version, changedBy } = row;
  const stored = { organisation, version, view, changedAt: changedAt.toISOString(), changedBy };
  return { ...stored, etag: etagOf(stored) };
}

function etagOf(stored: Omit<StoredGoodsItemView, 'etag'>): string {
  const digest = createHash('sha256').update(JSON.stringify(stored)).digest();
  return `"${digest.subarray(0, 16).toString('base64url')}"`;
}

/** The view has another state than the one that was to be changed. Nothing was changed. */
export class ViewChangedError extends Error {
  readonly code = 'VIEW_CHANGED';
  override name = 'ViewChangedError';

  constructor(organisation: string) {
    super(
      `The view of ${organisation} has changed since it was read, or was removed: read it again`,
    );
  }
}

/** The view that was to be set for the first time exists. Nothing was changed. */
export class ViewExistsError extends Error {
  readonly code = 'VIEW_EXISTS';
  override name = 'ViewExistsError';

  constructor(organisation: string) {
    super(`${organisation} has a view already: read it, and replace it with If-Match`);
  }
}

/** A view was to be replaced, whatever its state is. Nothing was changed. */
export class ViewStateRequiredError extends Error {
  readonly code = 'VIEW_STATE_REQUIRED';
  override name = 'ViewStateRequiredError';

  constructor(organisation: string) {
    super(
      `${organisation} has a view already, and all of it would be replaced: send the etag of what was read, as If-Match`,
    );
  }
}

/**
 * Checks that a view may be changed.
 *
 * @param before the view that is stored
 * @throws ViewChangedError, ViewExistsError
 */
export function checkPrecondition(
  organisation: string,
  before: StoredGoodsItemView | undefined,
  precondition: Precondition,
): void {
  if (precondition === 'any') return;
  if (precondition === 'missing') {
    if (before !== undefined) throw new ViewExistsError(organisation);
  } else if (before === undefined || !precondition(before.etag)) {
    throw new ViewChangedError(organisation);
  }
}
