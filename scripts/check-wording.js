// Finds names that this project once invented where the field has a word, and American spelling, in code and documents.
// Ordinary English is not its concern: a list of forbidden words makes people write around them.
//
//   node scripts/check-wording.js                           everything that git tracks
//   node scripts/check-wording.js packages/service/src/feed only paths that begin so
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * What is not used, and what to write instead.
 *
 * @type {readonly { pattern: RegExp; instead: string }[]}
 */
const rules = [
  { pattern: /\bMOST_|\bLONGEST_/, instead: 'MAX_...' },
  { pattern: /\bLEAST_/, instead: 'MIN_...' },
  { pattern: /STANDARD_|standardLimits/, instead: 'DEFAULT_..., defaultLimits' },
  { pattern: /GOODBYE/, instead: 'SHUTDOWN_TIMEOUT_MS' },
  { pattern: /Patien[ct]|PATIENCE|patien(?:ce|t)[A-Z]/, instead: 'SpooledResponse, waitMs' },
  { pattern: /knownParties/i, instead: 'seen before' },
  { pattern: /passingBy/i, instead: 'try-lock lane' },
  {
    pattern: /leaveWord|\bleaves? word\b/i,
    instead: 'stores in a transaction-local setting',
  },
  { pattern: /takeChain|ChainSeals|chain-seals/, instead: 'lockAuditChain, AuditCheckpoints' },
  { pattern: /SharedReads|shared-reads/, instead: 'ReadCoalescer' },
  { pattern: /FullPages|full-pages/, instead: 'PageCache' },
  { pattern: /noteReading/, instead: 'recordAccess, feed accesses' },
  { pattern: /simplyRecorded/, instead: 'recorded' },
  { pattern: /DecidedBy|DecidedFor|decided-by/, instead: 'DecisionContext, AuditContext' },
  { pattern: /GrantInQuestion|grant-in-question/, instead: 'GrantContext' },
  { pattern: /NotKnownError|not-known-error/, instead: 'UndeterminedError' },
  // A document that is not in the repository.
  {
    pattern: /\bcontract, sections?\b|\bsections? \d[\d.]* of the contract\b/i,
    instead: 'what it says, or the decision or reference that has it',
  },
  // Spelling, except in the names of others: organizationIdentifier, `behavior` of Playwright, serialization of V8.
  { pattern: /\borganiz(?:e|es|ed|ing|ations?)\b/, instead: 'organis...' },
  {
    pattern:
      /\b(?:recogn|summar|minim|maxim|priorit|categor|util|real)iz(?:e|es|ed|ing|ations?)\b/i,
    instead: '...ise',
  },
  { pattern: /\bbehavior(?!:)|\bfavor(?!ite)|\bhonor/i, instead: '...our' },
  { pattern: /\b(?:cancel|label|model|travel)(?:ed|ing)\b/i, instead: '...ll...' },
];

/** Text of others, and text that cannot change: applied migrations, which are compared by digest, and their schema. */
const excluded = [
  /^LICENSE$/,
  /^package-lock\.json$/,
  /^bench\/results\//,
  /^packages\/service\/migrations\/00(?:0\d|1[0-4])-/,
  /^packages\/service\/schema\.sql$/,
  /^scripts\/check-wording\.js$/,
  /\.(?:svg|csv|png)$/,
];

const starts = process.argv.slice(2);
const root = fileURLToPath(new URL('..', import.meta.url));
const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && !excluded.some((pattern) => pattern.test(path)))
  .filter((path) => starts.length === 0 || starts.some((start) => path.startsWith(start)))
  .filter((path) => existsSync(`${root}/${path}`));

let found = 0;
for (const path of files) {
  const lines = readFileSync(`${root}/${path}`, 'utf8').split('\n');
  for (const [index, line] of lines.entries()) {
    for (const { pattern, instead } of rules) {
      const match = pattern.exec(line);
      if (match === null) continue;
      found++;
      console.log(
        `${path}:${index + 1}: "${match[0].trim()}", write: ${instead}\n    ${line.trim()}`,
      );
    }
  }
}
if (found > 0) {
  console.log(`${found} to reword`);
  process.exitCode = 1;
}
