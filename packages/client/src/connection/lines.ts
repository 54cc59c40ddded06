// A result of many lines, read as they come.
import type { OpenResponse } from '../http/open-response.js';

/**
 * Results of a streamed call, in order. Iterate once, or call `toArray`. Ending the loop early ends the call.
 *
 * @example
 * for await (const result of await landfall.postRoutingDecisions(decisions)) report(result);
 */
export class Lines<Line> implements AsyncIterable<Line> {
  readonly #open: OpenResponse;
  readonly #parse: (line: string) => unknown;

  constructor(open: OpenResponse, parse: (line: string) => unknown) {
    this.#open = open;
    this.#parse = parse;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Line, void, undefined> {
    // The cast is true because the contract says what each line is.
    for await (const line of this.#open.lines()) yield this.#parse(line) as Line;
  }

  /** All lines. */
  async toArray(): Promise<Line[]> {
    const lines: Line[] = [];
    for await (const line of this) lines.push(line);
    return lines;
  }
}
