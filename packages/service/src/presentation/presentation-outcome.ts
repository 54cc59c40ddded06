// What the statements of presenting give and take at every level.
import {
  type PresentationPath,
  type ReferenceProblem,
  referenceError,
  toStatusError,
  type ValidationError,
} from '@landfall/contract';
import type { Parameters } from '../database/parameters.js';

/** A problem of one request of a batch. */
export type RequestIssue = {
  /** Its index in the batch. */
  index: number;
  /** An affected organisation that is not locked: nothing was done for this request. */
  held: number | null;
  reused: boolean;
  problem: ReferenceProblem | null;
};

/** The result of a batch: its issues, what was appended, and the lodged goods that nobody has decided. */
export type PresentationsRow = {
  issues: RequestIssue[] | null;
  appended: string | null;
  undecided: string[];
};

/**
 * The part `recording` of a statement: the time at which it records, as a time and as the API writes it.
 *
 * @param recordedAt the time of a clock that may have been moved; without it, the database's
 */
export function recordTime(given: Parameters, recordedAt: Date | undefined): string {
  return `recording as materialized (
        select at, api_time(at) as text
        from (select record_time(${given.add(recordedAt?.toISOString(), 'timestamptz')}) as at offset 0) once
      )`;
}

/** The errors of a body as JSON text without the brackets, so that the reference's own can be added. */
export function errorsText(errors: readonly ValidationError[]): string | undefined {
  return errors.length === 0
    ? undefined
    : errors.map((error) => JSON.stringify(toStatusError(error))).join(',');
}

/** The ignored members of a body as JSON text without the brackets. */
export function ignoredText(members: readonly string[]): string | undefined {
  return members.length === 0 ? undefined : JSON.stringify(members).slice(1, -1);
}

/** The errors of references of a level, as they are in a status. */
export function problemTexts(path: PresentationPath): { notFound: string; ambiguous: string } {
  const text = (problem: ReferenceProblem) =>
    JSON.stringify(toStatusError(referenceError(path, problem)));
  return { notFound: text('REFERENCE_NOT_FOUND'), ambiguous: text('REFERENCE_AMBIGUOUS') };
}
