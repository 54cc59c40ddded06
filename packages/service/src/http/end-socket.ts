// Ends a connection also when its client does not: the server's sockets stay half open until both sides have ended.
import type { Socket } from 'node:net';

/** How long a client may take to end its side, in milliseconds. */
const END_MS = 1000;

/** Sends what is left, ends the connection, and removes it soon after. */
export function endSocket(socket: Socket, text = ''): void {
  socket.end(text);
  destroySoon(socket);
}

/** Removes a connection that has been ended. */
export function destroySoon(socket: Socket): void {
  const end = setTimeout(() => socket.destroy(), END_MS).unref();
  socket.once('close', () => clearTimeout(end));
}
