// A result of many lines, read as they come.
import { ConnectionError } from '../errors/connection-error.js';
import { UnexpectedResponseError } from '../errors/landfall-error.js';
import type { OpenResponse } from '../http/open-response.js';

/**
 * Results of a streamed call, in order. Iterate once, or call `toArray`. Ending the loop early ends the call. A response
 * that was cut on its way throws a ConnectionError, also where it ends with a whole line.
 *
 * @example
 * for await (const result of await landfall.postRoutingDecisions(decisions)) report(result);
 */
export class Lines<Line> implements AsyncIterable<Line> {
  readonly #open: OpenResponse;
  readonly #parse: (line: string) => unknown;

  readonly #operationId: string;

  constructor(open: OpenResponse, parse: (line: string) => unknown, operationId: string) {
    this.#operationId = operationId;
    this.#open = open;
    this.#parse = parse;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Line, void, undefined> {
    // A service that does not know the preference ends without a summary.
    const hasSummary = /\bsummary\b/i.test(
      this.#open.response.headers.get('preference-applied') ?? '',
    );
    let received = 0;
    let announced: number | undefined;
    for await (const text of this.#open.lines()) {
      const value = this.#parse(text);
      if (typeof value !== 'object' || value === null) {
        throw new UnexpectedResponseError(
          `a line of the response to ${this.#operationId} is no object`,
        );
      }
      if (hasSummary && isSummary(value)) announced = value.summary.lines;
      else {
        received += 1;
        // The cast is true because the contract says what each line is.
        yield value as Line;
      }
    }
    if (!hasSummary || announced === received) return;
    throw new ConnectionError(
      `the response to ${this.#operationId} was cut: ${received} of ${announced ?? 'more'} results have arrived`,
      { outcomeUnknown: true },
    );
  }

  /** All lines. */
  async toArray(): Promise<Line[]> {
    const lines: Line[] = [];
    for await (const line of this) lines.push(line);
    return lines;
  }
}

function isSummary(value: unknown): value is { summary: { lines: number } } {
  if (typeof value !== 'object' || value === null || !('summary' in value)) return false;
  const { summary } = value;
  return typeof summary === 'object' && summary !== null && 'lines' in summary;
}
