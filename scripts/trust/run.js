// Runs the checks of the promises, one after the other, keeps their results, and writes docs/promises.md.
//
//   npm run trust                        all promises; takes an hour or more
//   npm run trust -- I1 B2               these promises
//   npm run trust -- --missing           what was never run, or failed
//   npm run trust -- --list              prints the promises and their checks, and runs nothing
import '../end-with-script.js';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makePromises } from './make-document.js';
import { promises } from './promises.js';
import { keepResult, nameOf, readResults } from './results.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean', default: false },
    missing: { type: 'boolean', default: false },
  },
});

const all = Object.values(promises).flat();
const unknown = positionals.find((id) => !all.some((each) => each.id === id));
if (unknown !== undefined) {
  console.error(`no promise ${unknown}: it is one of ${all.map(({ id }) => id).join(', ')}`);
  process.exit(1);
}
const chosen = all.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
if (values.list) {
  for (const { id, promise, checks } of chosen) {
    console.log(`${id}  ${promise}\n${checks.map((check) => `    ${nameOf(check)}`).join('\n')}`);
  }
  process.exit(0);
}

const commit = git('rev-parse', '--short', 'HEAD');
if (git('status', '--porcelain', '--untracked-files=no', '--', ':!docs') !== '') {
  console.error(
    'There are changes that are not committed: results would name a commit that has not got them.',
  );
  process.exit(1);
}
const before = readResults();
const isWanted = (name) => !values.missing || before[name] === undefined || before[name].failed > 0;
const checks = new Map(
  chosen.flatMap((each) => each.checks).map((check) => [nameOf(check), check]),
);
const wanted = [...checks].filter(([name]) => isWanted(name));
let failedChecks = 0;
for (const [index, [name, check]] of wanted.entries()) {
  console.log(`\n== ${index + 1} of ${wanted.length}: ${name}`);
  const started = performance.now();
  const { passed, failed } = await runCheck(check);
  const seconds = Math.round((performance.now() - started) / 1000);
  keepResult(name, { at: new Date().toISOString().slice(0, 10), commit, passed, failed, seconds });
  if (failed > 0) failedChecks++;
  console.log(`-- ${name}: ${passed} passed, ${failed} failed (${seconds} s)`);
}
writeFileSync(new URL('../../docs/promises.md', import.meta.url), makePromises());
console.log(`\ndocs/promises.md is written`);
console.log(`${wanted.length - failedChecks} passed, ${failedChecks} failed`);
process.exitCode = failedChecks > 0 ? 1 : 0;

/** @param {import('./promises.js').Check} check */
async function runCheck(check) {
  // A part that is absent is a failure: nothing was checked.
  const env = { ...process.env, CI: 'true', NO_COLOR: '1' };
  const args =
    'tests' in check ? ['scripts/test.js', check.tests] : ['faults/run.js', '--only', check.faults];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (part) => {
    process.stdout.write(part);
    printed = `${printed}${part}`.slice(-100_000);
  });
  const [code] = await once(child, 'close');
  if ('faults' in check) return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
  const [, passed = 0, failed = 0] = /^(\d+) passed, (\d+) failed/m.exec(printed) ?? [];
  return { passed: Number(passed), failed: code === 0 ? 0 : Math.max(1, Number(failed)) };
}

/** @param {readonly string[]} args */
function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}
