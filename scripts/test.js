// Runs the compiled tests, all or those that the arguments name, and prints their count as the last line.
//
//   node scripts/test.js                          all
//   node scripts/test.js validation routing       files whose path contains one of the texts
//   node scripts/test.js --pattern 'marker'       tests whose name matches the pattern
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { findTests } from './find-tests.js';

/**
 * Each file is a separate process; one with an embedded database takes about 300 MB. One more than there are processors,
 * because the tests of the command and of the client wait for half of their time.
 */
const FILES_AT_ONCE = Math.min(4, availableParallelism() + 1);

/** Maximum duration of one file, in milliseconds. */
const FILE_TIMEOUT = 300_000;

/** The reasons of tests that were left out on request: that of Node.js 20 for `--pattern`, and of `TEST_DATABASES`. */
const LEFT_OUT = ['test name does not match pattern', 'TEST_DATABASES is PostgreSQL'];

/**
 * V8 optimises WebAssembly that has run for long enough. The databases of most tests live for seconds, and optimising
 * their code takes longer than it saves: a third of the processor time of starting one. This delays it a hundredfold.
 * Processes of tests inherit the options of this one.
 */
process.execArgv.push('--wasm-tiering-budget=200000000');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pattern: { type: 'string' } },
});

let passed = 0;
let failed = 0;
/** @type {string[]} */
const skipped = [];

const events = run({
  files: findTests(positionals),
  concurrency: FILES_AT_ONCE,
  timeout: FILE_TIMEOUT,
  ...(values.pattern === undefined ? {} : { testNamePatterns: [values.pattern] }),
});
events.on('test:pass', ({ name, file, details, skip }) => {
  // A file without tests is reported as a test with the file's name.
  if (details.type === 'suite' || name === file || LEFT_OUT.includes(skip)) return;
  if (skip === undefined) passed++;
  else skipped.push(`${name}: ${skip}`);
});
events.on('test:fail', ({ details, todo }) => {
  const alreadyCounted = details.error.failureType === 'subtestsFailed';
  if (todo === undefined && !alreadyCounted) failed++;
});
const report = events.compose(new spec());
report.pipe(process.stdout, { end: false });
await once(report, 'end');

// In CI every prerequisite must be present, so a skipped test is a failure.
if (process.env.CI === 'true') failed += skipped.length;
for (const line of skipped) console.log(`skipped: ${line}`);
if (passed + failed === 0) console.log('no test ran');
const tail = skipped.length === 0 ? '' : `, ${skipped.length} skipped`;
console.log(`${passed} passed, ${failed} failed${tail}`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
