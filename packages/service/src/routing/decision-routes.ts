// HTTP of routing decisions: a JSON array, or NDJSON that is processed as it is received.
import { Readable } from 'node:stream';
import {
  DECISIONS_OF_AN_ARRAY,
  operations,
  type RoutingDecisionResult,
  type ValidationError,
} from '@landfall/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { makeNegotiation } from '../http/media-type.js';
import { NDJSON, readBlocks, readNdjsonAsStream, toLines } from '../http/ndjson.js';
import { addOperation, type RouteContext, refuse } from '../http/operation.js';
import { receiveUpload } from '../http/receive-upload.js';
import { streamResponse } from '../http/stream-response.js';
import { startSummary } from '../http/upload-summary.js';
import { type DecisionCommits, MAX_DECISIONS_PER_BLOCK } from './commit-decisions.js';
import type { DecisionContext, MakeDecisionContext } from './decision-context.js';
import { postRoutingDecisions } from './post-routing-decisions.js';
import { type ReadDecision, readDecision } from './read-decision.js';

/** How much of an upload is decided at once. */
const BLOCK = { lines: MAX_DECISIONS_PER_BLOCK };

const JSON_TYPE = 'application/json';

/** The media type that Accept prefers; that of the body if it has no preference. */
const preferLines = makeNegotiation([NDJSON, JSON_TYPE]);
const preferArray = makeNegotiation([JSON_TYPE, NDJSON]);

export function addDecisionRoutes(
  http: RouteContext,
  commits: DecisionCommits,
  contextOf: MakeDecisionContext,
): void {
  readNdjsonAsStream(http.app);
  addOperation(http, operations.postRoutingDecisions, (call) => {
    const { body, caller, request, reply } = call;
    const decide = (lines: readonly Line[]) =>
      decideLines(commits, lines, contextOf(caller, request.id, http.movedClock?.()));
    if (!(body instanceof Readable)) {
      return respondToArray(request, reply, checkArray(body), decide);
    }
    const mediaType = preferLines(request.headers.accept) ?? NDJSON;
    return streamResponse(reply, mediaType, body, http.unreadResults, async (add) => {
      await receiveUpload(body, call, http.clock, async ({ chunks, requireAccess }) => {
        for await (const block of readBlocks(chunks, BLOCK, caller.organisationId)) {
          await requireAccess();
          await add(await decide(block));
        }
      });
    });
  });
}

/** Decides a block and returns a result for each line. */
type Decide = (lines: readonly Line[]) => Promise<RoutingDecisionResult[]>;

/** A decision as it was sent, with its line or its number in the array, from 1. */
type Line = { line: number; value: unknown; unreadable?: ValidationError };

async function respondToArray(
  request: FastifyRequest,
  reply: FastifyReply,
  decisions: readonly unknown[],
  decide: Decide,
): Promise<FastifyReply> {
  const mediaType = preferArray(request.headers.accept) ?? JSON_TYPE;
  const summary = mediaType === NDJSON ? startSummary(reply) : undefined;
  const texts: string[] = [];
  for (let start = 0; start < decisions.length; start += MAX_DECISIONS_PER_BLOCK) {
    const block = decisions.slice(start, start + MAX_DECISIONS_PER_BLOCK);
    const results = await decide(block.map((value, index) => ({ line: start + index + 1, value })));
    for (const result of results) summary?.add(result);
    texts.push(...results.map((result) => JSON.stringify(result)));
  }
  const text = mediaType === NDJSON ? toLines(texts) : `[${texts.join(',')}]`;
  return reply.type(mediaType).send(`${text}${summary?.text() ?? ''}`);
}

async function decideLines(
  commits: DecisionCommits,
  lines: readonly Line[],
  context: DecisionContext,
): Promise<RoutingDecisionResult[]> {
  const read = lines.map(
    ({ value, unreadable }): ReadDecision =>
      unreadable === undefined ? readDecision(value) : { errors: [unreadable] },
  );
  const outcomes = await postRoutingDecisions(commits, read, context);
  return outcomes.map((outcome, index) => ({ line: lines[index]?.line ?? 0, ...outcome }));
}

function checkArray(body: unknown): unknown[] {
  const broken = (error: string, code: ValidationError['code']) =>
    refuse({ field: '', error, code });
  if (!Array.isArray(body)) return broken('must be an array of routing decisions', 'FORMAT');
  if (body.length === 0 || body.length > DECISIONS_OF_AN_ARRAY) {
    return broken(`size must be between 1 and ${DECISIONS_OF_AN_ARRAY}`, 'SIZE');
  }
  return body;
}
