// Requests that last, of every operation and in every way in which it may: tests open them, and see how they end.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, request as sendRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Operation } from '@landfall/contract';
import { v7 } from 'uuid';
import { lastingKindsOf } from '../access-ends.js';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { register } from '../registry/register.js';
import { MULTIPART_TYPE, makeUpload } from './multipart.js';
import { sampleBody, samplePath } from './request-samples.js';

/** Enough house consignments that no buffer of a connection has all of them. */
const HOUSES = 70_000;
const HOUSES_AT_ONCE = 10_000;
export const LARGE_MRN = '26NO00000000000077';

/** Goods that are presented and not decided. */
const UNDECIDED = { mrn: '26NO00000000000078', documentNumber: 'UNDECIDED' };

/** What lasts, as a test opens it: an upload waits for its sender, or is sent line by line. */
type OpenedKind =
  | 'request'
  | 'events'
  | 'wait'
  | 'idle-upload'
  | 'busy-upload'
  | 'download'
  | 'body';

/** A request to an operation, and whose access it has. */
export type LastingRequest = {
  operation: Operation;
  kind: OpenedKind;
  holder: 'token' | 'session';
};

/** Something that is open: when it has ended, with what the client received. */
type Opened = {
  /** `complete`: whether the response has ended in order. */
  ended: Promise<{ status: number; text: string; complete: boolean }>;
  isOpen: () => boolean;
  /** Resolves when the response begins, and after a second if the response waits for something. */
  begun: Promise<unknown>;
  close: () => void;
};

export function openedKindsOf(operation: Operation): OpenedKind[] {
  if (operation.access === 'public') return [];
  const kinds = lastingKindsOf(operation).flatMap((kind): OpenedKind[] =>
    kind === 'upload' ? ['idle-upload', 'busy-upload'] : [kind],
  );
  return ['request', ...kinds];
}

/** Opens it at a server whose database has what `registerGoods` registers. */
export function openRequest(
  baseUrl: string,
  { operation, kind, holder }: LastingRequest,
  headers: Record<string, string>,
): { opened: Opened; goOn: () => void } {
  const parameters: Record<string, string> = {};
  if (kind === 'download') parameters.mrn = LARGE_MRN;
  // The status of one request is not a stream, those of an ENS are.
  if (kind === 'events') parameters.reference = LARGE_MRN;
  const path = samplePath(operation, parameters);
  // A check waits for goods that are not decided.
  const query = operation.operationId === 'checkRelease' ? `?identifier=${UNDECIDED.mrn}` : '';
  const url = `${baseUrl}${holder === 'session' ? '/console/api' : ''}${path}${query}`;
  let body = '';
  const isUpload = kind === 'idle-upload' || kind === 'busy-upload';
  const own: Record<string, string> = {};
  if (kind === 'events') own.accept = 'text/event-stream';
  if (kind === 'wait') own.prefer = 'wait=60';
  if (isUpload) own['content-type'] = 'application/x-ndjson';
  if (kind === 'body') {
    const [mediaType = '', schema = {}] = Object.entries(operation.body ?? {})[0] ?? [];
    const isParts = mediaType === 'multipart/form-data';
    body = mediaType.endsWith('json') ? JSON.stringify(sampleBody(operation, schema)) : 'a,b\n';
    if (isParts) body = makeUpload('text').toString();
    own['content-type'] = isParts ? MULTIPART_TYPE : mediaType;
    own['content-length'] = String(Buffer.byteLength(body));
  }
  let isOpen = true;
  let sending: NodeJS.Timeout | undefined;
  let resume: () => void = () => undefined;
  const request = sendRequest(url, { method: operation.method, headers: { ...headers, ...own } });
  const ended = new Promise<Awaited<Opened['ended']>>((resolve) => {
    let response: IncomingMessage | undefined;
    let text = '';
    const finish = () => {
      isOpen = false;
      clearInterval(sending);
      resolve({
        status: response?.statusCode ?? 0,
        text,
        complete: response?.complete ?? false,
      });
    };
    request.on('error', finish);
    request.on('close', finish);
    request.on('response', (received) => {
      response = received;
      received.on('error', finish);
      received.on('close', finish);
      received.on('end', finish);
      received.setEncoding('utf8');
      const read = () => received.on('data', (chunk: string) => (text += chunk));
      // A download is read only later: what it still has then is what the buffers of the connection hold.
      if (kind === 'download' && received.statusCode === 200) resume = read;
      else read();
    });
  });
  if (isUpload) {
    request.write('{}\n');
    if (kind === 'busy-upload') sending = setInterval(() => request.write('{}\n'), 400);
  } else if (kind === 'body') {
    request.write(body.slice(0, 2));
  } else {
    request.end();
  }
  const responds = kind === 'download' || kind === 'events';
  const begun = responds
    ? Promise.race([new Promise((resolve) => request.once('response', resolve)), ended])
    : delay(1000);
  return {
    opened: { ended, isOpen: () => isOpen, begun, close: () => request.destroy() },
    goOn: () => (kind === 'download' ? resume() : request.end(body.slice(2))),
  };
}

/** Registers what is opened: a declaration with many house consignments, and goods that are presented and not decided. */
export async function registerGoods(database: Database, declarant: string): Promise<void> {
  await registerLargeDeclaration(database, declarant);
  const { mrn, documentNumber } = UNDECIDED;
  await registerHouses(database, {
    mrn,
    declaration: { mrn, customsOfficeOfFirstEntry: 'NO351001', declarant },
    houses: [{ transportDocumentHouseLevel: { documentNumber, type: 'N740' } }],
    isComplete: true,
  });
  await database.query({
    name: '',
    text: `
      insert into signal_recipient (house_consignment_id, organisation_id, presenter, request_id, first_presented_at)
      select h.id, e.declarant, e.declarant, gen_random_uuid(), now()
      from house_consignment h join declaration e on e.id = h.ens_id where e.mrn = $1`,
    values: [mrn],
  });
}

/** In several transactions, because a busy machine takes so long to write all of it in one that the database ends it. */
async function registerLargeDeclaration(database: Database, declarant: string): Promise<void> {
  const declaration = { mrn: LARGE_MRN, customsOfficeOfFirstEntry: 'NO351001', declarant };
  for (let first = 0; first < HOUSES; first += HOUSES_AT_ONCE) {
    const houses = Array.from({ length: HOUSES_AT_ONCE }, (_, index) => ({
      transportDocumentHouseLevel: {
        documentNumber: `LARGE-${first + index}-${'X'.repeat(50)}`,
        type: 'N740' as const,
      },
      routing: 'TO_ENTRY' as const,
    }));
    await registerHouses(database, {
      mrn: LARGE_MRN,
      ...(first === 0 && { declaration }),
      houses,
      isComplete: false,
    });
  }
}

async function registerHouses(
  database: Database,
  block: Parameters<typeof register>[1][number],
): Promise<void> {
  const outcomes = await register(
    { database, audit: new AuditTrail(), newId: v7 },
    [block],
    { at: new Date(), actor: undefined, requestId: randomUUID() },
    'large',
  );
  assert(outcomes.every((outcome) => 'status' in outcome));
}
