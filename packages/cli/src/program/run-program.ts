// Runs the command with its arguments, and explains its errors.

import type { IdentityOptions } from '../input/options.js';
import { reportError } from '../process/exit.js';
import { explainFailure } from '../service/explain-failure.js';
import { applyProfile } from '../settings/apply-profile.js';
import { makeProgram } from './program.js';

/** Runs the command. If it fails, sets the exit code of the process. */
export async function runProgram(words: readonly string[]): Promise<void> {
  let options: Partial<IdentityOptions> = {};
  const program = makeProgram().hook('preAction', async (_, action) => {
    await applyProfile(action);
    options = action.opts();
  });
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    const code = reportError(explainFailure(error, options));
    // An interrupted command keeps the code of the interruption.
    process.exitCode ||= code;
  }
}
