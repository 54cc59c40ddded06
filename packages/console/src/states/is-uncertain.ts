// Whether a change was made although its request failed.
import { ApiError, ConnectionError, TimeoutError } from '@landfall/client';

/** Whether the service may have carried out what failed. */
export function isUncertain(error: unknown): boolean {
  return (
    error instanceof ConnectionError ||
    error instanceof TimeoutError ||
    (error instanceof ApiError && error.status >= 500)
  );
}
