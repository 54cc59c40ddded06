// Finds words that the project does not use, in code and documents: one concept has one ordinary English word.
//
//   node scripts/check-wording.js                           everything that git tracks
//   node scripts/check-wording.js packages/service/src/feed only paths that begin so
//   node scripts/check-wording.js --count                   how many in each folder
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * What is not used, and what to write instead. A pattern matches a line; words that also have an ordinary use are
 * matched only in the form in which they have none.
 *
 * @type {readonly { pattern: RegExp; instead: string; only?: RegExp }[]}
 */
const rules = [
  {
    pattern: /\b(?:un)?told\b|\btells?\b|\bTold|_?TOLD\b/,
    instead: 'reported, reports, says, shows',
  },
  { pattern: /\bstands\b|\bstanding\b|\bstood\b/, instead: 'current, existing, is' },
  { pattern: /\bmet with\b|knownParties|KnownParties/i, instead: 'seen before' },
  { pattern: /\basked\b|\basks\b/, instead: 'requested, requests' },
  {
    pattern: /\bMOST_|_MOST\b|\b#?most[A-Z]\w*|(?<!\bat )\bmost[:;,)=]/,
    instead: 'MAX_..., max',
    only: /\.[jt]s$/,
  },
  { pattern: /\bLONGEST_|\blongest[A-Z]/, instead: 'MAX_..., max' },
  { pattern: /\bLEAST_|(?<!\bat )\bleast[:;,)=]/, instead: 'MIN_..., min', only: /\.[jt]s$/ },
  {
    pattern:
      /\bplace\b(?! of (?:control|loading|unloading))(?<!in place)(?<!takes? place)(?<!took place)(?<!one place)/,
    instead: 'index, position',
    only: /\.[jt]s$/,
  },
  {
    pattern:
      /\bLOOK_|\blooks (?!up|like)\b|\blooked (?!up)\b|\bthe look\b(?!-up)|\ba look\b(?!-up)/,
    instead: 'poll, POLL_INTERVAL_MS, checks',
  },
  {
    pattern: /\banswer(?:s|ed|ing)?\b|Answer(?=[A-Z]|\b|s\b)|answer[A-Z]/,
    instead: 'response, responds, returns, result',
  },
  { pattern: /\bpatien(?:t|ce)|Patien|PATIENCE/, instead: 'SpooledResponse, FLUSH_AFTER_MS' },
  { pattern: /\bGOODBYE\b/, instead: 'SHUTDOWN_TIMEOUT_MS' },
  { pattern: /\bpass(?:ing|es|ed) by\b|passingBy/, instead: 'try-lock lane' },
  { pattern: /\bleaves? word\b|leaveWord/, instead: 'stores in a transaction-local setting' },
  { pattern: /takeChain|ChainSeals|chain-seals/, instead: 'lockAuditChain, AuditCheckpoints' },
  { pattern: /SharedReads|shared-reads|FullPages|full-pages/, instead: 'ReadCoalescer, PageCache' },
  { pattern: /noteReading|\breadings\b/, instead: 'recordAccess, feed accesses' },
  {
    pattern: /simplyRecorded|\bExceptions?\b/,
    instead: 'recorded, RequestIssue',
    only: /\.[jt]s$/,
  },
  {
    pattern: /DecidedBy|DecidedFor|decided-by|\bOccasion\b/,
    instead: 'DecisionContext, RegistrationContext, AuditContext',
  },
  {
    pattern: /GrantInQuestion|grant-in-question|NotKnownError|not-known-error/,
    instead: 'GrantContext, UndeterminedError',
  },
  {
    pattern: /\bspends?\b|\bspent\b|\buses? up\b|\bused up\b|\busing up\b/,
    instead: 'consume, consumed',
  },
  { pattern: /standardLimits|STANDARD_/, instead: 'defaultLimits, DEFAULT_...' },
  { pattern: /(?<!Garden )\bumbrellas?\b(?!, telescopic)/i, instead: 'aggregateKeywords' },
  { pattern: /\bconcerned\b|\bconcerns\b|Concerned/, instead: 'affected' },
  {
    pattern: /\bbelieved\b|\bbelieves\b|\blearn(?:ed|s)\b|\blearn[A-Z]\w*|#learn/,
    instead: 'trusted, cached',
  },
  { pattern: /\bknows\b/, instead: 'depends on, has, is aware of' },
  { pattern: /\bmend(?:s|ed|ing)?\b/, instead: 'fix' },
  { pattern: /\brooms?\b/, instead: 'module' },
  {
    pattern: /\b[Tt]he house\b(?![ -](?:consignment|document|level|waybill|transport|bill)|$)/,
    instead: 'the architecture',
  },
  { pattern: /\b[Ww]ho may know whom\b/, instead: 'dependency rules' },
  {
    pattern: /\b(?:HTTP |public )?faces? of\b|\bpublic faces?\b|\bHTTP face\b/,
    instead: 'interface',
  },
  { pattern: /\bdeliberately not there\b/i, instead: 'non-goals' },
  { pattern: /\bwhat there is\b/i, instead: 'status and roadmap' },
  { pattern: /\bgo(?:es)? on\b(?! to\b)|\bwent on\b/, instead: 'resume, continue' },
  { pattern: /\bwhat (?:came|comes|became) of\b/i, instead: 'the outcome of' },
  { pattern: /\ball the same\b/, instead: 'still' },
  { pattern: /\bgot hold of\b|\bgot to know\b/, instead: 'obtained' },
  { pattern: /\bwithout a word\b/, instead: 'silently' },
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

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'boolean', default: false } },
});

const root = fileURLToPath(new URL('..', import.meta.url));
const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && !excluded.some((pattern) => pattern.test(path)))
  .filter(
    (path) => positionals.length === 0 || positionals.some((start) => path.startsWith(start)),
  );

/** @type {Map<string, number>} */
const counts = new Map();
let found = 0;
for (const path of files) {
  const lines = readFileSync(`${root}/${path}`, 'utf8').split('\n');
  for (const [index, line] of lines.entries()) {
    for (const { pattern, instead, only } of rules) {
      const match = only === undefined || only.test(path) ? pattern.exec(line) : null;
      if (match === null) continue;
      found++;
      counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
      if (!values.count) {
        console.log(
          `${path}:${index + 1}: "${match[0].trim()}", write: ${instead}\n    ${line.trim()}`,
        );
      }
    }
  }
}
if (values.count) {
  for (const [folder, count] of [...counts].sort(([one], [other]) => (one < other ? -1 : 1))) {
    console.log(`${String(count).padStart(5)}  ${folder}`);
  }
}
if (found > 0) {
  console.log(`${found} places to reword`);
  process.exitCode = 1;
}
