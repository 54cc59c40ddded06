// SQL that presentations of every level share: what comes of a batch, its statuses, and its record.
import { type PresentationPath, presentationLevels } from '@landfall/contract';
import type { Statement } from '../database/database.js';
import { routingSignals } from '../routing/signal-feed.js';
import { type ReferenceProblem, referenceError, toStatusError } from './reference-errors.js';
import { validationStatuses } from './status-feed.js';
import type { PresentationRequest } from './submission.js';

/** What became of a request that was not simply recorded. */
export type Exception = {
  /** Its place in the batch. */
  place: number;
  /** Nothing was done, because a feed that it may append to is not locked. */
  busy: boolean;
  reused: boolean;
  problem: ReferenceProblem | null;
  /** The declarant and the representative of the goods, where their feeds may be what is not locked. */
  parties?: (number | null)[];
};

/** What became of a batch: its exceptions, and where the feeds that grew end now, by organisation. */
export type PresentationsRow = {
  exceptions: Exception[] | null;
  status_ends: Record<string, number> | null;
  signal_ends: Record<string, number> | null;
};

/** Positions that the feeds of an organisation are known to have reached; zero when nothing is known. */
export type KnownEnds = { status: number; signal: number };

/** The errors of a body as JSON text without the brackets, so that the reference's own can be added. */
export function statusErrors(
  errors: PresentationRequest['submission']['errors'],
): string | undefined {
  return errors.length === 0
    ? undefined
    : errors.map((error) => JSON.stringify(toStatusError(error))).join(',');
}

/** Whether the requestId of a request (r) is spent: an expression that looks it up. */
// Not "exists", which the planner may answer by reading the whole table into a hash.
export const requestIdSpent = `(
  select true from validation_status s where s.owner = r.presenter and s.id = r.id limit 1) is not null`;

/** An error of the reference as it stands in a status, as a text of SQL. */
function statusErrorText(path: PresentationPath, problem: ReferenceProblem): string {
  return `'${JSON.stringify(toStatusError(referenceError(path, problem))).replaceAll("'", "''")}'`;
}

/**
 * The entry of a status, as an expression over the columns `request_text`, `failed`, `notified`, `mrn_reached`,
 * `office`, `houses`, `errors` and `problem`.
 */
export function statusEntry(path: PresentationPath): string {
  return `
    '{"requestId":"' || request_text
    || '","status":"' || case when failed then 'FAILURE' else 'SUCCESS' end
    || '","level":"${presentationLevels[path].level}","notificationDate":"' || notified
    || coalesce('","mrn":"' || mrn_reached, '')
    || coalesce('","customsOfficeOfPresentation":"' || office, '')
    || '","houseConsignments":' || houses
    || case when failed then ',"validationErrorList":[' || concat_ws(',', errors, case problem
        when 'REFERENCE_NOT_FOUND' then ${statusErrorText(path, 'REFERENCE_NOT_FOUND')}
        when 'REFERENCE_AMBIGUOUS' then ${statusErrorText(path, 'REFERENCE_AMBIGUOUS')} end)
        || ']' else '' end
    || '}'`;
}

/** All that the batch appends, for its record in the audit trail: positions, with the entries or their digests. */
export function appended(column: 'entry' | 'digest'): string {
  return `
    select ${validationStatuses.number} as feed, owner, position, ${column} from new_status
    union all select ${routingSignals.number}, owner, position, ${column} from new_signal`;
}

/**
 * The batch's record in the audit trail: what was begun outside ($3), the places (from 0) of the requests that failed
 * and of those that were not recorded, and what was appended. Where nothing was appended, nothing has changed.
 *
 * @param parts queries: two with a column `place`, and one that lists what was appended (audit/queries.ts)
 */
export function recordText(parts: {
  failed: string;
  notRecorded: string;
  appended: string;
}): string {
  return `
    select $3::text
      || coalesce(',"failed":' || (select json_agg(place)::text from (${parts.failed}) failed), '')
      || coalesce(',"notRecorded":' || (select json_agg(place)::text from (${parts.notRecorded}) left_out), '')
      || ',"appended":' || appended || '}}' as entry
    from (${parts.appended}) listed
    where (select true from new_status limit 1)`;
}

export function selectStatus(organisationId: number, requestId: string): Statement {
  return {
    name: 'select-validation-status',
    text: 'select entry from validation_status where owner = $1 and id = $2',
    values: [organisationId, requestId],
  };
}
