// Replaces the ports in a document by free ones, so that its commands run beside other programs.
import { once } from 'node:events';
import { createServer } from 'node:net';

/** The default port of the playground, which takes another one from the variable PORT. */
const PLAYGROUND_PORT = '8080';

/**
 * The document with each port of `localhost` replaced, wherever its number is, and the port of the playground.
 *
 * @param {string} markdown
 * @returns {Promise<{ text: string, port: number }>}
 */
export async function useFreePorts(markdown) {
  const used = new Set(Array.from(markdown.matchAll(/localhost:(\d{4,5})/g), ([, port]) => port));
  used.add(PLAYGROUND_PORT);
  const free = new Map();
  // Held until all are chosen, so that they differ.
  const servers = await Promise.all([...used].map(() => listen()));
  for (const [index, port] of [...used].entries()) free.set(port, servers[index].address().port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  const text = markdown.replaceAll(/\b\d{4,5}\b/g, (number) => free.get(number) ?? number);
  return { text, port: free.get(PLAYGROUND_PORT) };
}

async function listen() {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}
