// The addresses of the goods-item stream: publish, read, and read the items that stand.
import { isUtf8 } from 'node:buffer';
import {
  ATOMIC_PUBLISH_LIMIT,
  type CurrentGoodsItemsQuery,
  type GoodsItemsPublished,
  type GoodsItemsQuery,
  operations,
  PAGE_LIMIT,
} from '@landfall/contract';
import type { FastifyRequest } from 'fastify';
import { type FeedContext, serveFeed } from '../feed/serve-feed.js';
import { CompressibleText } from '../http/compressible-text.js';
import { linkToNext } from '../http/link.js';
import { preferredMediaType } from '../http/media-type.js';
import { NDJSON } from '../http/ndjson.js';
import { addOperation, compileQueryCheck, type RouteContext, refuse } from '../http/operation.js';
import { HttpError, ValidationFailedError } from '../http/problem.js';
import { goodsItemStream } from './event-feed.js';
import {
  listCurrentGoodsItems,
  readItemsPage,
  writeItemsPage,
} from './list-current-goods-items.js';
import type { PublishGoodsItems } from './publish-goods-items.js';
import { publishUpload, UploadBrokenOffError, type UploadOutcome } from './publish-upload.js';
import { readLines, type UploadLine } from './read-lines.js';
import { splitMessages } from './split-messages.js';

/** What the goods items need beside HTTP. */
export type GoodsItemsContext = FeedContext & { publishGoodsItems: PublishGoodsItems };

/** Largest body that is not NDJSON, in bytes: 10,000 messages of several thousand bytes each. */
const BODY_LIMIT = 64 * 1024 * 1024;

/** Messages of an array that are read before anybody else has a turn. */
const MESSAGES_A_TURN = 200;

export async function addGoodsItemsRoutes(
  http: RouteContext,
  context: GoodsItemsContext,
): Promise<void> {
  // Here bodies are not parsed by the server: a message comes out as it came in.
  await http.app.register(async (app) => {
    app.removeContentTypeParser(['application/json', NDJSON]);
    app.addContentTypeParser<Buffer>(
      'application/json',
      { parseAs: 'buffer' },
      (_request, body, done) => done(null, body),
    );
    app.addContentTypeParser(NDJSON, (_request, body, done) => done(null, body));
    addPublishGoodsItems({ ...http, app }, context);
  });
  addListGoodsItems(http, context);
  addListCurrentGoodsItems(http, context);
}

function addPublishGoodsItems(http: RouteContext, { publishGoodsItems }: GoodsItemsContext): void {
  addOperation(
    http,
    operations.publishGoodsItems,
    async (request, reply) => {
      const { stored, errors } = await publishUpload(linesOf(request), publishGoodsItems).catch(
        tellBrokenOff,
      );
      if (errors.count > 0) throw publicationRefused(stored, errors);
      return reply.code(202).type('application/json').send(JSON.stringify(stored));
    },
    { bodyLimit: BODY_LIMIT },
  );
}

/** The messages of a body, whatever its form, as lines. */
function linesOf(request: FastifyRequest): AsyncIterable<readonly UploadLine[]> {
  const { body } = request;
  if (Buffer.isBuffer(body)) return messagesOf(body);
  // Without a body no parser has been asked.
  if (body === undefined) throw bodyEmpty();
  return readLines(request.raw);
}

function bodyEmpty(): HttpError {
  return new HttpError(400, 'The body is empty: it is a message, an array of messages, or NDJSON');
}

async function* messagesOf(body: Buffer): AsyncGenerator<readonly UploadLine[]> {
  if (!isUtf8(body)) throw new HttpError(400, 'The body is not valid UTF-8');
  const text = body.toString('utf8');
  if (text.trim() === '') throw bodyEmpty();
  const messages = splitMessages(text);
  if (messages === undefined) throw new HttpError(400, 'The body is not valid JSON');
  if (messages.length === 0 || messages.length > ATOMIC_PUBLISH_LIMIT) {
    refuse({
      field: '',
      error: `size must be between 1 and ${ATOMIC_PUBLISH_LIMIT}: more are sent as ${NDJSON}`,
      code: 'SIZE',
    });
  }
  for (let start = 0; start < messages.length; start += MESSAGES_A_TURN) {
    yield messages.slice(start, start + MESSAGES_A_TURN);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** An error on the way of an upload, with how far it came. */
function tellBrokenOff(error: unknown): never {
  if (!(error instanceof UploadBrokenOffError)) throw error;
  const { cause, stored } = error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'DATABASE_UNAVAILABLE' || code === 'OVERLOADED') {
    const detail = `${howFar(stored)} What follows may be: send all of it again, and what is stored counts as duplicate.`;
    throw new HttpError(503, detail, { 'Retry-After': '1' }, { published: stored });
  }
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE') {
    throw new HttpError(400, `The upload broke off: ${howFar(stored)}`, {}, { published: stored });
  }
  throw cause;
}

function publicationRefused(
  stored: GoodsItemsPublished,
  errors: UploadOutcome['errors'],
): ValidationFailedError {
  const count = errors.count === 1 ? '1 rule is' : `${errors.count} rules are`;
  const which =
    errors.told.length < errors.count ? `; the first ${errors.told.length} are told` : '';
  return new ValidationFailedError(errors.told, `${count} broken${which}. ${howFar(stored)}`, {
    errorCount: errors.count,
    published: stored,
  });
}

function howFar({ accepted, duplicates }: GoodsItemsPublished): string {
  const stored = accepted + duplicates;
  return stored === 0 ? 'Nothing is stored.' : `The first ${stored} messages are stored.`;
}

function addListGoodsItems(http: RouteContext, context: GoodsItemsContext): void {
  const operation = operations.listGoodsItems;
  const checkQuery = compileQueryCheck<GoodsItemsQuery>(operation.query);
  addOperation(http, operation, (request, reply, caller) => {
    const { marker, limit } = checkQuery(request.query);
    return serveFeed(context, request, reply, caller, { feed: goodsItemStream, marker, limit });
  });
}

function addListCurrentGoodsItems(http: RouteContext, context: GoodsItemsContext): void {
  const operation = operations.listCurrentGoodsItems;
  const checkQuery = compileQueryCheck<CurrentGoodsItemsQuery>(operation.query);
  addOperation(http, operation, async (request, reply) => {
    const { declaration, page: pageText, limit = PAGE_LIMIT } = checkQuery(request.query);
    const page = pageText === undefined ? undefined : readItemsPage(pageText);
    if (pageText !== undefined && page === undefined) {
      refuse({ field: 'page', error: 'must be taken from a Link as it is', code: 'FORMAT' });
    }
    const mediaType =
      preferredMediaType(request.headers.accept, ['application/json', NDJSON]) ??
      'application/json';
    const items = await listCurrentGoodsItems(context.database, {
      declaration,
      page,
      limit,
      framing: mediaType === NDJSON ? 'ndjson' : 'json',
    });
    if (items.marker !== undefined) reply.header('Landfall-Marker', items.marker);
    if (items.next !== undefined) {
      reply.header(
        'Link',
        linkToNext(context.baseUrl, request.url, writeItemsPage(items.next), 'page'),
      );
    }
    reply.type(mediaType).header('Cache-Control', 'no-store');
    return new CompressibleText(items.body).send(request, reply);
  });
}
