// Registers documents of other registers, a block of lines in one transaction.
import {
  keyOfDocument,
  MAX_REPORTED_ERRORS,
  type ReferenceDocumentResult,
  readReferenceDocument,
  type ValidationError,
} from '@landfall/contract';
import type { Actor } from '../audit/audit-entry.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { commitApart, type Held, heldError } from '../feed/commit-apart.js';
import {
  type FeedTransaction,
  HeldTooLongError,
  transactOnFeeds,
} from '../feed/transact-on-feeds.js';
import { newId } from '../new-id.js';
import type { Recorded, RegistrationContext } from '../routing/decision-context.js';
import { Turns } from '../turns.js';
import type { UploadedLine } from '../uploaded-line.js';
import { nameOfDocument } from './lock-documents.js';
import { lockDocuments, type StoredDocument, type StoredRow, storeDocuments } from './queries.js';

/** What registering needs. */
export type ReferenceDocuments = {
  database: Database;
  audit: AuditTrail;
  /** Locks the messages that wait for documents; without it, none does. */
  lockWaiting?: LockWaiting;
  /** Is called with presented goods that can be decided now. */
  notePresented?: (houses: readonly string[]) => void;
};

/** Locks what waits for documents that are about to be registered; `complete` takes its reasons away. */
export type LockWaiting = (
  transaction: FeedTransaction,
  documents: readonly StoredDocument[],
) => Promise<{
  complete(
    context: Recorded<RegistrationContext>,
  ): Promise<{ mrns: readonly string[]; undecided: readonly string[] }>;
}>;

/** Who registers, in which request, and when, by a clock that was moved; without it, by the database's. */
export type DocumentContext = {
  at: Date | undefined;
  /** `undefined` if Landfall itself registers. */
  actor: (Actor & { organisationId: number }) | undefined;
  requestId: string | undefined;
};

type ReadLine = { line: number } & (
  | { document: StoredDocument }
  | { errors: readonly ValidationError[] }
);

/**
 * Registers the documents of a block of lines, in their order, and gives the result of each line. A line that breaks a rule
 * is refused by itself. Documents that have their state already are not written.
 *
 * @throws DatabaseUnavailableError if it is unknown whether they were registered
 */
export async function postReferenceDocuments(
  documents: ReferenceDocuments,
  lines: readonly UploadedLine[],
  context: DocumentContext,
): Promise<ReferenceDocumentResult[]> {
  const read = await readLines(lines, context.actor?.organisationId);
  const accepted = read.flatMap((line) => ('document' in line ? line.document : []));
  const statuses = await commitApart(accepted, {
    keyOf: nameOfDocument,
    commit: (entries, maxWaitMs) => storeUnlessHeld(documents, entries, context, maxWaitMs),
  });
  const next = statuses.values();
  return read.map((line) => {
    if ('errors' in line) return refused(line.line, line.errors);
    const status = next.next().value;
    if (status === undefined) return refused(line.line, [heldError]);
    const { kind, reference } = line.document;
    return { line: line.line, kind, reference, status };
  });
}

function refused(line: number, errors: readonly ValidationError[]): ReferenceDocumentResult {
  const validationErrors = errors.slice(0, MAX_REPORTED_ERRORS);
  return { line, status: 'REFUSED', validationErrors };
}

/** Reads the lines of a block and lets other work have its turns. */
async function readLines(
  lines: readonly UploadedLine[],
  sender: number | undefined,
): Promise<ReadLine[]> {
  const read: ReadLine[] = [];
  const turns = new Turns(sender);
  for (const line of lines) {
    if (turns.isOverBefore(line.bytes ?? 0)) await turns.next();
    read.push(readLine(line));
  }
  return read;
}

function readLine({ line, value, unreadable }: UploadedLine): ReadLine {
  if (unreadable !== undefined) return { line, errors: [unreadable] };
  const read = readReferenceDocument(value);
  if ('errors' in read) return { line, errors: read.errors };
  return { line, document: { ...keyOfDocument(read.document), state: read.document.state } };
}

type Status = Exclude<ReferenceDocumentResult['status'], 'REFUSED'>;

async function storeUnlessHeld(
  documents: ReferenceDocuments,
  entries: readonly StoredDocument[],
  context: DocumentContext,
  maxWaitMs: number,
): Promise<Status[] | Held> {
  // The last line of a document counts.
  const last = [...new Map(entries.map((entry) => [nameOfDocument(entry), entry])).values()];
  const valid = last.filter(({ state }) => state === 'VALID');
  try {
    const { rows, undecided } = await transactOnFeeds(
      documents.database,
      (transaction) => store(transaction, documents, { last, valid }, context),
      'large',
      maxWaitMs,
    );
    if (undecided.length > 0) documents.notePresented?.(undecided);
    return toStatuses(entries, rows);
  } catch (error) {
    if (error instanceof HeldTooLongError) return { held: entriesOf(error.held, valid, entries) };
    throw error;
  }
}

/** The indexes of the entries of documents for which a message waits that is held. */
function entriesOf(
  held: ReadonlySet<number> | undefined,
  valid: readonly StoredDocument[],
  entries: readonly StoredDocument[],
): ReadonlySet<number> | undefined {
  if (held === undefined) return undefined;
  const names = new Set(
    valid.flatMap((document, index) => (held.has(index) ? nameOfDocument(document) : [])),
  );
  return new Set(
    entries.flatMap((entry, index) => (names.has(nameOfDocument(entry)) ? index : [])),
  );
}

async function store(
  transaction: FeedTransaction,
  { audit, lockWaiting }: ReferenceDocuments,
  { last, valid }: { last: readonly StoredDocument[]; valid: readonly StoredDocument[] },
  { at, actor, requestId }: DocumentContext,
): Promise<{ rows: StoredRow[]; undecided: readonly string[] }> {
  const waiting = await lockWaiting?.(transaction, valid);
  if (valid.length > 0) {
    await transaction.query(lockDocuments(valid.map(nameOfDocument), false));
  }
  const rows = await transaction.query(storeDocuments(last, at));
  const written = rows.filter((row) => row.written);
  const [first] = rows;
  if (first === undefined) return { rows, undecided: [] };
  const by = { at: first.at, actor, requestId: requestId ?? newId() };
  const { mrns = [], undecided = [] } = (await waiting?.complete(by)) ?? {};
  if (written.length === 0 && mrns.length === 0) return { rows, undecided };
  await audit.record(transaction, {
    at: first.at,
    actor: actor && { organisation: actor.organisation, client: actor.client },
    requestId,
    action: 'reference-documents.registered',
    details: {
      documents: written.length,
      invalid: written.filter(({ state }) => state === 'INVALID').length,
      ...(mrns.length > 0 && { verified: mrns }),
    },
  });
  return { rows, undecided };
}

/**
 * The status of each entry in order, as if they had been stored one after the other. A document that another upload has
 * registered in the same moment counts as it was before.
 */
function toStatuses(entries: readonly StoredDocument[], rows: readonly StoredRow[]): Status[] {
  const before = rows.filter(({ written }) => !written);
  const states = new Map(before.map((row) => [nameOfDocument(row), row.state]));
  return entries.map((entry) => {
    const name = nameOfDocument(entry);
    const state = states.get(name);
    states.set(name, entry.state);
    if (state === undefined) return 'REGISTERED';
    return state === entry.state ? 'UNCHANGED' : 'CHANGED';
  });
}
