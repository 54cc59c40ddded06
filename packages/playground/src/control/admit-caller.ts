// Admits callers of the control addresses: programs on this machine, and no web page. A page of another site could
// otherwise send requests to the loopback address, directly or through a host name that resolves to it (DNS rebinding).
import { HttpError, refuseOtherSites } from '@landfall/service/assembly';
import type { FastifyRequest } from 'fastify';

const LOOPBACK_ADDRESS = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
const LOOPBACK_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i;

/**
 * Refuses every other caller.
 *
 * @throws HttpError 403
 */
export function admitCaller({ raw: { socket, headers } }: FastifyRequest): void {
  // The address of the connection: X-Forwarded-For is the caller's own word.
  if (!LOOPBACK_ADDRESS.test(socket.remoteAddress ?? '')) {
    throw new HttpError(403, 'Only programs on the machine of the playground may control it');
  }
  if (!LOOPBACK_HOST.test(headers.host ?? '')) {
    throw new HttpError(403, 'Host must be localhost or a loopback address');
  }
  refuseOtherSites(headers, isLoopbackOrigin, 'a page of this machine');
}

/** A program sends none. */
function isLoopbackOrigin(origin: string | undefined): boolean {
  return origin === undefined || (URL.canParse(origin) && LOOPBACK_HOST.test(new URL(origin).host));
}
