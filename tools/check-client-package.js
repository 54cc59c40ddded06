// Checks the package of the client library as it would be published: its exports, its types, that these import no
// other package, and the size of a bundle with what a carrier uses.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** The limit of a bundle with tokens, presenting and following, in bytes after gzip. */
const MAX_BUNDLE_BYTES = 12_000;

/** What a carrier uses: tokens, presenting and following, as functions, without the methods of other operations. */
const CARRIER = `
  export {
    Connection, followRouting, GrantTokens, present, presentMany, settlePresentation,
  } from '@landfall/client';`;

const root = fileURLToPath(new URL('../', import.meta.url));
const client = join(root, 'packages', 'client');
const attw = join(root, 'tools/node_modules/.bin/attw');
const folder = mkdtempSync(join(tmpdir(), 'landfall-package-'));
let passed = 0;
let failed = 0;
try {
  const tarball = pack();
  await check('publint', () => lint());
  await check('types as every resolution finds them', () => checkTypes(tarball));
  await check('types import no other package', checkImports);
  await check(`a carrier's bundle has at most ${MAX_BUNDLE_BYTES} bytes`, checkBundle);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

/** Runs a check, which returns its problems. */
async function check(name, run) {
  const problems = await run();
  console.log(`${problems.length === 0 ? 'ok' : 'FAILED'}: ${name}`);
  for (const problem of problems) console.log(`  ${problem}`);
  if (problems.length === 0) passed++;
  else failed++;
}

function pack() {
  const packed = execFileSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
    { cwd: client, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  return join(folder, JSON.parse(packed)[0].filename);
}

async function lint() {
  const { messages, pkg } = await publint({ pkgDir: client, strict: true });
  return messages.map((message) => formatMessage(message, pkg) ?? message.code);
}

function checkTypes(tarball) {
  try {
    execFileSync(attw, [tarball, '--profile', 'esm-only', '--no-color'], { stdio: 'pipe' });
    return [];
  } catch (error) {
    return [String(error.stdout ?? error)];
  }
}

function checkImports() {
  const dist = join(client, 'dist');
  return readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.d.ts') && !/\.test\.|testing\//.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(dist, file), 'utf8');
      return [...text.matchAll(/(?:from|import\()\s*'([^'.][^']*)'/g)].map(
        ([, imported]) => `${file} imports ${imported}`,
      );
    });
}

async function checkBundle() {
  const { outputFiles } = await build({
    stdin: { contents: CARRIER, resolveDir: root },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  const size = gzipSync(outputFiles[0].contents, { level: 9 }).length;
  console.log(`  ${size} bytes`);
  return size > MAX_BUNDLE_BYTES ? [`it has ${size} bytes`] : [];
}
