// Says that a list has more results than were printed.
import { print, report } from './output.js';

/**
 * Names the command that prints the next results: below a table on stdout, beside a document on stderr. One part of many
 * looks like everything.
 *
 * @param command default: there are no more
 */
export function reportMore(
  command: string | undefined,
  { json, what = 'More results' }: { json?: true | undefined; what?: string },
): void {
  if (command === undefined) return;
  if (json) report(`${what}: ${command}`);
  else print(`\n${what}: ${command}`);
}
