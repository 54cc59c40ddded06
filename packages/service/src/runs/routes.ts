// HTTP of routing runs.
import {
  isUuid,
  NewRoutingRun,
  NewRoutingRunReversal,
  operations,
  RoutingRunChange,
  type RoutingRunResult,
} from '@landfall/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../http/caller.js';
import { NDJSON, toLines } from '../http/ndjson.js';
import { addOperation, compileBodyCheck, type RouteContext } from '../http/operation.js';
import { setPageHeaders } from '../http/page-headers.js';
import { readRequiredIfMatch } from '../http/precondition.js';
import { ValidationFailedError } from '../http/problem.js';
import { changeRoutingRun } from './change-routing-run.js';
import { createRoutingRun } from './create-routing-run.js';
import { getRoutingRun } from './get-routing-run.js';
import { listRoutingRunResults } from './list-routing-run-results.js';
import { listRoutingRuns } from './list-routing-runs.js';
import { reverseRoutingRun } from './reverse-routing-run.js';
import { type MakeRunContext, RunNotFoundError, type Runs, type ShownRun } from './runs.js';
import type { StartedRun } from './start-run.js';
import { writeCsv } from './write-csv.js';

const CSV = 'text/csv';

export function addRunRoutes(http: RouteContext, runs: Runs, contextOf: MakeRunContext): void {
  // A misspelt filter that is ignored would select everything.
  const readRun = compileBodyCheck<NewRoutingRun>(NewRoutingRun);
  const readReversal = compileBodyCheck<NewRoutingRunReversal>(NewRoutingRunReversal);
  const readChange = compileBodyCheck<RoutingRunChange>(RoutingRunChange);
  const { database } = runs;

  const decider = ({ caller, request }: { caller: Caller; request: FastifyRequest }) =>
    contextOf(caller, request.id, http.movedClock?.());

  const sendStarted = (reply: FastifyReply, started: StartedRun) => {
    if ('errors' in started) throw new ValidationFailedError(started.errors);
    if ('preview' in started) return sendJson(reply, started.preview);
    const { path } = operations.getRoutingRun;
    reply.header('Location', `${http.baseUrl}${path.replace('{id}', started.run.id)}`);
    return sendRun(reply.code(201), started.run);
  };

  addOperation(http, operations.createRoutingRun, async (call) =>
    sendStarted(call.reply, await createRoutingRun(runs, readRun(call.body), decider(call))),
  );

  addOperation(http, operations.reverseRoutingRun, async (call) => {
    const reversal = readReversal(call.body);
    const id = checkId(call.params);
    return sendStarted(call.reply, await reverseRoutingRun(runs, id, reversal, decider(call)));
  });

  addOperation(http, operations.listRoutingRuns, async ({ query, request, reply }) => {
    const { entries, next } = await listRoutingRuns(database, query);
    setPageHeaders(http.baseUrl, request, reply, { count: entries.length, next });
    return sendJson(reply, `[${entries.join(',')}]`);
  });

  addOperation(http, operations.getRoutingRun, async ({ params, reply }) =>
    sendRun(reply, await getRoutingRun(database, checkId(params))),
  );

  addOperation(http, operations.changeRoutingRun, async (call) => {
    const { params, body, request, reply } = call;
    const { state } = readChange(body);
    const id = checkId(params);
    const isExpected = readRequiredIfMatch(request.headers);
    const changed = await changeRoutingRun(runs, id, state, isExpected, decider(call));
    if ('errors' in changed) throw new ValidationFailedError(changed.errors);
    return sendRun(reply, changed.run);
  });

  addOperation(http, operations.listRoutingRunResults, async (call) => {
    const { params, query, mediaType, request, reply } = call;
    const { entries, next } = await listRoutingRunResults(database, checkId(params), query);
    setPageHeaders(http.baseUrl, request, reply, { count: entries.length, next });
    return reply.type(mediaType).send(render(entries, mediaType));
  });
}

function render(entries: readonly string[], mediaType: string): string {
  if (mediaType === NDJSON) return toLines(entries);
  if (mediaType !== CSV) return `[${entries.join(',')}]`;
  // The cast is true because the entries are results in the form of the contract.
  return writeCsv(entries.map((entry) => JSON.parse(entry) as RoutingRunResult));
}

function checkId({ id }: { id: string }): string {
  if (!isUuid(id)) throw new RunNotFoundError(id);
  return id;
}

function sendRun(reply: FastifyReply, { body, etag }: ShownRun): FastifyReply {
  return sendJson(reply.header('ETag', etag), body);
}

function sendJson(reply: FastifyReply, body: string): FastifyReply {
  return reply.type('application/json').send(body);
}
