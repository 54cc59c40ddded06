// A text that is sent compressed if the client accepts it (RFC 9110, section 12.5.3).
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

/** Shorter texts fit into a few packets uncompressed, in bytes. */
const MIN_COMPRESSED_BYTES = 8 * 1024;

/** The fastest levels: they reduce JSON to a tenth in less time than it takes to send one more megabyte. */
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

/** A text that is compressed at most once in each encoding. */
export class CompressibleText {
  readonly bytes: Buffer;
  readonly #compressed = new Map<Encoding, Promise<Buffer>>();

  constructor(text: string) {
    this.bytes = Buffer.from(text);
  }

  /**
   * Sends the text in the encoding that the request prefers.
   *
   * @param beforeSending is given what is sent; nothing is sent if it throws
   */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    beforeSending: (sent: Buffer) => void = () => undefined,
  ): Promise<FastifyReply> {
    const encoding = requestedEncoding(request);
    const isCompressed = encoding !== undefined && this.bytes.length >= MIN_COMPRESSED_BYTES;
    const sent = isCompressed ? await this.#compress(encoding) : this.bytes;
    beforeSending(sent);
    // The origin of a page may be in it already.
    const vary = reply.getHeader('vary');
    reply.header('Vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`);
    if (isCompressed) reply.header('Content-Encoding', encoding);
    return reply.send(sent);
  }

  #compress(encoding: Encoding): Promise<Buffer> {
    const compressed = this.#compressed.get(encoding) ?? compressions[encoding](this.bytes);
    this.#compressed.set(encoding, compressed);
    return compressed;
  }
}

function requestedEncoding({ headers }: FastifyRequest): Encoding | undefined {
  const accepted = headers['accept-encoding'];
  if (accepted === undefined) return undefined;
  const encoding = new Negotiator({ headers: { 'accept-encoding': String(accepted) } }).encodings([
    'br',
    'gzip',
    'identity',
  ])[0];
  return encoding === 'br' || encoding === 'gzip' ? encoding : undefined;
}
