// Replaces the ports in a document by free ones, so that its commands run beside other programs.
import { findPort } from '../../packages/playground/dist/find-port.js';

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
  const free = new Set();
  while (free.size < used.size) free.add(await findPort('127.0.0.1', 0));
  const chosen = new Map([...used].map((port, index) => [port, [...free][index]]));
  const text = markdown.replaceAll(/\b\d{4,5}\b/g, (number) => chosen.get(number) ?? number);
  return { text, port: chosen.get(PLAYGROUND_PORT) };
}
