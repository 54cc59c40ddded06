// What an address says of a message: its mode and level, and the response if there is no such message.
import { modeOfAddress } from '../http/mode-of-address.js';
import { HttpError } from '../http/problem.js';
import { findLevel, type MessageKind } from './message-kind.js';

/**
 * The kind of messages that an address names.
 *
 * @throws HttpError 404 if there is no such mode or level
 */
export function kindOf(params: { mode: string; version: string; level: string }): MessageKind {
  const { name } = modeOfAddress(params);
  const level = findLevel(params.level);
  if (level === undefined) throw new HttpError(404, 'There is no such level of messages');
  return { mode: name, level };
}

/** The same words whether a message is unknown, of another mode or level, or of others. */
export function messageNotFound(mrn: string): HttpError {
  return new HttpError(404, `This organisation has no message ${mrn} here`);
}
