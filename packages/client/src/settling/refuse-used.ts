// Refuses a requestId that was used before.
import { ApiError } from '../errors/api-error.js';
import { ConnectionError } from '../errors/connection-error.js';
import { LandfallError } from '../errors/landfall-error.js';
import type { SettledRequest, SettleOptions } from './settled-request.js';

/**
 * Asked before it is sent, because afterwards only clocks, which may be wrong, would tell an earlier status from that of
 * the call.
 *
 * @throws ApiError with `REQUEST_ID_REUSED`
 * @throws ConnectionError when the service cannot say it, and what a call throws: nothing was sent
 */
export async function refuseUsed(
  request: SettledRequest<unknown>,
  options: SettleOptions,
): Promise<void> {
  const settled = await request.read({ ...options, onSend: undefined }).catch((cause) => {
    if (!(cause instanceof LandfallError && cause.outcomeUnknown)) throw cause;
    const message = `nothing was sent, because it is not known whether the requestId is new: ${cause.message}`;
    throw new ConnectionError(message, { cause });
  });
  if (settled === undefined) return;
  const error = 'was used before';
  throw new ApiError({
    operationId: request.operationId,
    status: 400,
    title: 'Bad Request',
    validationErrors: [{ field: 'requestId', error, code: 'REQUEST_ID_REUSED' }],
  });
}
