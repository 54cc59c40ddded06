// Runs the compiled tests, all or those that the arguments name. Prints which files took longest, and the count of tests
// as the last line.
//
//   node scripts/test.js                          all files; of long lists of generated cases, some
//   node scripts/test.js --all                    all files, every case
//   node scripts/test.js validation routing       files whose path contains one of the texts, every case
//   node scripts/test.js --pattern 'marker'       tests whose name matches the pattern
//   node scripts/test.js --times                  lists what every file took
import './end-with-script.js';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { findTests } from './find-tests.js';
import { groupTests } from './group-tests.js';
import { MAX_WAIT_MS } from './max-wait.js';
import { processorOfChildren } from './processor-of-children.js';
import { nameOfFile } from './run-files.js';

/**
 * One with an embedded database takes about 300 MB. Two more than there are processors, because tests wait for time
 * limits, databases and browsers: with one more, a run used 58 % of two processors.
 */
const PROCESSES_AT_ONCE = Math.min(4, availableParallelism() + 2);

/** Maximum duration of one process, in milliseconds. A file of tests has half of it. */
const PROCESS_TIMEOUT = 2 * MAX_WAIT_MS;

/** The files that took most of the processor, so many, are listed. */
const SLOWEST = 10;

/** In CI so many tests that failed are run again; more are no accident. */
const MAX_UNSTABLE = 3;

/** The reason of tests that `--pattern` leaves out, in Node.js 20. */
const LEFT_OUT = 'test name does not match pattern';

/**
 * Most tests live for seconds, and optimising their code takes longer than it saves. This delays it tenfold, as an embedded
 * database does from when it starts. Processes of tests inherit the options of this one. Later versions of V8 end with an
 * error, because they do not have this option.
 */
if (process.versions.node.startsWith('20.')) process.execArgv.push('--interrupt-budget=1000000');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    pattern: { type: 'string' },
    times: { type: 'boolean', default: false },
  },
});

/** Of long lists of cases a run of everything draws some by this seed (`contract/src/testing/drawn-cases.ts`). */
const isWhole = positionals.length === 0 && values.pattern === undefined;
if (values.all) delete process.env.LANDFALL_TEST_DRAW;
else if (isWhole) process.env.LANDFALL_TEST_DRAW ??= String(randomInt(2 ** 31));
const seed = process.env.LANDFALL_TEST_DRAW;

const groups = groupTests(findTests(positionals));
const folder = mkdtempSync(join(tmpdir(), 'landfall-tests-'));
const durationsFile = join(folder, 'durations');
writeFileSync(durationsFile, '');
const programs = groups.map(makeProgram);
const first = await runPrograms(programs, PROCESSES_AT_ONCE);
const { skipped } = first;
let failed = process.env.CI === 'true' ? await repeatFailed(first) : first.failed;
const passed = first.passed + first.failed - failed;

/** @type {import('./run-files.js').Duration[]} */
const durations = readFileSync(durationsFile, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line));
rmSync(folder, { recursive: true });
const notRun = groups.flat().length - new Set(durations.map(({ name }) => name)).size;
if (notRun > 0) {
  console.log(`${notRun} files have not run to their end, because their process ended before`);
  failed += notRun;
}
if (values.times || durations.length > SLOWEST) {
  console.log('most of the processor, with child processes:');
  durations.sort((a, b) => b.own + b.children - a.own - a.children);
  for (const { name, own, children, elapsed } of durations.slice(
    0,
    values.times ? undefined : SLOWEST,
  )) {
    const part = children >= 0.1 ? `, ${children.toFixed(1)} s in child processes` : '';
    console.log(
      `${(own + children).toFixed(1).padStart(6)} s in ${elapsed.toFixed(0)} s  ${name}${part}`,
    );
  }
}
const elapsed = (performance.now() / 1e3).toFixed(0);
console.log(`${processorOfChildren().toFixed(0)} s of the processor in ${elapsed} s`);

if (seed !== undefined) {
  console.log(`cases were drawn by LANDFALL_TEST_DRAW=${seed}; npm test -- --all tests every case`);
}

// In CI every prerequisite must be present, so a skipped test is a failure.
if (process.env.CI === 'true') failed += skipped.length;
for (const line of skipped) console.log(`skipped: ${line}`);
if (passed + failed === 0) console.log('no test ran');
const tail = skipped.length === 0 ? '' : `, ${skipped.length} skipped`;
console.log(`${passed} passed, ${failed} failed${tail}`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

/** The program of a process that runs these files. @param {readonly string[]} files @param {number} index */
function makeProgram(files, index) {
  const runFiles = new URL('./run-files.js', import.meta.url).href;
  const program = join(folder, `group-${index + 1}.test.mjs`);
  const call = `await runFiles(${JSON.stringify(files)}, ${JSON.stringify(durationsFile)}, ${MAX_WAIT_MS});`;
  writeFileSync(program, `import { runFiles } from '${runFiles}';\n${call}\n`);
  return program;
}

/**
 * Runs programs, prints what their tests did, and counts the tests.
 *
 * @param {readonly string[]} programs
 * @param {number} concurrency
 */
async function runPrograms(programs, concurrency) {
  let passed = 0;
  let failed = 0;
  /** @type {string[]} */
  const skipped = [];
  /** Files with a test that failed, as their suites are named. @type {Set<string>} */
  const failedFiles = new Set();
  const events = run({
    files: programs,
    concurrency,
    timeout: PROCESS_TIMEOUT,
    ...(values.pattern === undefined ? {} : { testNamePatterns: [values.pattern] }),
  });
  events.on('test:pass', ({ name, details, skip }) => {
    if (details.type === 'suite' || skip === LEFT_OUT) return;
    if (skip === undefined) passed++;
    else skipped.push(`${name}: ${skip}`);
  });
  events.on('test:fail', ({ name, nesting, details, todo }) => {
    if (todo !== undefined) return;
    if (details.error.failureType !== 'subtestsFailed') failed++;
    if (nesting === 0) failedFiles.add(name);
  });
  const report = events.compose(new spec());
  report.pipe(process.stdout, { end: false });
  await once(report, 'end');
  return { passed, failed, skipped, failedFiles };
}

/**
 * Runs the files of tests that failed once more, each alone, and returns how many tests failed both times. A file that passes
 * then is named as unstable: it, or what it tests, depends on how busy the machine is.
 *
 * @param {{ failed: number, failedFiles: ReadonlySet<string> }} first
 */
async function repeatFailed({ failed, failedFiles }) {
  // A process that failed beside its tests is named by its program.
  /** @param {string} name */
  const isProgram = (name) => programs.includes(name);
  const files = groups.flatMap((group, index) =>
    failedFiles.has(programs[index] ?? '')
      ? group
      : group.filter((file) => failedFiles.has(nameOfFile(file))),
  );
  const named = new Set(files.map(nameOfFile));
  const isFew =
    failed <= MAX_UNSTABLE && [...failedFiles].every((name) => isProgram(name) || named.has(name));
  if (failed === 0 || !isFew) return failed;
  let failedAgain = 0;
  for (const [index, file] of files.entries()) {
    console.log(`again, alone: ${nameOfFile(file)}`);
    const second = await runPrograms([makeProgram([file], groups.length + index)], 1);
    failedAgain += second.failed;
    if (second.failed === 0) console.log(`UNSTABLE: ${nameOfFile(file)} failed, then passed`);
  }
  return failedAgain;
}
