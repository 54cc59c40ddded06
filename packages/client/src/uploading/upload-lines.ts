// Uploads the lines of a source that may be silent for any time: in one request after another.
import type { Lines } from '../connection/lines.js';
import { ConnectionError } from '../errors/connection-error.js';
import { ConfigurationError } from '../errors/landfall-error.js';
import type { LineSource } from '../http/upload.js';
import { WholeLines } from './whole-lines.js';

/** A request ends when its source has been silent for so long, in milliseconds; a service closes one after 60,000. */
const IDLE_MS = 5_000;

/** The longest silence that can be set, in milliseconds. */
const MAX_IDLE_MS = 30_000;

/** A request takes no more lines after so long, in milliseconds: before the token that it began with can expire. */
const REQUEST_MS = 30_000;

const LINE_BREAK = 0x0a;
const BLANKS = new Set([0x20, 0x09, 0x0d]);

/** The rules whose breach the service reports in a last result: from its line on nothing was processed. */
const ENDING = new Set(['ACCESS_ENDED', 'RESULTS_NOT_READ']);

/** The result of a line. */
type LineResult = {
  line: number;
  status: string | number;
  validationErrors?: readonly { code: string }[] | undefined;
};

/** Options of uploading lines. */
export type UploadLinesOptions = {
  /** A request ends when the source has been silent for so long, in milliseconds, 30,000 at most; default 5,000. */
  idleMs?: number | undefined;
};

/**
 * Uploads the lines of a source, such as a program that decides when it has something to decide, and yields the result of
 * each line. A request begins when there is a line, and ends when the source is silent or after 30 seconds; the next
 * one begins with the next line. `line` of a result counts all lines of the source, from 1. A line is sent when its end has come; one of
 * more than 16 MiB is an error. An upload that the service ends has a last result `REFUSED` with `ACCESS_ENDED` or
 * `RESULTS_NOT_READ`: nothing from its line on was processed, and no more is sent.
 *
 * @param send uploads a body with one request; it is called once for each
 * @throws ConnectionError when lines that were sent have no result; what the source and `send` throw. No more is sent then
 * @example
 * for await (const { line, status } of uploadLines(decisions, (body) => landfall.postRoutingDecisions(body))) {
 *   if (status === 'REFUSED') report(line);
 * }
 */
export async function* uploadLines<Result extends LineResult>(
  source: LineSource<object>,
  send: (body: AsyncIterable<Uint8Array>) => Promise<Lines<Result>>,
  { idleMs = IDLE_MS }: UploadLinesOptions = {},
): AsyncGenerator<Result, void, undefined> {
  if (!(idleMs > 0 && idleMs <= MAX_IDLE_MS)) {
    throw new ConfigurationError(`idleMs must be from 1 to ${MAX_IDLE_MS}`);
  }
  const lines = new WholeLines(source);
  try {
    let before = 0;
    for (;;) {
      const first = await lines.next();
      if (first === undefined || first === 'silent') return;
      const sent = new LineCount();
      let results = 0;
      let last: Result | undefined;
      for await (const result of await send(bodyOf(first, lines, sent, idleMs))) {
        results += 1;
        last = { ...result, line: before + result.line };
        yield last;
      }
      if (results < sent.notBlank) {
        // An upload that the service ends has a last result that says why. After any other one it was cut.
        if (last?.validationErrors?.some?.(({ code }) => ENDING.has(code))) return;
        throw new ConnectionError(
          `the service returned the results of ${results} of the ${sent.notBlank} lines that were sent: it is not known what became of the others. Send the whole file again`,
          { outcomeUnknown: true },
        );
      }
      before += sent.all;
    }
  } finally {
    lines.close();
  }
}

/** What one request sends. */
async function* bodyOf(
  first: Uint8Array,
  lines: WholeLines,
  sent: LineCount,
  idleMs: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const end = performance.now() + REQUEST_MS;
  let piece: Uint8Array | 'silent' | undefined = first;
  while (piece !== undefined && piece !== 'silent') {
    sent.add(piece);
    yield piece;
    if (performance.now() > end) return;
    piece = await lines.next(idleMs);
  }
}

/** Counts lines in pieces of whole lines. The service returns no result for a blank one, but counts it. */
class LineCount {
  all = 0;
  notBlank = 0;

  add(piece: Uint8Array): void {
    let isBlank = true;
    for (const byte of piece) {
      if (byte === LINE_BREAK) {
        this.all += 1;
        if (!isBlank) this.notBlank += 1;
        isBlank = true;
      } else if (!BLANKS.has(byte)) isBlank = false;
    }
    // The last line of the source may have no line break.
    if (piece.at(-1) === LINE_BREAK) return;
    this.all += 1;
    if (!isBlank) this.notBlank += 1;
  }
}
