// Runs the command in a test, and keeps what it prints.
import { runCommand } from '../command/run-command.js';

/** What the command printed, and its exit code. */
export type CommandResult = { code: number; output: string; errors: string };

/** Runs the command with arguments; without colours. */
export async function runConformance(...args: readonly string[]): Promise<CommandResult> {
  const printed: string[] = [];
  const errors: string[] = [];
  const code = await runCommand(args, {
    print: (text) => printed.push(text),
    printError: (text) => errors.push(text),
    colours: false,
  });
  return { code, output: printed.join('\n'), errors: errors.join('\n') };
}
