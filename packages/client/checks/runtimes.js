// Runs the checks of the client library, installed from its package, on every runtime: other versions of Node.js,
// Deno, Bun and Chromium: `node packages/client/checks/runtimes.js --help`.
import '../../../scripts/end-with-script.js';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { readCredentials } from '@landfall/client/node';
import { startPlayground } from '@landfall/playground';
import { MAX_WAIT_MS } from '../../../scripts/max-wait.js';
import { checkInChromium } from './chromium.js';
import { installRuntimes, programOf, runtimes } from './install-runtimes.js';

const help = `Runs the checks of the client library on several runtimes against a playground.

  node packages/client/checks/runtimes.js             those that are installed
  node packages/client/checks/runtimes.js --install   installs the others from the npm registry first (200 MB)

Options:
  --install      install runtimes into node_modules/.cache/runtimes
  --only NAMES   only these, such as "node22,chromium"`;

const { values: options } = parseArgs({
  options: {
    install: { type: 'boolean', default: false },
    only: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  console.log(help);
  process.exit();
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

const names = [...Object.keys(runtimes), 'chromium'];
const wanted = options.only?.split(',') ?? names;
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`unknown runtime ${unknown.join(', ')}; there are ${names.join(', ')}`);
  process.exit(2);
}

if (options.install) await installRuntimes(wanted);
const folder = await mkdtemp(join(tmpdir(), 'landfall-runtimes-'));
const playground = await startPlayground({
  data: join(folder, 'playground'),
});
let passed = 0;
let failed = 0;
let skipped = 0;
try {
  await installClient();
  const accesses = await readAccesses();
  for (const name of wanted) report(name, await checkOn(name, accesses));
} finally {
  await playground.close();
  await rm(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

/** Installs the package as it would be published, so that what it lacks is noticed. */
async function installClient() {
  const { stdout } = await run(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
    { cwd: join(root, 'packages', 'client') },
  );
  const [{ filename }] = JSON.parse(stdout);
  const client = join(folder, 'node_modules', '@landfall', 'client');
  await mkdir(client, { recursive: true });
  await run('tar', ['-xf', join(folder, filename), '-C', client, '--strip-components=1']);
  await cp(new URL('runtime-checks.js', import.meta.url), join(folder, 'runtime-checks.js'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(
    join(folder, 'main.js'),
    `import { runChecks } from './runtime-checks.js';
import { readFileSync } from 'node:fs';
const accesses = JSON.parse(readFileSync(new URL('accesses.json', import.meta.url), 'utf8'));
console.log(JSON.stringify(await runChecks(accesses)));`,
  );
}

async function readAccesses() {
  const accesses = {};
  for (const name of ['carrier', 'express', 'authority']) {
    const file = join(folder, 'playground', 'credentials', `${name}.json`);
    accesses[name] = await readCredentials(file);
  }
  await writeFile(join(folder, 'accesses.json'), JSON.stringify(accesses));
  return accesses;
}

/** The results of a runtime, or why it was skipped. */
async function checkOn(name, accesses) {
  if (name === 'chromium') return checkInChromium(folder, accesses);
  const program = programOf(name);
  const { args } = runtimes[name];
  if (!existsSync(program)) return 'not installed: run with --install';
  const { stdout } = await run(program, [...args, join(folder, 'main.js')], {
    timeout: MAX_WAIT_MS,
  });
  return JSON.parse(stdout);
}

function report(name, results) {
  if (typeof results === 'string') {
    // In CI every runtime must be there.
    if (process.env.CI === 'true') failed++;
    else skipped++;
    console.log(`skipped: ${name}: ${results}`);
    return;
  }
  for (const { name: check, error } of results) {
    console.log(`${error === undefined ? 'ok' : 'FAILED'}: ${name}: ${check}`);
    if (error === undefined) passed++;
    else {
      failed++;
      console.log(`  ${error.replaceAll('\n', '\n  ')}`);
    }
  }
}
