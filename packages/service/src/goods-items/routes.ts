// HTTP of the goods-item stream: publish, read the stream, and read the current items.
import { Readable } from 'node:stream';
import { type GoodsItemsPublished, operations, PAGE_LIMIT } from '@landfall/contract';
import type { Database } from '../database/database.js';
import {
  checkRoomForPage,
  type FeedContext,
  type FeedNames,
  serveFeed,
} from '../feed/serve-feed.js';
import { AccessEndedError } from '../http/access-check.js';
import { CompressibleText } from '../http/compressible-text.js';
import { NDJSON } from '../http/ndjson.js';
import { addOperation, type RouteContext, refuse } from '../http/operation.js';
import { setPageHeaders } from '../http/page-headers.js';
import { HttpError, ValidationFailedError } from '../http/problem.js';
import { UnmetConditionError } from '../http/readiness-conditions.js';
import { receiveUpload } from '../http/receive-upload.js';
import { codeOf, messageOf } from '../native-error.js';
import type { GoodsItemReader } from './goods-item-reader.js';
import type { GoodsItemViews } from './goods-item-views.js';
import {
  type ItemsRequest,
  listCurrentGoodsItems,
  readItemsPage,
  writeItemsPage,
} from './list-current-goods-items.js';
import { listDeclarationItems } from './list-declaration-items.js';
import { listGoodsItems } from './list-goods-items.js';
import type { PublishBlock } from './publish-block.js';
import {
  publishGoodsItems,
  UploadInterruptedError,
  type UploadOutcome,
} from './publish-goods-items.js';
import { readJson, readLines } from './read-upload.js';
import type { ShownItems } from './shown-items.js';
import { UploadBudget, UploadsFullError } from './upload-budget.js';

/** The dependencies of the operations. */
export type GoodsItemsContext = FeedContext & {
  database: Database;
  publishBlock: PublishBlock;
  currentViews: GoodsItemViews;
  reader: GoodsItemReader;
  shownItems: ShownItems;
};

/** The names of the parameters at the national address. */
const nationalNames: FeedNames = { marker: 'last', since: 'timestamp' };

/** Maximum JSON body, in bytes: what is published all or none, with the white space of an indented text. */
const MAX_JSON_BYTES = operations.publishGoodsItems.maxBodyBytes;

export async function addGoodsItemsRoutes(
  http: RouteContext,
  context: GoodsItemsContext,
): Promise<void> {
  // Fastify does not parse these bodies: messages are stored verbatim, and read while the body is received.
  await http.app.register(async (app) => {
    app.removeContentTypeParser(['application/json', NDJSON]);
    for (const mediaType of ['application/json', NDJSON]) {
      app.addContentTypeParser(mediaType, (_request, body, done) => done(null, body));
    }
    addPublishGoodsItems({ ...http, app }, context);
  });
  addListGoodsItems(http, context);
  addListDeclarationItems(http, context);
  addListCurrentGoodsItems(http, context);
}

function addPublishGoodsItems(http: RouteContext, { publishBlock }: GoodsItemsContext): void {
  const budget = new UploadBudget();
  addOperation(http, operations.publishGoodsItems, async (call) => {
    const { body, caller, request, reply } = call;
    // Without a body Fastify calls no parser.
    if (!(body instanceof Readable)) throw bodyEmpty();
    const whole = !request.headers['content-type']?.toLowerCase().startsWith(NDJSON);
    const held = budget.open(caller.organisationId);
    try {
      const { stored, errors } = await receiveUpload(
        body,
        call,
        http.clock,
        ({ chunks, requireAccess }) => {
          const parts = whole ? readJson(limitLength(chunks)) : readLines(chunks);
          const sender = caller.organisationId;
          return publishGoodsItems(parts, { sender, publishBlock, requireAccess, held, whole });
        },
      );
      if (errors.count > 0) throw publicationRefused(stored, errors);
      return reply.code(202).type('application/json').send(JSON.stringify(stored));
    } catch (error) {
      throw explainInterruption(error);
    } finally {
      held.release();
    }
  });
}

function bodyEmpty(): HttpError {
  return new HttpError(400, 'The body is empty: it is a message, an array of messages, or NDJSON');
}

/** Refuses a JSON body that is too long, white space included. */
async function* limitLength(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > MAX_JSON_BYTES) {
      throw new HttpError(413, `A JSON body is at most ${MAX_JSON_BYTES} bytes; more as ${NDJSON}`);
    }
    yield chunk;
  }
}

