// Takes a JSON body apart into its messages, each as compact text: as it was written, without the spaces between.
// JSON.stringify would write numbers anew: 1.10 as 1.1, and a number of 20 digits as another one.

const SPACE = 0x20;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const TAB = 0x09;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * The elements of an array, or the whole body when it is none, each without the spaces between its tokens. Whether
 * an element is JSON is seen when it is read; `undefined` when it is an array that does not end, or does not end
 * there.
 */
export function splitMessages(body: string): string[] | undefined {
  const isList = body.trimStart().startsWith('[');
  const base = isList ? 1 : 0;
  const messages: string[] = [];
  let message = '';
  let from = -1;
  let depth = 0;
  let ended = false;
  const take = (end: number) => {
    if (from >= 0) message += body.slice(from, end);
    from = -1;
  };
  for (let at = 0; at < body.length; at++) {
    const code = body.charCodeAt(at);
    if (code === SPACE || code === LINE_FEED || code === RETURN || code === TAB) {
      take(at);
      continue;
    }
    if (ended) return undefined;
    const opens = code === OPEN_LIST || code === OPEN_OBJECT;
    const closes = code === CLOSE_LIST || code === CLOSE_OBJECT;
    if (opens) depth++;
    if (closes) depth--;
    if (isList && opens && depth === 1) continue;
    if (isList && ((closes && depth === 0) || (code === COMMA && depth === base))) {
      take(at);
      ended = closes;
      // An array without elements has none; anywhere else nothing between two commas is not JSON.
      if (!(ended && messages.length === 0 && message === '')) messages.push(message);
      message = '';
      continue;
    }
    if (from < 0) from = at;
    if (code === QUOTE) at = endOfText(body, at);
  }
  take(body.length);
  if (isList) return ended ? messages : undefined;
  return [message];
}

/** Where the text ends that begins with this quote. */
function endOfText(body: string, quote: number): number {
  for (let at = quote + 1; at < body.length; at++) {
    const code = body.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at;
  }
  return body.length;
}
