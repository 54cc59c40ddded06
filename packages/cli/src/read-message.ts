// Reads what the service answered as a message of the contract.
import type { Check } from '@landfall/contract';
import { CommandFailedError } from './exit.js';

/** What answers does not answer as the contract says. */
export class UnexpectedAnswerError extends CommandFailedError {
  override readonly code = 'UNEXPECTED_ANSWER';
  override name = 'UnexpectedAnswerError';
}

/**
 * Reads one message.
 *
 * @throws UnexpectedAnswerError
 */
export function readMessage<Message>(
  text: string,
  check: Check<Message>,
  operationId: string,
): Message {
  return accept(parse(text), check, operationId);
}

/** Reads an array of messages; errors as `readMessage`. */
export function readMessages<Message>(
  text: string,
  check: Check<Message>,
  operationId: string,
): Message[] {
  const parsed = parse(text);
  if (!Array.isArray(parsed)) throw unexpected(operationId, 'it must be an array');
  return parsed.map((value: unknown) => accept(value, check, operationId));
}

function accept<Message>(value: unknown, check: Check<Message>, operationId: string): Message {
  const checked = check(value);
  if (checked.valid) return checked.value;
  throw unexpected(
    operationId,
    checked.errors.map(({ field, error }) => `${field || 'it'} ${error}`).join('; '),
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unexpected(operationId: string, what: string): UnexpectedAnswerError {
  return new UnexpectedAnswerError(
    `the answer to ${operationId} is not what the contract says: ${what}; is this the address of a Landfall service?`,
  );
}
