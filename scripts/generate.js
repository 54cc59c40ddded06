// Writes the generated files; with --check it only reports which of them are out of date.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const check = process.argv.includes('--check');

// What is generated first is part of the sources from which the rest is generated, so each is compiled in between.
compile('packages/contract');
const { contractFiles } = await import('./generate/contract-files.js');
const { version } = JSON.parse(read('packages/contract/package.json'));
await update(contractFiles(version));
compile('.');
const { packageFiles } = await import('./generate/package-files.js');
await update(await packageFiles(read));

/** Compiles a project and those that it refers to, unless the files are only checked: then they have been. @param {string} project */
function compile(project) {
  if (check) return;
  const options = { cwd: fileURLToPath(root), stdio: /** @type {const} */ ('inherit') };
  const { status } = spawnSync('npx', ['tsc', '--build', project], options);
  if (status === 0) return;
  console.error(
    'Not all files were generated: correct the errors above, and run `npm run generate` again.',
  );
  process.exit(1);
}

/** Writes files, or reports their differences. @param {Record<string, () => string | Promise<string>>} generated */
async function update(generated) {
  for (const [path, make] of Object.entries(generated)) {
    const made = await make();
    const kept = existsSync(new URL(path, root)) ? read(path) : '';
    if (made === kept) continue;
    if (check) {
      reportDifference(path, kept, made);
      continue;
    }
    mkdirSync(new URL('.', new URL(path, root)), { recursive: true });
    writeFileSync(new URL(path, root), made);
    console.log(`written: ${path}`);
  }
}

/** @param {string} path @param {string} kept @param {string} made */
function reportDifference(path, kept, made) {
  const keptLines = kept.split('\n');
  const madeLines = made.split('\n');
  const changed = madeLines.findIndex((line, index) => line !== keptLines[index]);
  const line = changed === -1 ? madeLines.length : changed;
  console.error(`${path} is out of date: run \`npm run generate\` and commit it.
  line ${line + 1} is       ${keptLines[line] ?? '(nothing)'}
  line ${line + 1} would be ${madeLines[line] ?? '(nothing)'}`);
  process.exitCode = 1;
}

/** @param {string} path */
function read(path) {
  return readFileSync(new URL(path, root), 'utf8');
}
