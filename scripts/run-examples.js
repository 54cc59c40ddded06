// Runs the commands of each example's README as a reader would, from packed packages: `--help` shows the options.
import './end-with-script.js';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { drawCases } from '../packages/contract/dist/testing/drawn-cases.js';
import { useFreePorts } from './examples/free-ports.js';
import { installExamples } from './examples/install-examples.js';
import { findRequirements } from './examples/requirements.js';
import { runDocument } from './readme/run-document.js';

const help = `Runs the commands of examples/*/README.md, with packages that are packed and installed as users install them.

  node scripts/run-examples.js                all; CI draws some
  node scripts/run-examples.js gate java      only these
  node scripts/run-examples.js --install DIR  installs them in a new folder and runs nothing

The last line is "N passed, N failed": the commands. With CI=true an example that lacks a tool is a failure.`;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { install: { type: 'string' }, help: { type: 'boolean', default: false } },
});
if (options.help) {
  console.log(help);
  process.exit();
}

const root = fileURLToPath(new URL('..', import.meta.url));
const names = readdirSync(join(root, 'examples'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
  .map(({ name }) => name);
const unknown = positionals.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`unknown example ${unknown.join(', ')}; there are ${names.join(', ')}`);
  process.exit(2);
}
const wanted = positionals.length > 0 ? positionals : drawCases('examples', names, 4);
if (options.install !== undefined) {
  if (existsSync(options.install)) {
    console.error(`--install: ${options.install} exists; name a new folder`);
    process.exit(2);
  }
  await installExamples(root, options.install, wanted);
  console.log(`installed in ${options.install}`);
} else {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-examples-'));
  try {
    await runExamples(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param {string} folder */
async function runExamples(folder) {
  let passed = 0;
  let failed = 0;
  let skipped = 0;
  const runnable = [];
  for (const name of wanted) {
    const { missing, environment } = await findRequirements(name);
    if (missing.length === 0) runnable.push({ name, environment });
    else {
      console.log(`skipped: examples/${name}: ${missing.join('; ')}`);
      // In CI every tool must be there.
      if (process.env.CI === 'true') failed++;
      else skipped++;
    }
  }
  const installed = runnable.map(({ name }) => name);
  if (installed.length > 0) await installExamples(root, folder, installed);
  for (const { name, environment } of runnable) {
    const from = performance.now();
    const readme = readFileSync(join(root, 'examples', name, 'README.md'), 'utf8');
    const { text, port } = await useFreePorts(readme);
    const counts = await runDocument({
      name: `examples/${name}/README.md`,
      text,
      folder: join(folder, name),
      // Warnings of npm are no output of the example.
      environment: {
        ...environment,
        PORT: String(port),
        npm_config_loglevel: 'error',
        NO_COLOR: '1',
      },
    });
    passed += counts.passed;
    failed += counts.failed;
    console.log(`  ${name}: ${((performance.now() - from) / 1000).toFixed(1)} s`);
  }
  console.log(`${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}
