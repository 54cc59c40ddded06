// Switches on each fault of the wrong server and runs the suite, which has to catch it; prints what caught it.
//
//   node conformance/dist/wrong-server/check-faults.js              the requirements that should catch each fault
//   node conformance/dist/wrong-server/check-faults.js --all        every requirement, for each fault
//   node conformance/dist/wrong-server/check-faults.js marker       faults whose name has this text
//
// CI draws some of the faults (`testing/drawn-cases.ts` of the contract).
import { parseArgs } from 'node:util';
import { drawCases } from '../../../packages/contract/dist/testing/drawn-cases.js';
import { whyNoPostgresql } from '../../../packages/service/dist/testing/postgresql.js';
import { Tokens } from '../http/tokens.js';
import { allAreas } from '../requirements/all.js';
import { readSettings } from '../settings/read-settings.js';
import type { Settings } from '../settings/settings.js';
import { FeedStarts } from '../suite/feed-starts.js';
import { type RequirementResult, runSuite } from '../suite/run-suite.js';
import { selectRequirements } from '../suite/select.js';
import { makeExpiredMarker, makeExpiredToken } from '../testing/expired-data.js';
import { nationalList } from '../testing/national-list.js';
import { startService } from '../testing/service-process.js';
import { allFaults } from './all-faults.js';
import type { Fault } from './fault.js';
import { startProxy } from './proxy.js';
import { generatedReadingFaults } from './reading-faults.js';

/** How many faults are checked at once. */
const FAULTS_AT_ONCE = 16;

/** How long the cases of one fault may take, in milliseconds. */
const TIMEOUT_MS = 600_000;

/** The service of the check uses a new list at once; on a busy machine within this time, in milliseconds. */
const LIST_IN_USE_WITHIN_MS = 20_000;

/** Requirements whose cases change what all users of a service share: their faults are checked one after the other. */
const EXCLUSIVE = ['DECI-009', 'REGI-013', 'REGI-021'];
const isExclusive = (ids: readonly string[]) => ids.some((id) => EXCLUSIVE.includes(id));

/** Requirements of how tokens are obtained, or whose they are: their faults meet the requests for tokens too. */
const ABOUT_ACCESS = /^(?:ACCE|IDEN|ISOL)-/;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean', default: false } },
});
const print = (text: string) => process.stdout.write(`${text}\n`);

const noPostgresql = await whyNoPostgresql();
/** On the embedded database no message can be expired for the check. In CI there is PostgreSQL. */
const needsPostgresql = ({ caughtBy }: Fault) => caughtBy.includes('GOOD-023');
const drawn = drawCases('faults', allFaults, 70);
const named = drawn.filter(({ name }) => positionals.every((text) => name.includes(text)));
const faults = named.filter((fault) => noPostgresql === false || !needsPostgresql(fault));
if (faults.length < named.length) print(`not checked: MARKER_EXPIRED: ${noPostgresql}`);
const service = await startService(noPostgresql === false ? 'PostgreSQL' : 'embedded');
/** The tokens of all faults that do not concern them, from the service itself: obtaining one is what costs most. */
let shared: Tokens;
let passed = 0;
let failed = 0;
const generated = { caught: 0, all: 0 };
/** The faults that were not caught while others were checked; each is checked again, alone. */
const notCaught: Fault[] = [];
try {
  const given = await readSettings(service.credentials);
  const settings: Settings = {
    ...given,
    expiredToken: await makeExpiredToken(service, given),
    ...(noPostgresql === false && { expiredMarker: await makeExpiredMarker(service, given) }),
    customsOffices: nationalList(),
  };
  shared = new Tokens(settings);
  await checkWithoutFault(settings);
  const check = async (pending: Fault[]) => {
    for (let fault = pending.shift(); fault !== undefined; fault = pending.shift()) {
      await checkFault(fault, settings);
    }
  };
  const others = faults.filter(({ caughtBy }) => !isExclusive(caughtBy));
  await Promise.all([
    check(faults.filter(({ caughtBy }) => isExclusive(caughtBy))),
    ...Array.from({ length: FAULTS_AT_ONCE }, () => check(others)),
  ]);
  // Cases that run at once read the same feeds: every third entry may always be one of another case.
  for (const fault of notCaught) reportFault(fault, await runBehind(fault, settings, 1));
} finally {
  await service.close();
}
const { caught, all } = generated;
if (all > 0) {
  print(
    `generated faults of reading: ${caught} of ${all} caught (${((100 * caught) / all).toFixed(1)} %)`,
  );
}
print(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

/** Through a proxy without a fault every requirement is met: what fails later fails because of the fault. */
async function checkWithoutFault(settings: Settings): Promise<void> {
  const ids = [...new Set(faults.flatMap(({ caughtBy }) => caughtBy))];
  const results = await runBehind({ name: '', caughtBy: ids, make: () => ({}) }, settings, 6);
  const broken = results.filter(({ outcome }) => outcome === 'failed');
  report(broken.length === 0, `no fault: ${results.length} requirements`, broken.map(describe));
}

async function checkFault(fault: Fault, settings: Settings): Promise<void> {
  const results = await runBehind(fault, settings, 2);
  if (isCaught(fault, results)) reportFault(fault, results);
  else notCaught.push(fault);
}

function isCaught({ caughtBy }: Fault, results: readonly RequirementResult[]): boolean {
  return results.some(
    ({ outcome, requirement }) => outcome === 'failed' && caughtBy.includes(requirement.id),
  );
}

function reportFault(fault: Fault, results: readonly RequirementResult[]): void {
  const caught = results.filter(({ outcome }) => outcome === 'failed');
  const isExpected = isCaught(fault, results);
  report(isExpected, `The server ${fault.name}`, caught.map(describe));
  if (!generatedReadingFaults.includes(fault)) return;
  generated.all++;
  if (isExpected) generated.caught++;
}

function report(isGood: boolean, what: string, details: readonly string[]): void {
  if (isGood) passed++;
  else failed++;
  print(
    [`${isGood ? 'ok' : 'FAILED'}: ${what}`, ...details.map((detail) => `  ${detail}`)].join('\n'),
  );
}

/** The requirement that is not met, and the first reason. */
function describe({ requirement, cases }: RequirementResult): string {
  const found = cases.find(({ outcome }) => outcome === 'failed');
  return `${requirement.id} ${found?.name}: ${found?.message?.slice(0, 160)}`;
}

async function runBehind(
  { caughtBy, make }: Fault,
  settings: Settings,
  concurrency: number,
): Promise<RequirementResult[]> {
  const proxy = await startProxy(settings.baseUrl, make());
  const behind: Settings = {
    ...settings,
    baseUrl: proxy.url,
    identityProvider: {
      ...settings.identityProvider,
      url: settings.identityProvider.url.replace(settings.baseUrl, proxy.url),
    },
  };
  const mayChangeAll = isExclusive(caughtBy);
  const all = allAreas.flatMap(({ requirements }) => requirements.map(({ id }) => id));
  const ids = values.all ? all.filter((id) => mayChangeAll || !isExclusive([id])) : caughtBy;
  try {
    return await runSuite(
      selectRequirements(allAreas, ids),
      {
        settings: behind,
        tokens: new Tokens(behind, ids.some((id) => ABOUT_ACCESS.test(id)) ? undefined : shared),
        starts: new FeedStarts(),
        maxWaitMs: mayChangeAll ? LIST_IN_USE_WITHIN_MS : 0,
        listInUseWithinMs: LIST_IN_USE_WITHIN_MS,
      },
      { concurrency, timeoutMs: TIMEOUT_MS },
    );
  } finally {
    await proxy.close();
  }
}
