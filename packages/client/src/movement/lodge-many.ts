// Lodges many movement messages, several at a time, and resumes after a crash.
import type { Connection } from '../connection/connection.js';
import type { ModeName } from '../contract/modes.js';
import type { MovementStatus, ValidationError } from '../contract/types.js';
import type { ApiError } from '../errors/api-error.js';
import type { MovementUnknownError } from '../errors/outcome-unknown-error.js';
import { digestOf } from '../settling/digest.js';
import type { Source } from '../settling/map-concurrently.js';
import { errorsOf } from '../settling/recorded-status.js';
import {
  type Ending,
  type Sending,
  type SendManyOptions,
  sendMany,
} from '../settling/send-many.js';
import { levelOfMovement, type MovementLevel, type MovementMessage } from './movement-message.js';
import { makeRequest } from './movement-request.js';

/** Options of lodging many. */
export type LodgeManyOptions<Item extends MovementMessage> = SendManyOptions<Item> & {
  /** The level of all messages; default: as the members of each show. */
  level?: MovementLevel | undefined;
};

/** The outcome of a message. */
export type LodgingOutcome<Item extends MovementMessage> = {
  item: Item;
  /** Its index in the source, from 0. Outcomes are yielded as they become known, not in this order. */
  index: number;
  key: string;
  /** It was in the journal before it was sent. */
  requestId: string;
  /** `failed`: something else than a rule stands in the way of this message; the journal has no outcome. */
  outcome: 'lodged' | 'refused' | 'failed';
  /** The rules that it breaks, at once or by its status; otherwise empty. */
  errors: readonly ValidationError[];
  /** The status, with the MRN; left out if it was refused at once, or failed. */
  status?: MovementStatus | undefined;
  /** Why it failed. ApiError: not lodged. MovementUnknownError: it is not known. */
  error: ApiError | MovementUnknownError | undefined;
  /** Whether the journal already had the outcome, so that nothing was sent. */
  isFromJournal: boolean;
};

/**
 * Lodges the messages of a source, in no order, and resumes from a journal as `presentMany` does.
 *
 * @throws what `lodgeMovement` throws, except what is an outcome; what the source and the journal throw
 * @throws ConfigurationError when a message has the key of another one, or does not show its level
 * @example
 * for await (const { item, outcome, errors, status } of lodgeMany(connection, 'road', houses, { journal })) {
 *   if (outcome === 'lodged') keep(item, status?.mrn);
 *   if (outcome === 'refused') report(item, errors);
 * }
 */
export function lodgeMany<Item extends MovementMessage>(
  connection: Connection,
  mode: ModeName,
  source: Source<Item>,
  { level, ...options }: LodgeManyOptions<Item> = {},
): AsyncGenerator<LodgingOutcome<Item>, void, undefined> {
  const sending: Sending<Item, MovementStatus> = {
    digestOf: (item) => digestOfMovement(mode, item, level),
    makeRequest: (item, requestId) =>
      makeRequest(connection, {
        mode,
        level: level ?? levelOfMovement(item),
        message: { ...item, requestId },
      }),
    endingOf,
  };
  // The cast is true because such a request ends with nothing else.
  return sendMany(connection, sending, source, options) as AsyncGenerator<
    LodgingOutcome<Item>,
    void,
    undefined
  >;
}

/** The key of a message in a journal, unless `keyOf` gives another. */
export async function digestOfMovement(
  mode: ModeName,
  { requestId: _, ...message }: MovementMessage,
  level: MovementLevel = levelOfMovement(message),
): Promise<string> {
  return digestOf({ mode, level, message });
}

function endingOf(status: MovementStatus): Ending {
  const outcome = status.status === 'SUCCESS' ? 'lodged' : 'refused';
  return { outcome, errors: errorsOf(status), status };
}
