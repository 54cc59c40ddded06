// HTTP that requests about messages share: bodies of any Content-Type, and the response to what was recorded.
import {
  isTooDeep,
  type MovementMessageName,
  modes,
  operations,
  type ValidationError,
} from '@landfall/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { RouteContext } from '../http/operation.js';
import { HttpError, ValidationFailedError } from '../http/problem.js';
import type { Recorded } from './lodge-movement.js';
import { type MovementRequest, requestIdReused } from './movement-request.js';

/** Accepts bodies of any Content-Type; one that is no JSON is as if it was absent. */
export function readAnyBody(app: FastifyInstance): void {
  // What it says is not looked at, not even whether it is a media type.
  app.addHook('onRequest', (request, _reply, done) => {
    delete request.headers['content-type'];
    done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (_request, body, done) => {
    const text = body.toString('utf8');
    let value: unknown;
    try {
      value = isTooDeep(text) ? undefined : JSON.parse(text);
    } catch {
      value = undefined;
    }
    done(null, value);
  });
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
