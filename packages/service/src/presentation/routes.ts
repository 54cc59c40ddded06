// HTTP of presentation: five levels to present at, batches of house consignments, and the statuses of requests.
import { Readable } from 'node:stream';
import {
  DEFAULT_MAX_BODY_BYTES,
  isMrn,
  isUuid,
  type Operation,
  operations,
  type PresentationPath,
} from '@landfall/contract';
import { type FeedContext, readStatus, serveFeed } from '../feed/serve-feed.js';
import { actorOf } from '../http/caller.js';
import { makeNegotiation } from '../http/media-type.js';
import { type BlockLimits, NDJSON, readBlocks, readNdjsonAsStream } from '../http/ndjson.js';
import { addOperation, type OperationCall, type RouteContext, refuse } from '../http/operation.js';
import { prefersStrict } from '../http/preferences.js';
import { HttpError, ValidationFailedError } from '../http/problem.js';
import { receiveUpload } from '../http/receive-upload.js';
import { streamResponse } from '../http/stream-response.js';
import { LINES_OF_A_BLOCK, makeBlockTurns } from './block-turns.js';
import { getValidationStatus } from './get-validation-status.js';
import { listValidationStatuses } from './list-validation-statuses.js';
import type { PresentConsignment } from './present-consignment.js';
import { presentHouseConsignments } from './present-house-consignments.js';
import { validationStatuses } from './status-feed.js';
import { type CheckPresentation, readSubmission, type Submission } from './submission.js';

/** What presentation needs beside HTTP. */
export type PresentationContext = FeedContext & {
  presentConsignment: PresentConsignment;
  /** Whether a reference number is in CL141 on a day. */
  isCustomsOffice: (referenceNumber: string, on: Date) => boolean;
  /** Further errors of a presentation, which is then refused and recorded as any other. */
  checkPresentation: CheckPresentation;
};

const levels: Record<PresentationPath, Operation> = {
  'house-consignment': operations.presentHouseConsignment,
  'master-consignment': operations.presentMasterConsignment,
  container: operations.presentContainer,
  receptacle: operations.presentReceptacle,
  'entry-summary-declaration': operations.presentEntrySummaryDeclaration,
};

/** Media types of the status of one request. */
const statusMediaTypes = ['application/json', NDJSON];
const negotiateStatus = makeNegotiation(statusMediaTypes);

const statusPath = operations.listValidationStatuses.path;

export function addPresentationRoutes(http: RouteContext, context: PresentationContext): void {
  for (const [path, operation] of Object.entries(levels) as [PresentationPath, Operation][]) {
    addPresentOperation(http, context, path, operation);
  }
  addPresentHouseConsignments(http, context);
  addListValidationStatuses(http, context);
  addGetValidationStatus(http, context);
}

function addPresentOperation(
  http: RouteContext,
  context: PresentationContext,
  path: PresentationPath,
  operation: Operation,
): void {
  addOperation(http, operation, async ({ body, caller, request, reply }) => {
    const submission = submissionReader(http, context, path, { request, reply })(body);
    const outcome = await context.presentConsignment({
      organisationId: caller.organisationId,
      actor: actorOf(caller),
      submission,
    });
    if (!outcome.accepted) throw new ValidationFailedError(outcome.errors);
    const { requestId } = outcome;
    return reply
      .code(202)
      .header('Location', `${http.baseUrl}${statusPath}/${requestId}`)
      .type('application/json')
      .send(`{"requestId":"${requestId}"}`);
  });
}

/** Makes the function that reads a body of a level, as the request prefers. */
function submissionReader(
  http: RouteContext,
  { isCustomsOffice, checkPresentation }: PresentationContext,
  path: PresentationPath,
  { request, reply }: Pick<OperationCall<Operation>, 'request' | 'reply'>,
): (body: unknown) => Submission {
  const strict = prefersStrict(request);
  if (strict) reply.header('Preference-Applied', 'handling=strict');
  return (body) =>
    readSubmission(path, body, (office) => isCustomsOffice(office, http.clock()), {
      furtherErrors: checkPresentation(path, body),
      strict,
    });
}

/** The lines of a block, and the length of each: the maximum of the body of a single presentation. */
const BLOCK: BlockLimits = { lines: LINES_OF_A_BLOCK, line: DEFAULT_MAX_BODY_BYTES };

function addPresentHouseConsignments(http: RouteContext, context: PresentationContext): void {
  const turns = makeBlockTurns();
  readNdjsonAsStream(http.app);
  addOperation(http, operations.presentHouseConsignments, async (call) => {
    const { body, caller, reply } = call;
    if (!(body instanceof Readable)) throw new HttpError(400, 'The body is empty');
    const read = submissionReader(http, context, 'house-consignment', call);
    const results = { unread: http.unreadResults, refused: 400 } as const;
    return streamResponse(reply, NDJSON, body, results, async (addResults, noteBegun) => {
      await receiveUpload(body, call, http.clock, ({ chunks, requireAccess }) =>
        presentHouseConsignments(readBlocks(chunks, BLOCK, caller.organisationId), {
          organisationId: caller.organisationId,
          actor: actorOf(caller),
          present: context.presentConsignment,
          turns,
          read,
          requireAccess,
          addResults,
          noteBegun,
        }),
      );
    });
  });
}

function addListValidationStatuses(http: RouteContext, context: PresentationContext): void {
  addOperation(http, operations.listValidationStatuses, (call) =>
    serveFeed(context, call, listValidationStatuses(call.caller.organisationId, call.query)),
  );
}

function addGetValidationStatus(http: RouteContext, context: PresentationContext): void {
  addOperation(http, operations.getValidationStatus, async (call) => {
    const { params, query, caller, request, reply } = call;
    const { reference } = params;
    if (!isUuid(reference)) {
      if (!isMrn(reference)) {
        refuse({
          field: 'reference',
          error: 'must be a requestId (UUID) or the MRN of an entry summary declaration',
          code: 'FORMAT',
        });
      }
      const read = listValidationStatuses(caller.organisationId, { ...query, mrn: reference });
      return serveFeed(context, call, read);
    }
    const mediaType = negotiateStatus(request.headers.accept);
    if (mediaType === undefined) {
      throw new HttpError(406, `Accept must admit one of ${statusMediaTypes.join(', ')}`);
    }
    const status = await readStatus(context, call, validationStatuses, (view) =>
      getValidationStatus(view, caller.organisationId, reference),
    );
    if (status === undefined) {
      throw new HttpError(
        404,
        `This organisation has made no request ${reference}, or it is not recorded yet`,
      );
    }
    reply.header('Landfall-Count', 1);
    return reply.type(mediaType).send(mediaType === NDJSON ? `${status}\n` : status);
  });
}
