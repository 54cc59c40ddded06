// The same request with the command, for copying.
import type { ModeName, MovementLevel } from '@landfall/client';
import { type CallerOptions, callerOptions } from '../../playground/command-line.js';

/** A line that no line of the message is: those of JSON begin with a brace or a blank. */
const END = 'END';

/**
 * The command that lodges a message, or replaces the one with an MRN. It reads the message from the lines after it.
 *
 * @param message without requestId, which the command makes
 */
export function asCommand(
  { mode, level, mrn }: { mode: ModeName; level: MovementLevel; mrn: string | undefined },
  message: object,
  caller: CallerOptions,
): string {
  const what = mrn === undefined ? `lodge ${level}` : `replace ${level} ${mrn}`;
  return [
    `npx landfall movement ${what} --mode ${mode} --file - ${callerOptions(caller)} <<'${END}'`,
    JSON.stringify(message, null, 2),
    END,
  ].join('\n');
}
