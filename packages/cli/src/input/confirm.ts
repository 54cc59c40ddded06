// Asks the user on the terminal.
import { createInterface } from 'node:readline';
import { write } from '../output/output.js';

/** Whether somebody can be asked: input and what is shown are on a terminal. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Whether the answer to a question is yes. Anything else, and the end of the input, is no. */
export async function confirm(question: string): Promise<boolean> {
  write(process.stderr, `${question} [y/N] `);
  // The terminal edits the line, and Ctrl-C ends the command as everywhere.
  const lines = createInterface({ input: process.stdin, terminal: false });
  const answer = await new Promise<string>((resolve) => {
    lines.once('line', resolve).once('close', () => resolve(''));
  });
  lines.close();
  return /^(y|yes)$/i.test(answer.trim());
}
