// Recorded exchanges in the form of HAR 1.2, which browsers and test tools read.
import type { Exchange, RecordedBody, RecordedHeader } from './exchange.js';

/** The media type by which HAR is requested. */
export const HAR_MEDIA_TYPE = 'application/har+json';

/** The exchanges as one HAR document. An exchange in progress, or without a response, has the status 0. */
export function toHar(exchanges: readonly Exchange[], baseUrl: string): object {
  return {
    log: {
      version: '1.2',
      creator: { name: 'Landfall playground', version: '0.1.0' },
      entries: exchanges.map((exchange) => toEntry(exchange, baseUrl)),
    },
  };
}

function toEntry(exchange: Exchange, baseUrl: string): object {
  const { startedAt, durationMs = 0, request, response } = exchange;
  return {
    startedDateTime: startedAt,
    time: durationMs,
    request: {
      method: exchange.method,
      url: `${baseUrl}${exchange.url}`,
      httpVersion: `HTTP/${exchange.httpVersion}`,
      cookies: [],
      headers: request.headers,
      queryString: [...new URL(exchange.url, baseUrl).searchParams].map(([name, value]) => ({
        name,
        value,
      })),
      ...(request.body && {
        postData: { mimeType: headerOf(request.headers, 'content-type'), ...textOf(request.body) },
      }),
      headersSize: -1,
      bodySize: -1,
    },
    response: {
      status: response?.status ?? 0,
      statusText: '',
      httpVersion: `HTTP/${exchange.httpVersion}`,
      cookies: [],
      headers: response?.headers ?? [],
      content: {
        size: response?.body?.text.length ?? 0,
        mimeType: headerOf(response?.headers ?? [], 'content-type'),
        ...(response?.body && textOf(response.body)),
      },
      redirectURL: headerOf(response?.headers ?? [], 'location'),
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    // Members of applications begin with an underscore (HAR 1.2).
    ...(exchange.operation && { _operation: exchange.operation }),
    ...(exchange.identity && { _identity: exchange.identity }),
    ...(exchange.scenarios && { _scenarios: exchange.scenarios }),
    timings: { send: 0, wait: durationMs, receive: 0 },
  };
}

function textOf({ text, base64, truncated }: RecordedBody): object {
  return {
    text,
    ...(base64 && { encoding: 'base64' }),
    ...(truncated && { comment: 'truncated' }),
  };
}

function headerOf(headers: readonly RecordedHeader[], wanted: string): string {
  return headers.find(({ name }) => name.toLowerCase() === wanted)?.value ?? '';
}
