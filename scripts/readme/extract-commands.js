// Extracts the commands of a Markdown document with their expected output. CONTRIBUTING.md describes the conventions.

/**
 * One `sh` block.
 *
 * @typedef {object} Command
 * @property {number} line the first line of its text, from 1
 * @property {string} text
 * @property {string} [notRun] why it is not run
 * @property {string} [readyAt] it runs in the background and is ready when this address responds
 * @property {string} [output] its output in the document
 */

const FENCE = /^```(\w*)\s*$/;
const NOT_RUN = /^<!-- not run: (.+?)(?: -->)?$/;
const BACKGROUND = /^<!-- background: (\S+)/;

/**
 * Extracts the commands of a document, in order.
 *
 * @param {string} markdown
 * @returns {Command[]}
 * @throws {Error} when a fence is left open, or a mark has no command after it
 */
export function extractCommands(markdown) {
  /** @type {Command[]} */
  const commands = [];
  /** @type {Partial<Command>} */
  let marks = {};
  for (const block of blocksOf(markdown)) {
    if (block.kind === 'mark') {
      marks = { ...marks, ...block.marks };
    } else if (block.language === 'sh') {
      commands.push({ line: block.line, text: block.text, ...marks });
      marks = {};
    } else if (Object.keys(marks).length > 0) {
      throw new Error(`line ${block.line}: the mark before it belongs to a sh block`);
    } else if (block.language === 'text' && commands.length > 0) {
      const last = commands[commands.length - 1];
      if (last.output === undefined && last.notRun === undefined) last.output = block.text;
    }
  }
  if (Object.keys(marks).length > 0) throw new Error('there is a mark after the last block');
  return commands;
}

/** @param {string} markdown */
function* blocksOf(markdown) {
  const lines = markdown.split(/\r?\n/);
  for (let index = 0; index < lines.length; index++) {
    const [, notRun] = NOT_RUN.exec(lines[index]) ?? [];
    const [, readyAt] = BACKGROUND.exec(lines[index]) ?? [];
    if (notRun !== undefined) yield { kind: 'mark', marks: { notRun } };
    if (readyAt !== undefined) yield { kind: 'mark', marks: { readyAt } };
    const [, language] = FENCE.exec(lines[index]) ?? [];
    if (language === undefined) continue;
    const end = lines.indexOf('```', index + 1);
    if (end === -1) throw new Error(`line ${index + 1}: the block has no end`);
    yield {
      kind: 'block',
      language,
      line: index + 2,
      text: lines.slice(index + 1, end).join('\n'),
    };
    index = end;
  }
}
