// A recorded request as curl sends it again.

import { type CallerOptions, quote, tokenLine } from '../../playground/command-line.js';
import type { Exchange } from '../../playground/exchange.js';

/** What curl sends by itself. */
const OWN_HEADERS = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'user-agent',
  'expect',
]);

/**
 * The command. A token that was blanked is a new one of the caller; another secret stays blanked.
 *
 * @param baseUrl such as `http://localhost:8080`
 */
export function exchangeAsCurl(
  { method, url, request: { headers, body } }: Exchange,
  baseUrl: string,
  caller: CallerOptions,
): string {
  const sent = headers.filter(({ name }) => !OWN_HEADERS.has(name.toLowerCase()));
  const isBearer = (name: string, value: string) =>
    name.toLowerCase() === 'authorization' && /^bearer /i.test(value);
  const words = sent.map(({ name, value }) =>
    isBearer(name, value)
      ? `-H "Authorization: Bearer $TOKEN"`
      : `-H ${quote(`${name}: ${value}`)}`,
  );
  const hasBody = body !== undefined && body.text !== '';
  const lines = [
    `curl -i${method === 'GET' ? '' : ` -X ${method}`}`,
    ...words,
    ...(hasBody ? [`--data-binary ${quote(body.text)}`] : []),
    quote(baseUrl + url),
  ].join(' \\\n  ');
  const needsToken = sent.some(({ name, value }) => isBearer(name, value));
  return needsToken ? `${tokenLine(caller)}\n${lines}` : lines;
}
