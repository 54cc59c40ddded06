// A scanner that speaks INSTREAM, the protocol of ClamAV.
import { connect } from 'node:net';
import { type FileScanner, SCAN_TIMEOUT_MS, ScannerUnavailableError } from './file-scanner.js';

const CHUNK_BYTES = 64 * 1024;

/** An answer is one line: the name of the stream, and that of what was found. */
const MAX_ANSWER_BYTES = 1024;

/** `host:port`, of IPv6 `[address]:port`. */
const ADDRESS = /^(?:\[([0-9A-Fa-f:.]{2,45})\]|([A-Za-z0-9._-]{1,253})):(\d{1,5})$/;

/** The host and port of a text; `undefined` if it has none. */
export function readScannerAddress(text: string): { host: string; port: number } | undefined {
  const [, v6, name, digits] = ADDRESS.exec(text) ?? [];
  const host = v6 ?? name;
  const port = Number(digits);
  return host === undefined || port < 1 || port > 65_535 ? undefined : { host, port };
}

/** A scanner at an address. Each scan has a connection of its own, so none waits for the answer to another. */
export function makeScanner(
  address: { host: string; port: number },
  timeoutMs = SCAN_TIMEOUT_MS,
): FileScanner {
  return {
    scan: async (content) => {
      const answer = await ask(address, content, timeoutMs);
      if (answer === 'stream: OK') return 'clean';
      if (/^stream: .+ FOUND$/.test(answer)) return 'found';
      throw new ScannerUnavailableError(
        `the scanner answers neither OK nor FOUND: ${JSON.stringify(answer.slice(0, 100))}`,
      );
    },
  };
}

function ask(
  address: { host: string; port: number },
  content: Buffer,
  timeoutMs: number,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(address);
    const end = (error?: Error) => {
      clearTimeout(timer);
      socket.destroy();
      if (error)
        reject(new ScannerUnavailableError(`the scanner: ${error.message}`, { cause: error }));
    };
    const timer = setTimeout(
      () => end(new Error(`no answer within ${timeoutMs / 1000} s`)),
      timeoutMs,
    );
    let answer = '';
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1');
      const length = answer.indexOf('\0');
      if (length >= 0) {
        end();
        resolve(answer.slice(0, length));
      } else if (answer.length > MAX_ANSWER_BYTES) end(new Error('the answer has no end'));
    });
    socket.once('error', end);
    socket.once('close', () => end(new Error('it has closed the connection without an answer')));
    for (const part of toInstream(content)) socket.write(part);
  });
}

/** The command, each chunk after its length, and an empty one as the end. */
function* toInstream(content: Buffer): Generator<Buffer | string> {
  yield 'zINSTREAM\0';
  for (let from = 0; from < content.length; from += CHUNK_BYTES) {
    const chunk = content.subarray(from, from + CHUNK_BYTES);
    yield lengthOf(chunk);
    yield chunk;
  }
  yield lengthOf(Buffer.alloc(0));
}

function lengthOf({ length }: Buffer): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  return bytes;
}
