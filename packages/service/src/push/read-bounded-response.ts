// Reads the body of a response as far as it is wanted, and closes the connection if there is more.
import type { IncomingMessage } from 'node:http';

/**
 * The text of the body if it ends within the limits; `undefined` if it does not: the connection is closed then.
 *
 * @param limits `signal` ends reading; `maxMs`: after how long it ends too
 */
export async function readBounded(
  response: IncomingMessage,
  maxBytes: number,
  { signal, maxMs }: { signal: AbortSignal; maxMs: number | undefined },
): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const end = () => response.destroy();
  const timer = maxMs === undefined ? undefined : setTimeout(end, maxMs);
  signal.addEventListener('abort', end, { once: true });
  try {
    if (signal.aborted) end();
    for await (const chunk of response) {
      bytes += chunk.length;
      if (bytes > maxBytes) return undefined;
      chunks.push(chunk);
    }
    return response.complete ? Buffer.concat(chunks).toString() : undefined;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    // Of a response that was read whole, this does nothing.
    if (!response.complete) response.destroy();
  }
}
