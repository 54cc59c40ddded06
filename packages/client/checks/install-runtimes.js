// The runtimes that the client library is checked on besides Chromium, and their installation from the npm registry:
//
//   node packages/client/checks/install-runtimes.js
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cache = fileURLToPath(new URL('../../../node_modules/.cache/runtimes', import.meta.url));
const target = `${process.platform}-${process.arch}`;

/**
 * Each runtime: a package of the npm registry that consists of it, the program in the package, and the arguments that
 * go before the module to run.
 *
 * @type {Record<string, { package: string, program: string, args: readonly string[] }>}
 */
export const runtimes = {
  node20: { package: `node-${target}@20`, program: 'bin/node', args: [] },
  node22: { package: `node-${target}@22`, program: 'bin/node', args: [] },
  node24: { package: `node-${target}@24`, program: 'bin/node', args: [] },
  deno: {
    package: `@deno/${target}${process.platform === 'linux' ? '-glibc' : ''}`,
    program: 'deno',
    args: ['run', '--quiet', '--allow-all', '--node-modules-dir=manual'],
  },
  bun: { package: `@oven/bun-${target}`, program: 'bin/bun', args: ['run'] },
};

/** The program of a runtime, where it is or would be installed. @param {string} name */
export function programOf(name) {
  // The Node.js that runs this is one of them.
  if (name === `node${process.versions.node.split('.')[0]}`) return process.execPath;
  return join(cache, name, runtimes[name].program);
}

/** Installs those of the runtimes that are not. @param {readonly string[]} names */
export async function installRuntimes(names) {
  const missing = names.filter((name) => name in runtimes && !existsSync(programOf(name)));
  await Promise.all(missing.map(install));
}

/** Unpacks only the program: the rest of a package is most of its files. @param {string} name */
async function install(name) {
  const { package: spec, program } = runtimes[name];
  const folder = join(cache, `${name}.partial`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const options = ['--json', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = await run('npm', ['pack', spec, ...options], { cwd: folder });
  const [{ filename }] = JSON.parse(stdout);
  const tarball = join(folder, filename);
  await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1', `package/${program}`]);
  await rm(tarball);
  await rename(folder, join(cache, name));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await installRuntimes(Object.keys(runtimes));
  for (const name of Object.keys(runtimes)) console.log(`${name}: ${programOf(name)}`);
}
