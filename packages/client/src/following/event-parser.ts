// Parses server-sent events (WHATWG HTML, section 9.2.6): the data of each complete event.

/** A parser of one stream. */
export class EventParser {
  #rest = '';
  #endedWithReturn = false;
  #data: string[] = [];
  #type = '';

  /** The data of the events that the text completes. Events of another type than `message` are left out. */
  push(text: string): string[] {
    // A CR at the end of the previous text ended its line; an LF after it belongs to it.
    const added = this.#endedWithReturn && text.startsWith('\n') ? text.slice(1) : text;
    if (text !== '') this.#endedWithReturn = text.endsWith('\r');
    const lines = (this.#rest + added).split(/\r\n|\n|\r/);
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.#take(line));
  }

  #take(line: string): string[] {
    if (line === '') return this.#dispatch();
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'data') this.#data.push(value);
    if (field === 'event') this.#type = value;
    return [];
  }

  #dispatch(): string[] {
    const events = this.#data.length > 0 && /^(?:message)?$/.test(this.#type);
    const data = this.#data.join('\n');
    this.#data = [];
    this.#type = '';
    return events ? [data] : [];
  }
}
