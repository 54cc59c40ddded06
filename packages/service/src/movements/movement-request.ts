// A request that lodges or replaces a message: who makes it, and what the rules say of its body.
import { randomUUID } from 'node:crypto';
import {
  checkMovement,
  type DocumentKey,
  isObject,
  isUuid,
  type ModeName,
  type MovementLevel,
  type MovementSubject,
  type Registers,
  type ValidationError,
} from '@landfall/contract';
import type { Caller } from '../http/caller.js';
import type { RegistrationContext } from '../routing/decision-context.js';
import { listAwaited } from './awaited-documents.js';
import type { MessageKind } from './message-kind.js';
import { type MovementMessage, readMovementMessage } from './movement-message.js';

/** A request about a message, or the arrival of a transport. */
export type MovementRequest<Subject extends MovementSubject = MovementLevel> = {
  mode: ModeName;
  level: Subject;
  requestId: string;
  /** Who sends it, and gets its status. */
  owner: number;
  /** Who has lodged the message: its representative may replace and cancel it too. */
  submitter: Party;
  context: Omit<RegistrationContext, 'at'>;
};

/** A message that keeps the rules, with the organisations that it names. */
export type LodgedMessage = JudgedMessage & { parties: Parties };

/** A message with the documents that it waits for. */
type JudgedMessage = MovementMessage & { awaited: readonly DocumentKey[] };

/** The organisations that a message names, as far as they are known. */
export type Parties = { representative: Party | undefined; carrier: Party | undefined };

/** An organisation: its number, and its identifier as in tokens. */
export type Party = { id: number; identifier: string };

/** What the rules say of a body: refused at once, refused by the status, or accepted. */
export type CheckedBody =
  | { refused: readonly ValidationError[]; errorCount: number }
  | { errors: readonly ValidationError[]; key: string; text: string }
  | { message: JudgedMessage };

/** Finds organisations by the identification numbers that messages name. */
export type FindParties = (numbers: readonly string[]) => Promise<ReadonlyMap<string, Party>>;

/** The request of a caller; its body may name a requestId of its own. */
export function readMovementRequest<Subject extends MovementSubject>(
  {
    organisationId,
    organisation,
    clientId,
  }: Pick<Caller, 'organisationId' | 'organisation' | 'clientId'>,
  body: unknown,
  about: { mode: ModeName; level: Subject },
  submitter: Party = { id: organisationId, identifier: organisation },
): MovementRequest<Subject> {
  const given = isObject(body) ? body.requestId : undefined;
  // As the database writes it, so that the status is one text in every place, and is found by it.
  const requestId = typeof given === 'string' && isUuid(given) ? given.toLowerCase() : randomUUID();
  return {
    requestId,
    owner: organisationId,
    submitter,
    context: { actor: { organisationId, organisation, client: clientId }, requestId },
    ...about,
  };
}

/**
 * Judges a body by the rules of the contract, as if no other message had its key.
 *
 * @param replaces the message that it replaces, if it does
 */
export function checkBody(
  body: unknown,
  { mode, level }: MessageKind,
  registers: Registers,
  now: Date,
  replaces: unknown,
): CheckedBody {
  const checked = checkMovement(body, { level, mode, registers, now, replaces });
  if (checked.accepted) {
    const { key, missing } = checked;
    const reasons = [...new Set(missing.map(({ code }) => code))];
    return {
      message: {
        ...readMovementMessage({ level, mode }, { body: checked.body, key, reasons }),
        awaited: listAwaited(checked.body, { level, mode }, reasons, registers),
      },
    };
  }
  const errors = checked.errors.map(({ field, error, code }) => ({ field, error, code }));
  return checked.key === undefined
    ? { refused: errors, errorCount: checked.errorCount }
    : { errors, key: checked.key, text: JSON.stringify(checked.body) };
}

/** The error of a requestId that was used before. */
export const requestIdReused: ValidationError = {
  field: 'requestId',
  error: 'has been used by this organisation before',
  code: 'REQUEST_ID_REUSED',
};
