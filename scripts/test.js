// Runs the compiled tests, all or those that the arguments name, and counts them in one plain last line.
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

/** Each file is a process of its own, and one with a database of its own takes some 300 MB. */
const FILES_AT_ONCE = Math.min(4, availableParallelism());

/** How long one file may take, in milliseconds. */
const FILE_TIMEOUT = 300_000;

/** What Node.js 20 gives as the reason when `--pattern` has left a test out. */
const LEFT_OUT = 'test name does not match pattern';

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
  // A file that holds no test is told as a test that has the file's name.
  if (details.type === 'suite' || name === file || skip === LEFT_OUT) return;
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

// Where everything is meant to be there, as in CI, what is absent is a fault.
if (process.env.CI === 'true') failed += skipped.length;
for (const line of skipped) console.log(`skipped: ${line}`);
if (passed + failed === 0) console.log('no test ran');
const tail = skipped.length === 0 ? '' : `, ${skipped.length} skipped`;
console.log(`${passed} passed, ${failed} failed${tail}`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
