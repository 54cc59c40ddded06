// What the SQL of presenting gives and takes at every level.
import {
  type PresentationPath,
  type ReferenceProblem,
  referenceError,
  toStatusError,
  type ValidationError,
} from '@landfall/contract';

/** A problem of one request of a batch. */
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
 * Positions that the feeds of an organisation are known to have reached; 0 without any. The search for the end of a
 * feed starts there and reads a few entries instead of a page of the index. A position that the feed does not have, as
 * after a restore, is not trusted.
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
