// Runs command lines against the playground of a data folder.
import assert from 'node:assert/strict';
import { runCommand } from './run-command.js';

/** Makes a function that runs a line, checks its exit code, and returns its output: on stderr unless the code is 0. */
export function makeRunLine(data: string): (line: string, code?: number) => Promise<string> {
  return async (line, code = 0) => {
    const result = await runCommand([...line.split(' '), '--data', data]);
    assert.equal(result.code, code, `landfall ${line}\n${result.stdout}${result.stderr}`);
    return code === 0 ? result.stdout : result.stderr;
  };
}
