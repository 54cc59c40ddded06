// A text that is answered as it is, or compressed when that is asked for (RFC 9110, section 12.5.3).
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

/** What is shorter goes into a few packets either way, in bytes. */
const WORTH_COMPRESSING = 8 * 1024;

/**
 * The fastest that each has: of JSON a tenth is left by then, and the time that a megabyte takes is less than that
 * of one more megabyte on the wire.
 */
const compressions = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 1,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 1 }),
};

type Encoding = keyof typeof compressions;

/** A text, compressed at most once in each way, however often it is answered. */
export class CompressibleText {
  readonly bytes: Buffer;
  readonly #compressed = new Map<Encoding, Promise<Buffer>>();

  constructor(text: string) {
    this.bytes = Buffer.from(text);
  }

  /** Answers it in the way that the request likes best. */
  async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    reply.header('Vary', 'Accept-Encoding');
    const encoding = askedEncoding(request);
    if (encoding === undefined || this.bytes.length < WORTH_COMPRESSING) {
      return reply.send(this.bytes);
    }
    const compressed = this.#compressed.get(encoding) ?? compressions[encoding](this.bytes);
    this.#compressed.set(encoding, compressed);
    return reply.header('Content-Encoding', encoding).send(await compressed);
  }
}

function askedEncoding({ headers }: FastifyRequest): Encoding | undefined {
  const asked = headers['accept-encoding'];
  if (asked === undefined) return undefined;
  const encoding = new Negotiator({ headers: { 'accept-encoding': String(asked) } }).encodings([
    'br',
    'gzip',
    'identity',
  ])[0];
  return encoding === 'br' || encoding === 'gzip' ? encoding : undefined;
}
