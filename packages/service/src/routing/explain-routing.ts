// Explains why an organisation reads no signal of a house consignment, or where the signal is in its feed.
import {
  type ExplanationCode,
  type ExplanationQuery,
  explanations,
  identifierKey,
  keysOf,
  type RoutingExplanation,
  transportDocumentTypes,
} from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { type ExplainedRow, selectExplained } from './explanation-queries.js';

/** Few enough that a response takes no longer for a number that many others have. */
const MAX_EXAMINED = 1000;

/**
 * The reason for one organisation: of goods to which it is no party and whose signals it does not receive, nothing is said.
 *
 * @returns `undefined` if it may know of several with the document
 */
export async function explainRouting(
  database: Queryable,
  organisationId: number,
  { documentNumber, type, mrn }: ExplanationQuery,
): Promise<RoutingExplanation | undefined> {
  const document = {
    key: identifierKey(documentNumber),
    types: type === undefined ? keysOf(transportDocumentTypes) : [type],
    mrn,
  };
  const [row, other] = await database.query(
    selectExplained(organisationId, document, MAX_EXAMINED),
  );
  if (other !== undefined) return undefined;
  const code = codeOf(row);
  return {
    code,
    ...explanations[code],
    ...(row?.marker != null && { marker: row.marker }),
    ...(row?.issuedAt != null && { documentIssueDate: row.issuedAt }),
  };
}

function codeOf(row: ExplainedRow | undefined): ExplanationCode {
  if (row === undefined) return 'NOT_PRE_NOTIFIED_OR_NOT_YOURS';
  if (!row.presented) return 'NOT_PRESENTED';
  if (!row.decided) return 'NOT_DECIDED';
  return row.before ? 'DECIDED_BEFORE_YOU' : 'IN_YOUR_FEED';
}
