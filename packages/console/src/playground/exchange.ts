// Recorded requests of a playground, and how they are found: by any part of their address, headers and bodies.

/** A recorded request with its response; secrets are blanked. */
export type Exchange = {
  startedAt: string;
  /** Absent while it is in progress. */
  durationMs?: number;
  method: string;
  url: string;
  /** Who sent it; absent as long as nothing valid says so. */
  identity?: { name?: string; client: string; organisation: string };
  request: RecordedMessage;
  response?: RecordedMessage & { status: number };
};

/** The headers and the body of a recorded message. */
export type RecordedMessage = {
  headers: { name: string; value: string }[];
  body?: { text: string; base64?: true; truncated?: true };
};

/** What identifies a recorded request: the record has no ids. */
export function exchangeId({ startedAt, method, url }: Exchange): string {
  return `${startedAt} ${method} ${url}`;
}

/** The address of a recorded request in the console. */
export function addressOfExchange(exchange: Exchange): string {
  return `/requests?request=${encodeURIComponent(exchangeId(exchange))}`;
}

/** Whether a recorded request or its response has a text, whatever its case: a requestId, the id of an error, a status. */
export function hasText(exchange: Exchange, text: string): boolean {
  const { method, url, request, response } = exchange;
  const searched = [
    `${method} ${url} ${response?.status ?? ''}`,
    ...textsOf(request),
    ...(response ? textsOf(response) : []),
  ];
  const wanted = text.trim().toLowerCase();
  return searched.some((one) => one.toLowerCase().includes(wanted));
}

function textsOf({ headers, body }: RecordedMessage): string[] {
  return [...headers.map(({ name, value }) => `${name}: ${value}`), body?.text ?? ''];
}