/** The error of an interrupted upload, with the number of messages that are stored. */
function explainInterruption(error: unknown): unknown {
  if (!(error instanceof UploadInterruptedError)) return error;
  const { cause, stored } = error;
  const resend =
    'The following ones may be stored too. Resubmitting the whole upload is safe: stored messages count as duplicates.';
  if (cause instanceof UploadsFullError) {
    const status = cause.whose === 'organisation' ? 429 : 503;
    const detail = `Too many uploads: ${cause.message}. ${describeStored(stored)} Retry later.`;
    return new HttpError(status, detail, { 'Retry-After': '2' }, { published: stored });
  }
  if (cause instanceof AccessEndedError) {
    const headers = { 'WWW-Authenticate': 'Bearer error="invalid_token"' };
    return new HttpError(401, `${cause.message}. ${describeStored(stored)}`, headers, {
      published: stored,
    });
  }
  if (cause instanceof UnmetConditionError) {
    const detail = `${cause.message}. ${describeStored(stored)}`;
    return new HttpError(503, detail, { 'Retry-After': '1' }, { published: stored });
  }
  const code = codeOf(cause);
  if (code === 'DATABASE_UNAVAILABLE' || code === 'OVERLOADED') {
    const detail = `${describeStored(stored)} ${resend}`;
    return new HttpError(503, detail, { 'Retry-After': '1' }, { published: stored });
  }
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE') {
    return new HttpError(
      400,
      `The upload was interrupted. ${describeStored(stored)}`,
      {},
      { published: stored },
    );
  }
  return cause;
}

function publicationRefused(
  stored: GoodsItemsPublished,
  { count, reported }: UploadOutcome['errors'],
): ValidationFailedError {
  const broken = count === 1 ? '1 rule is' : `${count} rules are`;
  const which = reported.length < count ? `; the first ${reported.length} are reported` : '';
  return new ValidationFailedError(
    reported,
    `${broken} broken${which}. ${describeStored(stored)}`,
    {
      errorCount: count,
      published: stored,
    },
  );
}

function describeStored({ accepted, duplicates }: GoodsItemsPublished): string {
  const stored = accepted + duplicates;
  return stored === 0 ? 'Nothing is stored.' : `The first ${stored} messages are stored.`;
}

function addListGoodsItems(http: RouteContext, context: GoodsItemsContext): void {
  const { reader } = context;
  addOperation(http, operations.listGoodsItems, (call) =>
    serveFeed(
      context,
      call,
      listGoodsItems(call.query, () => reader.findRestriction(call.caller.organisationId)),
    ),
  );
}

function addListDeclarationItems(http: RouteContext, context: GoodsItemsContext): void {
  addOperation(http, operations.listDeclarationItems, async (call) => {
    try {
      const restrict = () => context.reader.findRestriction(call.caller.organisationId);
      const read = listDeclarationItems(call.query, restrict);
      return await serveFeed(context, call, read, nationalNames);
    } catch (error) {
      const code = codeOf(error);
      if (code !== 'UNKNOWN_MARKER' && code !== 'MARKER_EXPIRED') throw error;
      throw new HttpError(404, `${nationalNames.marker}: ${messageOf(error)}`);
    }
  });
}

function addListCurrentGoodsItems(http: RouteContext, context: GoodsItemsContext): void {
  addOperation(http, operations.listCurrentGoodsItems, async (call) => {
    const { query, mediaType, caller, request, reply } = call;
    const { declaration, page: pageText, limit = PAGE_LIMIT } = query;
    const page = pageText === undefined ? undefined : readItemsPage(pageText);
    if (pageText !== undefined && page === undefined) {
      refuse({ field: 'page', error: 'must be taken from a Link as it is', code: 'FORMAT' });
    }
    checkRoomForPage(context, caller);
    const wanted: ItemsRequest = {
      declaration,
      page,
      limit,
      framing: mediaType === NDJSON ? 'ndjson' : 'json',
    };
    const view = await context.currentViews.find(caller.organisationId);
    const items = await (view === undefined
      ? listCurrentGoodsItems(context.database, wanted)
      : context.shownItems.list(view, wanted));
    if (items.marker !== undefined) reply.header('Landfall-Marker', items.marker);
    const { count } = items;
    const next = items.next && writeItemsPage(items.next);
    setPageHeaders(context.baseUrl, request, reply, { count, next }, 'page');
    return new CompressibleText(items.body).send(request, reply.type(mediaType));
  });
}
