// Packs the packages as they are published, and installs examples with them outside the repository.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MAX_WAIT_MS } from '../max-wait.js';

const run = promisify(execFile);

/** The folders of the packages that examples and the packages themselves name. */
const packed = ['contract', 'client', 'console', 'samples', 'service', 'playground', 'cli'];

/**
 * Installs examples in a folder, which npm treats as one workspace for each: what they have in common is installed once.
 *
 * @param {string} root of the repository
 * @param {string} folder is created
 * @param {readonly string[]} names of the examples
 */
export async function installExamples(root, folder, names) {
  await mkdir(folder, { recursive: true });
  await Promise.all(names.map((name) => copyExample(root, folder, name)));
  const tarballs = await mkdtemp(join(tmpdir(), 'landfall-packed-'));
  try {
    const dependencies = Object.fromEntries(
      await Promise.all(packed.map((name) => pack(join(root, 'packages', name), tarballs))),
    );
    // What the packages need of each other comes from the tarballs too, never from the registry.
    const overrides = Object.fromEntries(
      Object.keys(dependencies).map((name) => [name, `$${name}`]),
    );
    const workspaces = [];
    for (const name of names) {
      if ((await readdir(join(folder, name))).includes('package.json')) workspaces.push(name);
    }
    const manifest = { private: true, type: 'module', workspaces, dependencies, overrides };
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
    await run(
      'npm',
      [
        'install',
        '--prefer-offline',
        '--ignore-scripts',
        '--no-audit',
        '--no-fund',
        '--no-package-lock',
      ],
      { cwd: folder, timeout: MAX_WAIT_MS },
    );
  } finally {
    await rm(tarballs, { recursive: true, force: true });
  }
}

/** Copies the files that git has or would add. */
async function copyExample(root, folder, name) {
  const args = ['ls-files', '-z', '-co', '--exclude-standard', join('examples', name)];
  const { stdout } = await run('git', args, { cwd: root });
  for (const path of stdout.split('\0')) {
    if (path === '' || !existsSync(join(root, path))) continue;
    await cp(join(root, path), join(folder, path.slice('examples/'.length)));
  }
}

/** @returns {Promise<[name: string, specifier: string]>} */
async function pack(packageFolder, destination) {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', destination];
  const { stdout } = await run('npm', args, { cwd: packageFolder });
  const [{ filename }] = JSON.parse(stdout);
  const { name } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'));
  return [name, `file:${join(destination, filename)}`];
}
