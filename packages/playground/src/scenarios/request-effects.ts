// The effects of the scenarios of single requests.
import { setTimeout as wait } from 'node:timers/promises';
import { HttpError, ValidationFailedError } from '@landfall/service/assembly';
import { type EffectContext, type Effects, LOST } from './effect.js';
import { isPresentation, makeRefusal } from './refusal.js';

/** The default of `Retry-After`, in seconds. */
const RETRY_AFTER = 1;

export const requestEffects = {
  delay: {
    before: ({ milliseconds }, context) => holdBack(milliseconds, context),
  },
  'lost-response': {
    before: ({ committed = true }) => (committed ? undefined : LOST),
    send: (_scenario, { request }, payload) => {
      request.raw.socket.destroy();
      if (isDestroyable(payload)) payload.destroy();
      return LOST;
    },
  },
  'too-many-requests': {
    before: ({ retryAfter = RETRY_AFTER }) => {
      throw new HttpError(429, 'The scenario too-many-requests refuses this request', {
        'Retry-After': String(retryAfter),
      });
    },
  },
  'service-unavailable': {
    before: ({ retryAfter = RETRY_AFTER }) => {
      throw new HttpError(503, 'The scenario service-unavailable refuses this request', {
        'Retry-After': String(retryAfter),
      });
    },
  },
  'internal-error': {
    before: () => {
      throw new HttpError(500, 'The scenario internal-error');
    },
  },
  refusal: {
    before: (scenario, { request }) => {
      // A presentation is refused when it is checked, so that its status is recorded.
      if (!isPresentation(request)) throw new ValidationFailedError([makeRefusal(scenario)]);
      return undefined;
    },
  },
} satisfies Partial<Effects>;

/**
 * Waits before a request is handled. A read whose client leaves meanwhile is not handled; a request that may change data
 * is, as by a slow server.
 */
async function holdBack(
  milliseconds: number,
  { request, reply, ended }: EffectContext,
): Promise<undefined | typeof LOST> {
  const gone = new AbortController();
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const leave = () => gone.abort();
  if (isRead) reply.raw.once('close', leave);
  try {
    await wait(milliseconds, undefined, { signal: AbortSignal.any([ended, gone.signal]) });
    return undefined;
  } catch {
    return LOST;
  } finally {
    reply.raw.off('close', leave);
  }
}

function isDestroyable(value: unknown): value is { destroy: () => void } {
  return typeof value === 'object' && value !== null && 'destroy' in value;
}
