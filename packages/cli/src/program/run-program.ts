// Runs the command with its arguments, and explains its errors.

import { isReading } from '../input/only-reads.js';
import type { IdentityOptions } from '../input/options.js';
import { readVariables } from '../input/variables.js';
import { declareReading } from '../output/output.js';
import { reportError } from '../process/exit.js';
import { explainFailure } from '../service/explain-failure.js';
import { applyProfile } from '../settings/apply-profile.js';
import { makeProgram } from './program.js';

/** Runs the command. If it fails, sets the exit code of the process. */
export async function runProgram(words: readonly string[]): Promise<void> {
  let options: Partial<IdentityOptions> = {};
  const json = asksForJson(words);
  const program = readVariables(makeProgram({ json })).hook('preAction', async (_, action) => {
    declareReading(isReading(action));
    await applyProfile(action);
    options = action.opts();
  });
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    process.exitCode = reportError(explainFailure(error, options), json);
  }
}

/** Whether errors are reported as JSON: known before the arguments are read, because they may be wrong. */
function asksForJson(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return words.slice(0, end < 0 ? words.length : end).includes('--json');
}
