// Checks the package of the client library as it would be published: its exports, its types, that these import no
// other package, and the size of a bundle with what a carrier uses.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** The limit of a bundle with tokens, presenting and following, in bytes after gzip. */
const MAX_BUNDLE_BYTES = 17_000;

/** What a carrier uses: tokens, presenting and following, as functions, without the methods of other operations. */
const CARRIER = `
  export {
    Connection, followRouting, GrantTokens, present, presentMany, settlePresentation,
  } from '@landfall/client';`;

/** A program in CommonJS, as TypeScript. Each form is compiled with the settings that allow it. */
const COMMON_JS = {
  'nodenext.cts': `import { Landfall, type Credentials, LandfallError } from '@landfall/client';
import { readCredentials } from '@landfall/client/node';
export const open = async (file: string): Promise<Landfall> => new Landfall(await readCredentials(file));
export const isOurs = (error: unknown): error is LandfallError => error instanceof LandfallError;
export type Given = Credentials;
`,
  'node16.cts': `export async function open(file: string) {
  const { Landfall } = await import('@landfall/client');
  const { readCredentials } = await import('@landfall/client/node');
  return new Landfall(await readCredentials(file));
}
`,
};

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
  await check('the license, and the sources that its maps name, are in it', () =>
    checkFiles(tarball),
  );
  await check('CommonJS requires it, and TypeScript agrees', () => checkCommonJs(tarball));
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

/** A map that names a file which is not in the package leads debuggers and bundlers nowhere. */
function checkFiles(tarball) {
  const listed = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).split('\n');
  const files = new Set(listed.map((file) => file.replace(/^package\//, '')));
  const missing = files.has('LICENSE') ? [] : ['there is no LICENSE'];
  for (const file of files) {
    if (!file.endsWith('.map')) continue;
    const { sources } = JSON.parse(readFileSync(join(client, file), 'utf8'));
    for (const source of sources) {
      if (!files.has(join(dirname(file), source))) missing.push(`${file} names ${source}`);
    }
  }
  return missing;
}

/** Installs the package, requires each of its entry points, and compiles programs in CommonJS. */
function checkCommonJs(tarball) {
  const installed = join(folder, 'node_modules', '@landfall', 'client');
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
  const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  const entries = Object.keys(exports).map((name) => join('@landfall/client', name));
  const program = `for (const name of ${JSON.stringify(entries)}) {
    if (Object.keys(require(name)).length === 0) throw new Error(name + ' exports nothing');
  }`;
  writeFileSync(join(folder, 'require.cjs'), program);
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const problems = run(['--no-warnings', 'require.cjs']);
  for (const [file, source] of Object.entries(COMMON_JS)) {
    writeFileSync(join(folder, file), source);
    const [module] = file.split('.');
    const flags = [
      '--strict',
      '--noEmit',
      '--target',
      'es2022',
      '--lib',
      'es2023,dom,dom.iterable',
    ];
    problems.push(...run([tsc, '--module', module, ...flags, '--types', '', file]));
  }
  return problems;
}

/** Runs Node.js in the folder; returns what it reports if it fails. */
function run(words) {
  try {
    execFileSync(process.execPath, words, { cwd: folder, stdio: 'pipe' });
    return [];
  } catch (error) {
    return [`${words.join(' ')}: ${error.stdout}${error.stderr}`];
  }
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
