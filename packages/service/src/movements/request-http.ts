// HTTP that requests about messages share: bodies of any Content-Type, and the response to what was recorded.
import { isUtf8 } from 'node:buffer';
import {
  isObject,
  isTooDeep,
  type MovementMessageName,
  modes,
  operations,
  tooDeep,
  type ValidationError,
} from '@landfall/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { RouteContext } from '../http/operation.js';
import { HttpError, ValidationFailedError } from '../http/problem.js';
import { refuseDuplicates } from '../http/read-body.js';
import { toError } from '../native-error.js';
import type { Recorded } from './lodge-movement.js';
import { type MovementRequest, requestIdReused } from './movement-request.js';

/**
 * Accepts bodies of any Content-Type. One that is neither an object nor an array of JSON is as if it was absent; in what is meant
 * to be one, a requestId is read or the request is refused.
 */
export function readAnyBody(app: FastifyInstance): void {
  // What it says is not looked at, not even whether it is a media type.
  app.addHook('onRequest', (request, _reply, done) => {
    delete request.headers['content-type'];
    done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, readCancellation(body));
    } catch (error) {
      done(toError(error));
    }
  });
}

/** @throws HttpError */
function readCancellation(body: Buffer): unknown {
  if (!isUtf8(body)) throw new HttpError(400, 'The body is not valid UTF-8');
  const text = body.toString('utf8').replace(/^\uFEFF/, '');
  if (!/^\s*[{[]/.test(text)) return undefined;
  if (isTooDeep(text)) throw new ValidationFailedError([tooDeep]);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new HttpError(400, 'The body is not valid JSON');
  }
  const refusal = refuseDuplicates(text, true);
  if (refusal !== null) throw refusal;
  if (!isObject(value)) {
    throw new ValidationFailedError([{ field: '', error: 'must be an object', code: 'FORMAT' }]);
  }
  return value;
}

/** Responds to a request that was recorded, with the address of its status. */
export function accept(
  http: RouteContext,
  reply: FastifyReply,
  { requestId, mode, level }: MovementRequest<MovementMessageName>,
  recorded: Recorded | HttpError,
) {
  if (recorded instanceof HttpError) throw recorded;
  if (recorded === 'reused') throw new ValidationFailedError([requestIdReused]);
  const { path } = operations.getMovementStatus;
  const address = path
    .replace('{mode}', mode)
    .replace('{version}', modes[mode].version)
    .replace('{level}', level)
    .replace('{requestId}', requestId);
  return reply
    .code(202)
    .header('Location', `${http.baseUrl}${address}`)
    .type('application/json')
    .send(JSON.stringify({ requestId }));
}

/** What a body is refused by at once: the first errors, and how many there are. */
export function refusedAtOnce(
  errors: readonly ValidationError[],
  errorCount: number,
): ValidationFailedError {
  return errorCount > errors.length
    ? new ValidationFailedError(
        errors,
        `${errorCount} rules are broken; the first ${errors.length} are reported`,
      )
    : new ValidationFailedError(errors);
}
