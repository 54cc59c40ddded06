// What the SQL of presentation gives and takes at every level, and the look-up of one status.
import {
  type PresentationPath,
  type ReferenceProblem,
  referenceError,
  toStatusError,
  type ValidationError,
} from '@landfall/contract';
import type { Statement } from '../database/database.js';

/** Something to say about one request of a batch. */
export type RequestIssue = {
  /** Its index in the batch. */
  index: number;
  /** An affected organisation that is not locked: nothing was done for this request. */
  held: number | null;
  reused: boolean;
  problem: ReferenceProblem | null;
};

/** The result of a batch: its issues, and where the feeds that grew end now, by organisation. */
export type PresentationsRow = {
  issues: RequestIssue[] | null;
  status_ends: Record<string, number> | null;
  signal_ends: Record<string, number> | null;
};

/**
 * Positions that the feeds of an organisation have reached at least, or zero. From there the search for the end reads
 * the last entries, and else a whole page of the index. One that the feed does not have, as after a restore, is not
 * trusted.
 */
export type CachedEnds = { status: number; signal: number };

/** The errors of a body as JSON text without the brackets, so that the reference's own can be added. */
export function errorsText(errors: readonly ValidationError[]): string | undefined {
  return errors.length === 0
    ? undefined
    : errors.map((error) => JSON.stringify(toStatusError(error))).join(',');
}

/** The errors of references of a level, as they are in a status. */
export function problemTexts(path: PresentationPath): { notFound: string; ambiguous: string } {
  const text = (problem: ReferenceProblem) =>
    JSON.stringify(toStatusError(referenceError(path, problem)));
  return { notFound: text('REFERENCE_NOT_FOUND'), ambiguous: text('REFERENCE_AMBIGUOUS') };
}

export function selectStatus(organisationId: number, requestId: string): Statement {
  return {
    name: 'select-validation-status',
    text: 'select entry from validation_status where owner = $1 and id = $2',
    values: [organisationId, requestId],
  };
}
