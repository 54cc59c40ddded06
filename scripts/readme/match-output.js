// Compares the output of a command with a document, ignoring parts that change from run to run.

/** Any UUID matches any other, and any time any other: these change from run to run. */
const uuid = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const time = '\\d{4}-\\d{2}-\\d{2}[T ]\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?Z';
const changing = new RegExp(`(\\.\\.\\.|${uuid}|${time})`);

/**
 * Finds the first shown line that was not printed. A line of `...` matches any lines, `...` within a line any text,
 * any UUID any other, and any time any other.
 *
 * @param {string} shown
 * @param {string} printed
 * @returns {string | undefined} a description of the difference; `undefined` if there is none
 */
export function findMismatch(shown, printed) {
  const wanted = linesOf(shown);
  const lines = linesOf(printed);
  let next = 0;
  let anyLines = false;
  for (const line of wanted) {
    if (line.trim() === '...') {
      anyLines = true;
      continue;
    }
    const pattern = toPattern(line);
    const found = anyLines
      ? lines.findIndex((text, index) => index >= next && pattern.test(text))
      : pattern.test(lines[next] ?? '') && next < lines.length
        ? next
        : -1;
    if (found === -1) return `shown:   ${line}\nprinted: ${lines[next] ?? '(nothing more)'}`;
    next = found + 1;
    anyLines = false;
  }
  if (!anyLines && next < lines.length) return `not shown, but printed: ${lines[next]}`;
  return undefined;
}

/** @param {string} text */
function linesOf(text) {
  const lines = text.split('\n').map((line) => line.trimEnd());
  while (lines.at(-1) === '') lines.pop();
  return lines;
}

/** @param {string} line */
function toPattern(line) {
  const source = line.split(changing).map((part) => {
    if (part === '...') return '.*';
    if (new RegExp(`^${uuid}$`).test(part)) return uuid;
    if (new RegExp(`^${time}$`).test(part)) return time;
    return part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  });
  return new RegExp(`^${source.join('')}$`);
}
