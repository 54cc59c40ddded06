// Reads a stream of server-sent events (WHATWG HTML, section 9.2).

/** One event: its data, and the id to go on from after it. */
export type StreamEvent = { id: string | undefined; data: string };

/** The events of a stream as they come; ends when the stream does. */
export async function* readEvents(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<StreamEvent, void, undefined> {
  let id: string | undefined;
  let data: string[] = [];
  for await (const line of readLines(chunks)) {
    if (line === '') {
      if (data.length > 0) yield { id, data: data.join('\n') };
      data = [];
      continue;
    }
    const { name, value } = readField(line);
    if (name === 'data') data.push(value);
    else if (name === 'id') id = value;
  }
}

/** A line without a name is a comment, which keeps the connection alive. */
function readField(line: string): { name: string; value: string } {
  const colon = line.indexOf(':');
  if (colon === -1) return { name: line, value: '' };
  return { name: line.slice(0, colon), value: line.slice(colon + 1).replace(/^ /, '') };
}

async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    // A carriage return at the end may be half of a line end: it waits for what follows.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
