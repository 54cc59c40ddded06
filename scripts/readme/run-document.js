// Runs the commands of one document, and compares their output with it.
import { extractCommands } from './extract-commands.js';
import { findMismatch } from './match-output.js';
import { ShellSession } from './shell-session.js';

/**
 * Runs the commands from top to bottom, and prints the result of each.
 *
 * @param {object} document
 * @param {string} document.name for messages
 * @param {string} document.text Markdown
 * @param {string} document.folder where its commands are run
 * @param {Record<string, string>} [document.environment] variables for its commands, beside those of this process
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runDocument({ name: document, text: markdown, folder, environment }) {
  let passed = 0;
  let failed = 0;
  const session = new ShellSession(folder, environment);
  try {
    for (const { line, text, notRun, readyAt, output: shown } of extractCommands(markdown)) {
      const name = `${document}:${line} ${text.split('\n', 1)[0]}`;
      if (notRun !== undefined) {
        console.log(`not run: ${name} (${notRun})`);
        continue;
      }
      const started = performance.now();
      const { succeeded, output } =
        readyAt === undefined ? await session.run(text) : await session.start(text, readyAt);
      const mismatch = shown === undefined ? undefined : findMismatch(shown, output);
      if (succeeded && mismatch === undefined) {
        passed++;
        console.log(`passed: ${name} (${((performance.now() - started) / 1e3).toFixed(1)} s)`);
        continue;
      }
      failed++;
      console.log(`FAILED: ${name}`);
      if (mismatch !== undefined) console.log(mismatch);
      console.log(output.replaceAll(/^/gm, '  | '));
      // Later commands depend on it.
      if (!succeeded) break;
    }
  } finally {
    await session.close();
  }
  return { passed, failed };
}
