// Formats generated sources as the project formats its own.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { toolPath } from '../tool-path.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * @param {string} source TypeScript
 * @returns {string}
 */
export function formatSource(source) {
  const options = ['check', '--write', '--stdin-file-path=packages/client/src/generated.ts'];
  return execFileSync(toolPath('biome'), options, {
    cwd: root,
    input: source,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
}
