// Tells a line that was refused, with every rule that it breaks.
import type { ValidationError } from '@landfall/contract';
import { coloursFor, printable, tell } from './output.js';

/** @param name what the line is about, as far as it can be read */
export function tellRefused(
  { line, validationErrors = [] }: { line: number; validationErrors?: readonly ValidationError[] },
  name?: string,
): void {
  const { red } = coloursFor(process.stderr);
  tell(`${red(`line ${line} refused`)}${name === undefined ? '' : ` (${printable(name)})`}`);
  for (const { field, error, code } of validationErrors) {
    tell(`  ${printable(field) || 'line'}: ${printable(error)} (${code})`);
  }
}
