// Parses server-sent events (WHATWG HTML, section 9.2.6): the data of each complete event.
import { UnexpectedResponseError } from '../errors/landfall-error.js';
import { MAX_LINE_LENGTH } from '../http/open-response.js';

/** A parser of one stream. */
export class EventParser {
  /** The pieces of a line that has not ended: joined at its end, because a long one has many. */
  #rest: string[] = [];
  /** Of what is kept: the beginning of a line, and the data of the event. */
  #restLength = 0;
  #dataLength = 0;
  #endedWithReturn = false;
  #data: string[] = [];
  #type = '';

  /**
   * The data of the events that the text completes. Events of another type than `message` are left out.
   *
   * @throws UnexpectedResponseError when an event has more than 32 Mi characters
   */
  push(text: string): string[] {
    // A CR at the end of the previous text ended its line; an LF after it belongs to it.
    const added = this.#endedWithReturn && text.startsWith('\n') ? text.slice(1) : text;
    if (text !== '') this.#endedWithReturn = text.endsWith('\r');
    const [first = '', ...lines] = added.split(/\r\n|\n|\r/);
    this.#rest.push(first);
    this.#restLength += first.length;
    const events: string[] = [];
    if (lines.length > 0) {
      lines.unshift(this.#rest.join(''));
      this.#rest = [lines.pop() ?? ''];
      this.#restLength = this.#rest[0]?.length ?? 0;
      for (const line of lines) events.push(...this.#take(line));
    }
    if (this.#restLength + this.#dataLength > MAX_LINE_LENGTH) {
      throw new UnexpectedResponseError('an event has no end');
    }
    return events;
  }

  #take(line: string): string[] {
    if (line === '') return this.#dispatch();
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'data') {
      this.#data.push(value);
      // With its line break.
      this.#dataLength += value.length + 1;
    }
    if (field === 'event') this.#type = value;
    return [];
  }

  #dispatch(): string[] {
    const events = this.#data.length > 0 && /^(?:message)?$/.test(this.#type);
    const data = this.#data.join('\n');
    this.#data = [];
    this.#dataLength = 0;
    this.#type = '';
    return events ? [data] : [];
  }
}
