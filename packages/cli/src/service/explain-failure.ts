// Explains the errors of the client to the user: what happened, then what to do.
import {
  ApiError,
  ConnectionError,
  EntryPendingError,
  LandfallError,
  PresentationUnknownError,
  RoutingPendingError,
  TimeoutError,
  TokenError,
  type ValidationError,
} from '@landfall/client';
import type { IdentityOptions } from '../input/options.js';
import { nextCommand } from '../output/next-command.js';
import { commandOnlyReads, printable } from '../output/output.js';
import { CallFailedError } from '../process/exit.js';
import type { Ending } from '../process/exit-codes.js';

const UNTRUSTED =
  'is not trusted by this machine: if it is right, name the certificate of its issuer in NODE_EXTRA_CA_CERTS';

/** Explains an error of the client; any other error is returned unchanged. */
export function explainFailure(error: unknown, options: Partial<IdentityOptions> = {}): unknown {
  if (!(error instanceof LandfallError)) return error;
  const ending = endingOf(error);
  const details = detailsOf(error);
  return new CallFailedError(describe(error, options), ending, { details, cause: error });
}

/** Statuses of a service, or of a proxy before it, that is overloaded, restarting or away. */
const AWAY = [429, 502, 503, 504];

/** Whether the service refused, could not be reached, or may have done what was requested. */
function endingOf(error: LandfallError): Ending {
  if (error instanceof PresentationUnknownError) return 'UNKNOWN';
  if (error instanceof RoutingPendingError || error instanceof EntryPendingError) return 'PENDING';
  if (error.outcomeUnknown && changesData(error)) return 'UNKNOWN';
  if (error instanceof ApiError) return AWAY.includes(error.status) ? 'UNREACHABLE' : 'FAILED';
  if (error instanceof TokenError) {
    const { status } = error;
    return status === undefined || AWAY.includes(status) ? 'UNREACHABLE' : 'FAILED';
  }
  const isAway = error instanceof ConnectionError || error instanceof TimeoutError;
  return isAway ? 'UNREACHABLE' : 'FAILED';
}

/** Whether the call that failed changes data. Without a call, as when results are read, it is as the command says. */
function changesData(error: LandfallError): boolean {
  if (error instanceof TokenError) return false;
  return error.method === undefined ? !commandOnlyReads() : error.method !== 'GET';
}

/** What a program may want to know of the error. */
function detailsOf(error: LandfallError): Record<string, unknown> {
  const details: Record<string, unknown> = { code: error.code };
  for (const name of ['status', 'title', 'requestId', 'validationErrors', 'retryAfterMs']) {
    const value: unknown = Reflect.get(error, name);
    if (value !== undefined) details[name] = value;
  }
  return details;
}

function describe(error: LandfallError, options: Partial<IdentityOptions>): string {
  if (error instanceof ApiError) return describeRefusal(error);
  if (error instanceof PresentationUnknownError) return describeUnknown(error, options);
  if (error instanceof TokenError && error.status !== undefined) return describeTokenError(error);
  const connection = error instanceof TokenError ? error.cause : error;
  if (connection instanceof ConnectionError) return describeConnection(connection, options);
  return printable(error.message);
}

/** The status and title, then each broken rule on its own line. */
function describeRefusal({
  status,
  title,
  detail,
  validationErrors,
  errorCount = 0,
  retryAfterMs,
}: ApiError): string {
  const more = errorCount - validationErrors.length;
  // The detail of a validation error repeats the lines below it.
  const reason = validationErrors.length > 0 ? undefined : detail;
  const lines = [
    `refused (${status} ${title})${reason === undefined ? '' : `: ${reason}`}${retryHint(retryAfterMs)}`,
    ...validationLines(validationErrors),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
  return lines.map(printable).join('\n');
}

/** How to find out whether the goods are presented. */
function describeUnknown(
  { requestId, cause }: PresentationUnknownError,
  options: Partial<IdentityOptions>,
): string {
  const reason = cause instanceof LandfallError ? describe(cause, options) : 'interrupted';
  const status = nextCommand(['status', 'view', requestId], options);
  return `it is not known whether the goods of request ${requestId} are presented (${reason}).\nTo find out: ${status}\nWithout a status, they are not presented: present them with --request-id ${requestId}, which presents at most once`;
}

function describeTokenError({
  step,
  status,
  error,
  description,
  retryAfterMs,
}: TokenError): string {
  const who = step === 'exchange' ? 'the token exchange' : 'the identity provider';
  const reason = [error, description].filter((text) => text !== undefined).join(': ');
  return printable(`${who} refused (${status}): ${reason}${retryHint(retryAfterMs)}`);
}

function retryHint(retryAfterMs: number | undefined): string {
  return retryAfterMs === undefined ? '' : ` (try again in ${Math.ceil(retryAfterMs / 1000)} s)`;
}

/** Each validation error as `field: error (CODE)`, with its message for goods items. */
export function validationLines(errors: readonly ValidationError[]): string[] {
  return errors.map(({ field, error, code, index, eventId }) => {
    const id = eventId === undefined ? '' : ` ${eventId}`;
    const message = index === undefined ? '' : `message ${index}${id}: `;
    return printable(`  ${message}${field || 'body'}: ${error} (${code})`);
  });
}

/** Whether the connection was established; the client's message begins alike in both cases. */
function describeConnection(
  { message, outcomeUnknown }: ConnectionError,
  { data, credentials, url }: Partial<IdentityOptions>,
): string {
  const text = printable(message);
  const certificate = describeCertificate(text);
  if (certificate !== undefined) return certificate;
  if (outcomeUnknown) return text.replace(/^cannot reach/, 'the connection was lost:');
  const isLocal = /^cannot reach http:\/\/(127\.|localhost\b|\[::1\])/.test(text);
  const isPlayground = isLocal && data !== undefined && (credentials ?? url) === undefined;
  if (!isPlayground) return text;
  return `${text}; if the playground is not running, start it: ${nextCommand(['playground'], { data })}`;
}

/** What to do about a certificate of the service that is refused, by the code of Node.js. */
const certificateProblems: Record<string, string> = {
  CERT_HAS_EXPIRED:
    'has expired: report it to the operator of the service, unless the clock of this machine is ahead',
  CERT_NOT_YET_VALID: 'is not valid yet: check the clock of this machine',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another name: check the address',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
};

function describeCertificate(message: string): string | undefined {
  const [, address, code = ''] = /^cannot reach (\S+) \((\w+)\)$/.exec(message) ?? [];
  const problem = certificateProblems[code];
  return problem && `the TLS certificate of ${address} ${problem} (${code}); nothing was sent`;
}
