// Installs Lighthouse from the npm registry, when it is first used: it is too large for everybody who works on the code.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** The last one for Node.js 20. */
const VERSION = '12.8.2';

const cache = fileURLToPath(new URL('../../../node_modules/.cache/', import.meta.url));

/** Lighthouse, installed without install scripts. @returns {Promise<Function>} */
export async function loadLighthouse() {
  const folder = join(cache, `lighthouse-${VERSION}`);
  if (!existsSync(folder)) await install(folder);
  const entry = join(folder, 'node_modules/lighthouse/core/index.js');
  const { default: lighthouse } = await import(pathToFileURL(entry).href);
  return lighthouse;
}

/** Installs into another folder first, so that one that was interrupted is not taken for complete. */
async function install(folder) {
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  await writeFile(join(partial, 'package.json'), '{ "private": true }');
  const options = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund'];
  await promisify(execFile)('npm', ['install', `lighthouse@${VERSION}`, ...options], {
    cwd: partial,
  });
  await rename(partial, folder);
}
