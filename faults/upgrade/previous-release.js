// Builds the commands of the release before this one, from the commit that `packages/service/package.json` names.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Below `node_modules`, so that dependencies are found there. */
const cache = join(root, 'node_modules/.cache/previous-release');
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

const { commit } = readJson(join(root, 'packages/service/package.json')).previousRelease;

/** Why the sources of the previous release are missing, and what to do; `false` if they are there. */
export function whyNoPreviousRelease() {
  try {
    execFileSync('git', ['-C', root, 'cat-file', '-e', `${commit}^{tree}`], { stdio: 'ignore' });
    return false;
  } catch {
    return `no commit ${commit}, the previous release: clone the repository with its history`;
  }
}

/**
 * Builds the previous release, unless it was built before.
 *
 * @param {(line: string) => void} report
 * @returns {Promise<string>} the file of its command
 */
export async function buildPreviousRelease(report) {
  const folder = join(cache, commit);
  if (!existsSync(folder)) {
    report(`building the previous release, ${commit.slice(0, 7)}`);
    mkdirSync(cache, { recursive: true });
    const unfinished = mkdtempSync(join(cache, 'unfinished-'));
    await extract(unfinished);
    installDependencies(unfinished, report);
    await compile(unfinished);
    try {
      renameSync(unfinished, folder);
    } catch (error) {
      // Another process was faster.
      if (!existsSync(folder)) throw error;
      rmSync(unfinished, { recursive: true });
    }
  }
  return join(folder, 'packages/cli/dist/landfall.js');
}

async function extract(folder) {
  const sources = ['package.json', 'package-lock.json', 'packages', 'conformance/package.json'];
  const archive = spawn('git', ['-C', root, 'archive', commit, ...sources], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const extraction = spawn('tar', ['-x', '-C', folder], {
    stdio: [archive.stdout, 'inherit', 'inherit'],
  });
  for (const [code] of await Promise.all([once(archive, 'exit'), once(extraction, 'exit')])) {
    if (code !== 0) throw new Error(`git archive ${commit} failed`);
  }
}

/**
 * The dependencies of this release are used if they have the versions with which the previous one was locked; otherwise
 * its own are installed.
 */
function installDependencies(folder, report) {
  const locked = ({ packages }) =>
    Object.entries(packages).filter(
      ([path, { dev, link }]) => /node_modules/.test(path) && !dev && !link,
    );
  const ours = new Map(locked(readJson(join(root, 'package-lock.json'))));
  const other = locked(readJson(join(folder, 'package-lock.json'))).find(
    ([path, { version }]) => ours.get(path)?.version !== version,
  );
  if (other !== undefined) {
    report(
      `installing its dependencies: it has ${other[0]} ${other[1].version}, which is not the version of this release`,
    );
    execFileSync(
      'npm',
      ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'],
      {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    return;
  }
  for (const name of readdirSync(join(folder, 'packages'))) {
    const workspace = join(folder, 'packages', name);
    link(workspace, join(folder, 'node_modules', readJson(join(workspace, 'package.json')).name));
    const own = join(root, 'packages', name, 'node_modules');
    if (existsSync(own)) link(own, join(workspace, 'node_modules'));
  }
}

/** The link is relative, because the folder is renamed when it is complete. */
function link(target, path) {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(relative(dirname(path), target), path);
}

/** Each file by itself, because the service finds its other files by their addresses. Types are not checked. */
async function compile(folder) {
  for (const name of readdirSync(join(folder, 'packages'))) {
    // Its pages are not needed.
    if (name === 'console') continue;
    const source = join(folder, 'packages', name, 'src');
    const files = readdirSync(source, { recursive: true }).map(String);
    await build({
      entryPoints: files
        .filter((file) => /(?<!\.test)\.ts$/.test(file))
        .map((file) => join(source, file)),
      outbase: source,
      outdir: join(folder, 'packages', name, 'dist'),
      format: 'esm',
      platform: 'node',
      target: 'node20',
    });
  }
}
