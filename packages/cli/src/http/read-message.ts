// Parses responses and checks them against the contract.
import type { Check } from '@landfall/contract';
import { CommandFailedError } from '../process/exit.js';

/** A response violates the contract. */
export class UnexpectedResponseError extends CommandFailedError {
  override readonly code = 'UNEXPECTED_RESPONSE';
  override name = 'UnexpectedResponseError';
}

/**
 * Reads one message.
 *
 * @throws UnexpectedResponseError
 */
export function readMessage<Message>(
  text: string,
  check: Check<Message>,
  operationId: string,
): Message {
  return accept(parse(text), check, operationId);
}

/** Reads an array of messages. Throws as `readMessage` does. */
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

function unexpected(operationId: string, what: string): UnexpectedResponseError {
  return new UnexpectedResponseError(
    `unexpected response to ${operationId}: ${what}; check that this is the address of a Landfall service`,
  );
}
