// Runs every command of README.md and docs/guide in a fresh copy of the sources, and compares the output with the
// documents. Arguments, if any, name the documents. CI draws some of the guides.
import './end-with-script.js';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drawCases } from '../packages/contract/dist/testing/drawn-cases.js';
import { runDocument } from './readme/run-document.js';

const root = fileURLToPath(new URL('..', import.meta.url));
/** The limit of what is copied, in bytes: ten times the size of today. */
const MAX_COPIED_BYTES = 400_000_000;

/** They install and start servers. CI must run them. */
const NEED_DEBIAN = ['backup.md', 'high-availability.md', 'install.md'];
const isDebian = existsSync('/etc/debian_version') && process.getuid?.() === 0;

let passed = 0;
let failed = 0;

const copy = copySources();
for (const document of findDocuments(process.argv.slice(2))) {
  // Each document starts with an empty playground.
  rmSync(join(copy, '.landfall'), { recursive: true, force: true });
  const text = readFileSync(join(root, document), 'utf8');
  const counts = await runDocument({ name: document, text, folder: copy });
  passed += counts.passed;
  failed += counts.failed;
}
rmSync(copy, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

/**
 * Copies the files of a clone, including uncommitted changes, and what was built from them: `npm ci` in the copy builds
 * only what changed since.
 */
function copySources() {
  const target = mkdtempSync(join(tmpdir(), 'landfall-readme-'));
  const sources = listFiles('-co', '--exclude-standard');
  const built = listFiles('-oi', '--exclude-standard').filter(
    (path) => !path.includes('node_modules/') && /\/dist\/|\.tsbuildinfo$/.test(path),
  );
  const archive = execFileSync('tar', ['-c', '--null', '--files-from=-'], {
    cwd: root,
    input: [...sources, ...built].join('\0'),
    maxBuffer: MAX_COPIED_BYTES,
  });
  // It keeps the times, which the compiler compares.
  execFileSync('tar', ['-x'], { cwd: target, input: archive });
  return target;
}

/** The existing files that `git ls-files` lists. @param {readonly string[]} options */
function listFiles(...options) {
  const list = execFileSync('git', ['ls-files', '-z', ...options], {
    cwd: root,
    maxBuffer: MAX_COPIED_BYTES,
  });
  return list
    .toString()
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(root, path)));
}

/** @param {readonly string[]} named */
function findDocuments(named) {
  if (named.length > 0) return named;
  const guide = join('docs', 'guide');
  const isLeftOut = (/** @type {string} */ name) =>
    NEED_DEBIAN.includes(name) && !isDebian && process.env.CI !== 'true';
  const guides = readdirSync(join(root, guide)).sort();
  for (const name of guides.filter(isLeftOut)) {
    console.log(`skipped: ${join(guide, name)}: run this as root on Debian`);
  }
  const run = guides.filter((name) => name.endsWith('.md') && !isLeftOut(name));
  return ['README.md', ...drawCases('guides', run, 6).map((name) => join(guide, name))];
}
