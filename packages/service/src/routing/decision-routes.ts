// HTTP of routing decisions: a JSON array, or NDJSON that is processed as it is received.
import { DECISIONS_OF_AN_ARRAY, operations, type RoutingDecisionResult } from '@landfall/contract';
import { readNdjsonAsStream } from '../http/ndjson.js';
import { addOperation, type RouteContext } from '../http/operation.js';
import { respondToLinesOrArray } from '../http/receive-lines.js';
import type { UploadedLine } from '../uploaded-line.js';
import { type DecisionCommits, MAX_DECISIONS_PER_BLOCK } from './commit-decisions.js';
import type { DecisionContext, MakeDecisionContext } from './decision-context.js';
import { postRoutingDecisions } from './post-routing-decisions.js';
import { type ReadDecision, readDecision } from './read-decision.js';
import type { RoutingResults } from './routing-results.js';

/** How much of an upload is decided at once. */
const BLOCK = { lines: MAX_DECISIONS_PER_BLOCK };

const ARRAY = { of: 'routing decisions', maxItems: DECISIONS_OF_AN_ARRAY };

export function addDecisionRoutes(
  http: RouteContext,
  commits: DecisionCommits,
  contextOf: MakeDecisionContext,
  results: RoutingResults,
): void {
  readNdjsonAsStream(http.app);
  addOperation(http, operations.postRoutingDecisions, (call) => {
    const { caller, request } = call;
    const decide = (lines: readonly UploadedLine[]) =>
      decideLines(commits, lines, contextOf(caller, request.id, http.movedClock?.()), results);
    return respondToLinesOrArray(http, call, BLOCK, decide, ARRAY);
  });
}

async function decideLines(
  commits: DecisionCommits,
  lines: readonly UploadedLine[],
  context: DecisionContext,
  results: RoutingResults,
): Promise<RoutingDecisionResult[]> {
  const read = lines.map(
    ({ value, unreadable }): ReadDecision =>
      unreadable === undefined ? readDecision(value, results) : { errors: [unreadable] },
  );
  const outcomes = await postRoutingDecisions(commits, read, context);
  return outcomes.map((outcome, index) => ({ line: lines[index]?.line ?? 0, ...outcome }));
}
