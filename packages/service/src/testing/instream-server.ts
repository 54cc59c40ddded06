// A scanner for tests: a socket that reads INSTREAM as ClamAV documents it, and answers, or does what scanners should not.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** What it does with a connection, once the whole file has arrived. */
export type ScannerBehaviour = (socket: Socket, content: Buffer) => void;

/** Answers, as ClamAV does. */
export const answering =
  (answer: string): ScannerBehaviour =>
  (socket) =>
    void socket.end(`${answer}\0`);

/** A scanner that listens. */
export class InstreamServer {
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((socket) => this.#receive(socket));
  /** The files that have arrived whole. */
  readonly received: Buffer[] = [];
  /** How many connections it had at once, at most. */
  mostOpen = 0;
  behaviour: ScannerBehaviour = answering('stream: OK');
  /** Whether it reads nothing. */
  isStopped = false;

  static async start(): Promise<InstreamServer> {
    const made = new InstreamServer();
    made.#server.listen(0, '127.0.0.1');
    await once(made.#server, 'listening');
    return made;
  }

  get address(): { host: string; port: number } {
    // The cast is true because it listens on a port.
    return { host: '127.0.0.1', port: (this.#server.address() as AddressInfo).port };
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #receive(socket: Socket): void {
    this.#sockets.add(socket);
    this.mostOpen = Math.max(this.mostOpen, this.#sockets.size);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => undefined);
    if (this.isStopped) {
      socket.pause();
      return;
    }
    let read = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      read = Buffer.concat([read, chunk]);
      const content = readInstream(read);
      if (content === undefined) return;
      read = Buffer.alloc(0);
      this.received.push(content);
      this.behaviour(socket, content);
    });
  }
}

/** The file, if it has arrived whole: the command, chunks after their lengths, and a length of 0. */
function readInstream(bytes: Buffer): Buffer | undefined {
  const command = 'zINSTREAM\0';
  if (bytes.toString('latin1', 0, command.length) !== command) return undefined;
  const chunks: Buffer[] = [];
  for (let at = command.length; at + 4 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return undefined;
}
