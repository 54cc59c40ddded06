// Routing runs: one decision on many house consignments.
import { Type } from 'typebox';
import {
  NewRoutingRun,
  NewRoutingRunReversal,
  RoutingRun,
  RoutingRunChange,
  RoutingRunPreview,
  RoutingRunQuery,
  RoutingRunResult,
  RoutingRunResultQuery,
  RUN_EXAMINED,
  RUN_IDS,
  RUN_SIZE,
} from '../../routing-run.js';
import { pageHeaders } from '../feed.js';
import { lines } from '../media-types.js';
import { MAX_JSON_BODY_BYTES, type Operation } from '../operation.js';

const runsPath = '/api/authority/v1/routing-runs';
const id = Type.String({ format: 'uuid', description: 'The id of the run' });
const etagHeader = { ETag: 'The member `etag`' };
const createdHeaders = { Location: 'The address of the run', ...etagHeader };
const number = (count: number) => count.toLocaleString('en-GB');

export const routingRunOperations = {
  createRoutingRun: {
    operationId: 'createRoutingRun',
    method: 'POST',
    path: runsPath,
    tag: 'Authority',
    summary: 'Decide on many house consignments',
    description: `Creates a run, which decides on up to ${number(RUN_SIZE)} house consignments in the background, some hundred at a time, and goes on after a restart. They are selected by filters or named by ids (at most ${number(RUN_IDS)}), or both, so that a run decides on exactly the list that somebody has seen, and the list does not change afterwards: it is what matched at one moment, however many there are. With \`preview\`, the response says how many there are and shows the first ones, and nothing is changed; sent again with that number as \`expectedCount\`, the run is created only if the selection still has as many.\n\nEach decision follows the rules of single ones, and is made only if the current decision is still the one of the moment at which the run was created: what somebody has decided since stays, and is a \`CONFLICT\` in the results. So is an officer's decision if a system creates the run. A selection by filters that would examine more than ${number(RUN_EXAMINED)} house consignments is refused with \`SIZE\`: add a document, an ENS, or \`from\` and \`to\`. Unknown members are errors, so that no misspelt filter is ignored. With four eyes, which the authority configures, a run that releases goods from control, or has many house consignments, is \`PROPOSED\`, and decides nothing until another officer has confirmed it. If the response is lost, list the runs before you send it again.`,
    access: ['authority/routing'],
    body: { 'application/json': NewRoutingRun },
    maxBodyBytes: MAX_JSON_BODY_BYTES,
    responses: {
      200: {
        description: 'A preview',
        content: { 'application/json': RoutingRunPreview },
      },
      201: {
        description: 'The run was created',
        content: { 'application/json': RoutingRun },
        headers: createdHeaders,
      },
    },
  },

  listRoutingRuns: {
    operationId: 'listRoutingRuns',
    method: 'GET',
    path: runsPath,
    tag: 'Authority',
    summary: 'List routing runs',
    description:
      'Runs in the order in which they were created, or with `newestFirst` in the reverse order.',
    access: ['authority/routing'],
    query: RoutingRunQuery,
    responses: {
      200: {
        description: 'Runs',
        content: { 'application/json': Type.Array(RoutingRun) },
        headers: pageHeaders,
      },
    },
  },

  getRoutingRun: {
    operationId: 'getRoutingRun',
    method: 'GET',
    path: `${runsPath}/{id}`,
    tag: 'Authority',
    summary: 'Read a routing run',
    description:
      'A run and its progress. It is 404 after retention has removed the run, with the last of its house consignments.',
    access: ['authority/routing'],
    parameters: { id },
    responses: {
      200: {
        description: 'The run',
        content: { 'application/json': RoutingRun },
        headers: etagHeader,
      },
    },
    problems: [404],
  },

  changeRoutingRun: {
    operationId: 'changeRoutingRun',
    method: 'PUT',
    path: `${runsPath}/{id}/state`,
    tag: 'Authority',
    summary: 'Confirm, pause, resume or give up a routing run',
    description:
      'When the response arrives, a run that is paused or given up decides nothing more. A run that is `PROPOSED` is confirmed with `RUNNING`, by another officer than the one who has created it, in the console or with a client of officers (else `FOUR_EYES`), or is given up. Giving up is final; what the run has decided remains, and can be reversed. The state that the run has already changes nothing; any other change of a run that has ended is refused with `RUN_STATE`. `If-Match` is required, so that a request that is sent again after its response was lost, as by a client library, does not undo what somebody else has changed meanwhile: 428 without it, 412 if the run has another state than the one that was read.',
    access: ['authority/routing'],
    parameters: { id },
    requiresIfMatch: true,
    headers: {
      'If-Match':
        'The `etag` of the run as it was read (RFC 9110, section 13.1.1). `*` is refused: every state fits it',
    },
    body: { 'application/json': RoutingRunChange },
    responses: {
      200: {
        description: 'The run after the change',
        content: { 'application/json': RoutingRun },
        headers: etagHeader,
      },
    },
    problems: [404],
  },

  listRoutingRunResults: {
    operationId: 'listRoutingRunResults',
    method: 'GET',
    path: `${runsPath}/{id}/results`,
    tag: 'Authority',
    summary: 'List the results of a routing run',
    description:
      'Every house consignment of the run, with the decision before and after, page by page, in the order in which they were pre-notified. CSV has the same members in columns, with a header line in each page.',
    access: ['authority/routing'],
    parameters: { id },
    query: RoutingRunResultQuery,
    responses: {
      200: {
        description: 'Results',
        content: {
          'application/json': Type.Array(RoutingRunResult),
          'application/x-ndjson': lines('One result per line', RoutingRunResult),
          'text/csv': Type.String({ description: 'A header line, and a line for each result' }),
        },
        headers: pageHeaders,
      },
    },
    problems: [404],
  },

  reverseRoutingRun: {
    operationId: 'reverseRoutingRun',
    method: 'POST',
    path: `${runsPath}/{id}/reversal`,
    tag: 'Authority',
    summary: 'Reverse a routing run',
    description:
      "Creates a run that decides again what was decided before a run that is completed or was given up: each house consignment whose routing that run has changed gets its routing of before, and is `UNDECIDED` if it had none. It is made only where the run's decision is still the current one: what somebody has decided since stays, and is a `CONFLICT` in the results. Presented goods that the run has sent `TO_ENTRY` may have been released, so they cannot become `UNDECIDED` again: `REFUSED` with `RELEASED`.",
    access: ['authority/routing'],
    parameters: { id },
    body: { 'application/json': NewRoutingRunReversal },
    responses: {
      200: {
        description: 'A preview',
        content: { 'application/json': RoutingRunPreview },
      },
      201: {
        description: 'The run was created',
        content: { 'application/json': RoutingRun },
        headers: createdHeaders,
      },
    },
    problems: [404],
  },
} as const satisfies Record<string, Operation>;
