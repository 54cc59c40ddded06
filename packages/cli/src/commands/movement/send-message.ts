// Sends one movement message and shows its status.
import { type MovementStatus, MovementUnknownError, type SettleOptions } from '@landfall/client';
import {
  checkMovement,
  incompleteReasons,
  type ModeName,
  type MovementLevel,
  uncheckedRegisters,
} from '@landfall/contract';
import type { IdentityOptions } from '../../input/options.js';
import { nextCommand } from '../../output/next-command.js';
import { coloursFor, print, printable, printJson } from '../../output/output.js';
import { CallFailedError } from '../../process/exit.js';
import { abortOnStop } from '../../process/stop.js';
import type { CheckedLandfall } from '../../service/checked-landfall.js';
import { explainFailure, validationLines } from '../../service/explain-failure.js';
import { openService } from '../../service/open-service.js';

/** The options of commands that send one message. */
export type SendOptions = IdentityOptions & { mode: ModeName; json?: true };

/** What is sent. */
type Sent = {
  level: MovementLevel;
  /** What becomes of the message, such as `lodged`. */
  done: 'lodged' | 'replaced' | 'cancelled';
  /** What was sent; a cancellation has none. */
  message?: object | undefined;
  send(client: CheckedLandfall, options: SettleOptions): Promise<MovementStatus>;
};

/** A user who waits sees an error soon. Once the outcome is unknown, it is determined for longer. */
export const RETRY = { maxAttempts: 3, maxElapsedMs: 60_000 };

/** @throws CallFailedError when it is refused, or its outcome is not known; the errors of the client */
export async function sendMessage(sent: Sent, options: SendOptions): Promise<void> {
  const { client } = await openService(options);
  const { signal } = abortOnStop();
  let status: MovementStatus;
  try {
    status = await sent.send(client, { signal, retry: RETRY });
  } catch (error) {
    throw error instanceof MovementUnknownError ? unknownOutcome(error, sent, options) : error;
  }
  if (status.status === 'FAILURE') throw refused(status);
  if (options.json) printJson(status);
  else showDone(status, sent, options);
}

/** A refusal by the status has every broken rule. */
export function refused({ requestId, validationErrorList = [] }: MovementStatus): CallFailedError {
  const errors = validationErrorList.map(({ description, code, pointer }) => ({
    field: pointer.messageElementPath,
    error: description,
    code,
  }));
  return new CallFailedError(
    [
      `refused by status: nothing was changed (request ${requestId})`,
      ...validationLines(errors),
    ].join('\n'),
    'FAILED',
    { details: { code: 'API', status: 'FAILURE', requestId, validationErrors: errors } },
  );
}

/** How to find out what became of the request. */
function unknownOutcome(
  error: MovementUnknownError,
  { level, done }: Sent,
  options: SendOptions,
): CallFailedError {
  const { requestId, code, cause } = error;
  const explained = explainFailure(cause, options);
  const reason = explained instanceof Error ? explained.message : String(explained);
  const words = ['movement', 'status', 'view', level, requestId, '--mode', options.mode];
  const next =
    done === 'cancelled'
      ? 'run the same command again: cancelling twice changes nothing'
      : `run the same command with --request-id ${requestId}, which sends it at most once`;
  return new CallFailedError(
    `it is not known whether the message of request ${requestId} is ${done} (${reason}).\nTo find out: ${nextCommand(words, options)}\nWithout a status, nothing was changed: ${next}`,
    'UNKNOWN',
    { details: { code, requestId }, cause: error },
  );
}

function showDone(status: MovementStatus, { level, done, message }: Sent, options: SendOptions) {
  const { mrn = '', requestId, incompleteDocumentationReasonList: reasons = [] } = status;
  const what = `${done.charAt(0).toUpperCase()}${done.slice(1)}`;
  print(
    `${coloursFor().green(`${what}${reasons.length > 0 ? ', and incomplete' : ''}.`)} MRN ${mrn}, requestId ${requestId}`,
  );
  for (const line of missingLines(reasons, message, level, options.mode)) print(`  ${line}`);
  if (done === 'cancelled') return;
  const of = [level, mrn, '--mode', options.mode];
  const words =
    reasons.length > 0
      ? ['movement', 'replace', ...of, '--file', 'FILE']
      : ['movement', 'show', ...of];
  print(`Next: ${nextCommand(words, options)}`);
}

/** What makes it incomplete: the members by the rules of the contract, and what only the registers of the service know. */
function missingLines(
  reasons: readonly (keyof typeof incompleteReasons)[],
  message: object | undefined,
  level: MovementLevel,
  mode: ModeName,
): string[] {
  const context = { level, mode, registers: uncheckedRegisters, now: new Date() };
  const checked = message && checkMovement(message, context);
  const missing = checked?.accepted ? checked.missing : [];
  return reasons.flatMap((reason) => {
    const parts = missing.filter(({ code }) => code === reason);
    if (parts.length === 0) return [`incomplete: ${incompleteReasons[reason]} (${reason})`];
    return parts.map(({ field, error }) => printable(`incomplete: ${field}: ${error} (${reason})`));
  });
}
