// One request with its response, as the report shows it: secrets are blanked, long bodies are cut.

/** A request as it is sent. */
export type HttpRequest = {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array<ArrayBuffer> | undefined;
  /** Sends the body in chunks, without its length. */
  chunked?: boolean | undefined;
};

/** A complete response. */
export type HttpResponse = {
  status: number;
  /** The words of the status line after the code. */
  reason?: string;
  headers: Headers;
  text: string;
};

/** A request, and its response or why there is none. */
export type Exchange = {
  request: HttpRequest;
  response?: HttpResponse;
  /** Why there is no complete response. */
  failure?: string;
  durationMs: number;
};

/** An exchange as the reports show it. */
export type ShownExchange = {
  request: string;
  response: string;
  durationMs: number;
};

/** Maximum length of a shown body, in characters. */
const MAX_SHOWN = 3000;

const BLANKED = '[blanked]';

/** The texts of an exchange, without secrets. */
export function showExchange({ request, response, failure, durationMs }: Exchange): ShownExchange {
  const { method, url, headers, body } = request;
  const sent = typeof body === 'string' ? body : body && `(${body.byteLength} bytes)`;
  return {
    request: showMessage(`${method} ${url}`, Object.entries(headers), sent),
    response:
      response === undefined
        ? `no response: ${failure ?? 'not complete'}`
        : showMessage(`HTTP ${response.status}`, [...response.headers], response.text),
    durationMs: Math.round(durationMs),
  };
}

function showMessage(first: string, headers: [string, string][], body = ''): string {
  const lines = headers.map(([name, value]) =>
    /^(?:authorization|cookie|set-cookie)$/i.test(name)
      ? `${name}: ${BLANKED}`
      : `${name}: ${value}`,
  );
  const cut =
    body.length > MAX_SHOWN ? `${body.slice(0, MAX_SHOWN)}\n... (${body.length} characters)` : body;
  return blankSecrets([first, ...lines, ...(cut === '' ? [] : ['', cut])].join('\n'));
}

/** Blanks what grants access: every JWT, whole or cut, wherever it is, and private keys. */
export function blankSecrets(text: string): string {
  return text
    .replaceAll(/eyJ[\w-]{8}(?:[\w.-]|%2E)*/g, BLANKED)
    .replaceAll(/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*-----|$)/g, BLANKED)
    .replaceAll(/("(?:access_token|d)"\s*:\s*")[^"]*/g, `$1${BLANKED}`);
}
