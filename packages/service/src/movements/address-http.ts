// What an address says of a message: its mode and level, and the response if there is no such message.
import type { ModeName, MovementMessageName } from '@landfall/contract';
import { modeOfAddress } from '../http/mode-of-address.js';
import { HttpError } from '../http/problem.js';
import { findLevel, type MessageKind } from './message-kind.js';

type Address = { mode: string; version: string; level: string };

/**
 * The kind of messages that an address names.
 *
 * @throws HttpError 404 if there is no such mode or level
 */
export function kindOf(params: Address): MessageKind {
  const { name } = modeOfAddress(params);
  const level = findLevel(params.level);
  if (level === undefined) throw new HttpError(404, 'There is no such level of messages');
  return { mode: name, level };
}

/**
 * What requests were about whose status an address names: messages of a kind, or relations.
 *
 * @throws HttpError 404 if there is no such mode or level
 */
export function subjectOf(params: Address): { mode: ModeName; level: MovementMessageName } {
  return params.level === 'relation'
    ? { mode: modeOfAddress(params).name, level: 'relation' }
    : kindOf(params);
}

/** The same words whether a message is unknown, of another mode or level, or of others. */
export function messageNotFound(mrn: string): HttpError {
  return new HttpError(404, `This organisation has no message ${mrn} here`);
}
