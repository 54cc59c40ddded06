// Reads a response of another server, up to a size and a time.
import { Readable } from 'node:stream';

/**
 * The text of a response.
 *
 * @param what the response, for the error
 * @param maxSize bytes
 * @param signal ends reading
 * @throws Error if it is larger, or the signal ended it
 */
export async function readBounded(
  { body }: Response,
  what: string,
  maxSize: number,
  signal: AbortSignal,
): Promise<string> {
  if (body === null) return '';
  const parts: Uint8Array[] = [];
  let size = 0;
  // Node.js 20 forgets the signal of a `fetch` that refuses redirects when garbage is collected while the body is read
  // (nodejs/undici#4627), so this stream ends with the signal, and ends the connection.
  const chunks: AsyncIterable<Uint8Array> = Readable.fromWeb(body, { signal });
  for await (const part of chunks) {
    size += part.length;
    if (size > maxSize) throw new Error(`${what} is larger than ${maxSize} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
