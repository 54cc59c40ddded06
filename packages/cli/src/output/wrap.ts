// Breaks text between words, so that it fits the terminal.
import type { WriteStream } from 'node:tty';
import { displayWidth } from './display-width.js';

/** The width of a terminal; `Infinity` for a pipe or a file. */
export function terminalWidth(stream: WriteStream = process.stdout): number {
  return stream.isTTY === true && stream.columns > 0 ? stream.columns : Number.POSITIVE_INFINITY;
}

/** The lines of a text of at most `width` columns each; a longer word is divided, as a terminal would. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((each) => divide(each, width))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && displayWidth(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

function divide(word: string, width: number): string[] {
  if (displayWidth(word) <= width) return [word];
  const parts = [''];
  for (const character of word) {
    const longer = `${parts.at(-1)}${character}`;
    if (displayWidth(longer) > width) parts.push(character);
    else parts[parts.length - 1] = longer;
  }
  return parts;
}
