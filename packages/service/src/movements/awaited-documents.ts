// What a message waits for: documents that registers did not have when it was judged, and the reasons that go when they have.
import {
  type DocumentKey,
  type IncompleteReason,
  keyOfDocument,
  listCitedDocuments,
  type Registers,
} from '@landfall/contract';
import type { Transaction } from '../database/database.js';
import { lockMissing } from '../reference-documents/lock-documents.js';
import type { MessageKind } from './message-kind.js';

/** The reasons that a missing document gives, by its kind. */
export const reasonsOfMissing: readonly { kind: DocumentKey['kind']; reason: IncompleteReason }[] =
  [
    { kind: 'CUDE', reason: 'CANNOT_VERIFY_CUDE_DOCUMENTATION' },
    { kind: 'CUDE', reason: 'INCOMPLETE_CUDE_VALIDATION' },
    { kind: 'N820', reason: 'CANNOT_VERIFY_TRA_DOCUMENTATION' },
  ];

/** What waits: its reasons, and the documents that would take some of them away. */
export type Waiting = { reasons: readonly string[]; awaited: readonly DocumentKey[] };

/** The documents that a house consignment waits for, each once. */
export function listAwaited(
  body: unknown,
  { mode, level }: MessageKind,
  reasons: readonly string[],
  { documentState }: Pick<Registers, 'documentState'>,
): DocumentKey[] {
  const waits = reasonsOfMissing.some(({ reason }) => reasons.includes(reason));
  if (level !== 'house-consignment' || !waits) return [];
  const awaited = listCitedDocuments(body, mode).filter((document) => {
    const state = documentState(document);
    return (
      reasonsOfMissing.some(({ kind }) => kind === document.kind) &&
      (state === 'MISSING' || state === 'UNANSWERED')
    );
  });
  const keys = awaited.map(keyOfDocument);
  return [...new Map(keys.map((key) => [`${key.kind} ${key.reference}`, key])).values()];
}

/** What is left to wait for when some documents are there. */
function withoutFound<Message extends Waiting>(
  message: Message,
  isFound: (key: DocumentKey) => boolean,
): Message {
  const awaited = message.awaited.filter((key) => !isFound(key));
  if (awaited.length === message.awaited.length) return message;
  const left = new Set(awaited.map(({ kind }) => kind));
  const gone = reasonsOfMissing.filter(({ kind }) => !left.has(kind)).map(({ reason }) => reason);
  const reasons = message.reasons.filter((reason) => !gone.some((one) => one === reason));
  return { ...message, awaited, reasons };
}

/**
 * Locks the documents that messages wait for, and looks again: what was registered since they were judged is not waited for,
 * and whoever registers one after this sees the messages.
 */
export async function waitForMissing<Request extends { message: Waiting }>(
  transaction: Transaction,
  requests: readonly Request[],
): Promise<Request[]> {
  const awaited = requests.flatMap(({ message }) => message.awaited);
  if (awaited.length === 0) return [...requests];
  const isFound = await lockMissing(transaction, awaited);
  return requests.map((request) => ({
    ...request,
    message: withoutFound(request.message, isFound),
  }));
}
