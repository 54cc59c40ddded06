// The error of what is no push of the service.
import { LandfallError, type LandfallErrorCode } from './landfall-error.js';

/** Why something is no push. A receiver answers with 400 and processes nothing: what was a push is sent again. */
export type PushErrorCode = Extract<LandfallErrorCode, `PUSH_${string}`>;

/**
 * What came to a receiver is no push, or cannot be verified.
 *
 * @example
 * if (error instanceof PushError) return new Response(error.code, { status: 400 });
 */
export class PushError extends LandfallError {
  override name = 'PushError';
  override readonly code: PushErrorCode;

  constructor(code: PushErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}
