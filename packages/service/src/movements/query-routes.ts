// HTTP of queries: what a message reaches, the statuses of documents, and the entry status.
import {
  isMrn,
  MAX_QUERIED_CONSIGNMENTS,
  MAX_RECEPTACLE_LENGTH,
  operations,
} from '@landfall/contract';
import type { FastifyReply } from 'fastify';
import type { Queryable } from '../database/database.js';
import { type FeedContext, readWhenGrown } from '../feed/serve-feed.js';
import type { Caller } from '../http/caller.js';
import { modeOfAddress } from '../http/mode-of-address.js';
import { addOperation, type RouteContext } from '../http/operation.js';
import { requestedWait } from '../http/preferences.js';
import { HttpError, ValidationFailedError } from '../http/problem.js';
import { messageNotFound } from './address-http.js';
import type { Asking, EntryRow, Named } from './descendant-queries.js';
import { getDescendants } from './get-descendants.js';
import { type EntryFeeds, getEntryStatus, isWorthReport } from './get-entry-status.js';
import { type DocumentsOf, listHouseDocuments } from './list-house-documents.js';
import { listMasterDocumentsOfTransport } from './list-master-documents-of-transport.js';
import type { Queried } from './queried-text.js';
import { movementStatuses } from './status-feed.js';

/** What the routes need. */
export type QueryContext = Pick<FeedContext, 'watch' | 'clock' | 'turns'> & {
  database: Queryable;
  /** Whether only expected parties present, so that only messages of such parties couple. */
  expectedOnly: boolean;
} & EntryFeeds;

/** How often an entry status is computed again for one who waits, if nothing wakes them, in milliseconds. */
const REREAD_MS = 3000;

/** A control character is in no number that was accepted, and the database takes no U+0000. */
const CONTROL = /\p{Cc}/u;

type Address = { mode: string; version: string };

export function addQueryRoutes(http: RouteContext, context: QueryContext): void {
  const { database, expectedOnly } = context;
  const askingOf = (params: Address, { organisationId }: Caller): Asking => ({
    organisationId,
    mode: modeOfAddress(params).name,
    expectedOnly,
  });
  const listDocuments = async (
    params: Address,
    caller: Caller,
    reply: FastifyReply,
    of: DocumentsOf,
    named: Named,
  ) => {
    const asking = askingOf(params, caller);
    const found = isMrnOrDocument(named)
      ? await listHouseDocuments(database, of, asking)
      : undefined;
    return sendQueried(reply, found, named);
  };

  for (const [level, operation] of [
    ['transport', operations.getTransportDescendants],
    ['master-consignment', operations.getMasterDescendants],
  ] as const) {
    addOperation(http, operation, async ({ params, caller, reply }) => {
      const { mrn } = params;
      const asking = askingOf(params, caller);
      const found = isMrn(mrn) ? await getDescendants(database, level, mrn, asking) : undefined;
      return sendQueried(reply, found, { mrn });
    });
  }

  addOperation(
    http,
    operations.listMasterDocumentsOfTransport,
    async ({ params, caller, reply }) => {
      const { mrn } = params;
      const asking = askingOf(params, caller);
      const found = isMrn(mrn)
        ? await listMasterDocumentsOfTransport(database, mrn, asking)
        : undefined;
      return sendQueried(reply, found, { mrn });
    },
  );

  addOperation(http, operations.listHouseDocumentsOfTransport, ({ params, caller, reply }) => {
    const { mrn } = params;
    return listDocuments(params, caller, reply, { transport: mrn }, { mrn });
  });
  addOperation(http, operations.listHouseDocumentsOfMaster, ({ params, caller, reply }) => {
    const { mrn } = params;
    return listDocuments(params, caller, reply, { master: { mrn } }, { mrn });
  });
  addOperation(http, operations.getHouseDocument, ({ params, caller, reply }) => {
    const { mrn } = params;
    return listDocuments(params, caller, reply, { house: { mrn } }, { mrn });
  });
  addOperation(http, operations.findHouseDocumentsOfMaster, ({ params, query, caller, reply }) =>
    listDocuments(params, caller, reply, { master: query }, query),
  );
  addOperation(http, operations.findHouseDocument, ({ params, query, caller, reply }) =>
    listDocuments(params, caller, reply, { house: query }, query),
  );

  addOperation(
    http,
    operations.listHouseDocumentsOfReceptacle,
    async ({ params, caller, reply }) => {
      const { id } = params;
      const asking = askingOf(params, caller);
      const found =
        id.length <= MAX_RECEPTACLE_LENGTH && !CONTROL.test(id)
          ? await listHouseDocuments(database, { receptacle: id }, asking)
          : '[]';
      return sendQueried(reply, found, undefined);
    },
  );

  addOperation(http, operations.getEntryStatus, async ({ params, caller, request, reply }) => {
    const { mrn } = params;
    const asking = askingOf(params, caller);
    if (!isMrn(mrn)) throw messageNotFound(mrn);
    const wait = requestedWait(request);
    const owner = caller.organisationId;
    let first: { found: EntryRow | undefined } | undefined;
    const found = await readWhenGrown(context, request, caller, {
      feed: [context.signals, movementStatuses].map((kind) => ({ kind, owner })),
      wait,
      readNow: () =>
        context.turns.take(owner, reply.raw, () => getEntryStatus(database, mrn, asking)),
      isThere: (now) => {
        first ??= { found: now };
        return isWorthReport(first.found, now);
      },
      // A carrier is sent no signal of goods to which it is no party.
      rereadMs: REREAD_MS,
    });
    if (found === undefined) throw messageNotFound(mrn);
    if (wait > 0) reply.header('Preference-Applied', `wait=${wait}`);
    return reply.type('application/json').send(found.body);
  });
}

const isMrnOrDocument = (named: Named) => !('mrn' in named) || isMrn(named.mrn);

/** @param named the message that was asked about; `undefined` if it was none */
function sendQueried(reply: FastifyReply, found: Queried, named: Named | undefined) {
  if (found === undefined) throw notFound(named);
  if (found !== 'too many') return reply.type('application/json').send(found);
  const most = MAX_QUERIED_CONSIGNMENTS.toLocaleString('en-GB');
  throw new ValidationFailedError([
    {
      field: fieldOf(named),
      error: `More than ${most} house consignments: ask for each master consignment`,
      code: 'SIZE',
    },
  ]);
}

function fieldOf(named: Named | undefined): string {
  if (named === undefined) return 'id';
  return 'mrn' in named ? 'mrn' : 'documentNumber';
}

function notFound(named: Named | undefined): HttpError {
  if (named !== undefined && 'mrn' in named) return messageNotFound(named.mrn);
  return new HttpError(404, 'This organisation has no message with this document here');
}
