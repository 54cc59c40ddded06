// Where the tools of the workspace `tools/` are.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../tools/node_modules/.bin/', import.meta.url));

/** Why tests that need a tool are skipped, or `false`. @param {string} name */
export function whyNoTool(name) {
  return existsSync(`${folder}${name}`) ? false : `needs ${name}: run \`npm run tools\` once`;
}

/**
 * The path of a tool, such as `biome`. Ends the process with what to do if the tools are not installed.
 *
 * @param {string} name
 */
export function toolPath(name) {
  const path = `${folder}${name}`;
  if (!existsSync(path)) {
    console.error(`${name} is not installed. Run \`npm run tools\` once, then this command again.`);
    process.exit(1);
  }
  return path;
}
