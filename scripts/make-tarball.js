// Makes landfall-<version>.tar.gz: the command and the service with their dependencies, for a server without containers.
// Nothing is compiled or downloaded where it is unpacked. The sources must be built.
//
//   node scripts/make-tarball.js [folder]     default: the root of the repository
import './end-with-script.js';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { MAX_WAIT_MS } from './max-wait.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const target = resolve(process.argv[2] ?? root);
const { workspaces } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const { version } = JSON.parse(await readFile(join(root, 'packages/cli/package.json'), 'utf8'));
const name = `landfall-${version}`;
await mkdir(target, { recursive: true });
const staging = await mkdtemp(join(tmpdir(), 'landfall-tarball-'));
try {
  const folder = join(staging, name);
  await mkdir(folder);
  for (const workspace of workspaces) await unpackPackage(workspace, join(folder, workspace));
  for (const file of ['package.json', 'package-lock.json', 'LICENSE', '.npmrc']) {
    await cp(join(root, file), join(folder, file));
  }
  // The versions of the lock file, each with its digest, and nothing of development.
  const options = ['--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  await run('npm', ['ci', ...options], { cwd: folder, timeout: MAX_WAIT_MS });
  // Messages and problems name pages by these paths.
  for (const pages of ['docs/guide', 'docs/reference']) {
    await cp(join(root, pages), join(folder, pages), { recursive: true });
  }
  await mkdir(join(folder, 'bin'));
  await symlink('../packages/cli/bin/landfall.js', join(folder, 'bin/landfall'));
  await cp(join(root, 'deploy/systemd'), join(folder, 'systemd'), {
    recursive: true,
    filter: (path) => !path.endsWith('.test.js'),
  });
  const file = join(target, `${name}.tar.gz`);
  // Owned by root wherever it is unpacked by root, and writable by nobody else.
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'];
  await run('tar', ['-czf', file, ...owner, '-C', staging, name]);
  console.log(file);
} finally {
  await rm(staging, { recursive: true, force: true });
}

/** Unpacks a package as it would be published. @param {string} workspace @param {string} folder */
async function unpackPackage(workspace, folder) {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', staging];
  const { stdout } = await run('npm', args, { cwd: join(root, workspace) });
  const [{ filename }] = JSON.parse(stdout);
  await mkdir(folder, { recursive: true });
  await run('tar', ['-xzf', join(staging, filename), '-C', folder, '--strip-components=1']);
  await rm(join(staging, filename));
}
