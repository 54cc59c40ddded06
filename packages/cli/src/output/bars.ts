// Bar charts of text: a name, a number and a bar for each row.
import { cutToWidth, displayWidth } from './display-width.js';
import { printable } from './output.js';
import { grouped } from './progress.js';

/** One row of a chart. */
export type Bar = { name: string; value: number };

const MAX_NAME = 30;

/**
 * The lines of a chart in which the largest value has the longest bar. A value greater than 0 has a bar of at least one
 * character.
 *
 * @param width columns of a line, at least 60
 */
export function drawBars(bars: readonly Bar[], width: number): string[] {
  const names = bars.map(({ name }) => cutToWidth(printable(name), MAX_NAME));
  const values = bars.map(({ value }) => grouped(value));
  const nameWidth = Math.max(0, ...names.map(displayWidth));
  const valueWidth = Math.max(0, ...values.map(({ length }) => length));
  const longest = width - nameWidth - valueWidth - 6;
  const largest = Math.max(1, ...bars.map(({ value }) => value));
  return bars.map(({ value }, index) => {
    const name = names[index] ?? '';
    const padding = ' '.repeat(nameWidth - displayWidth(name));
    const bar = '█'.repeat(value === 0 ? 0 : Math.max(1, Math.round((value / largest) * longest)));
    return `  ${name}${padding}  ${(values[index] ?? '').padStart(valueWidth)}  ${bar}`.trimEnd();
  });
}
