// Kills servers and databases under load and checks that every promise was kept: `npm run faults -- --help`.
import '../scripts/end-with-script.js';
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { requirePrograms } from '../scripts/require-programs.js';
import { scenarios } from './scenarios.js';

/** The scenarios that need no more than PostgreSQL and NATS, and whose short form is no test. */
const usual = Object.keys(scenarios).filter((name) => !['failover', 'upgrade'].includes(name));

const help = `Kills servers and databases under load and checks that every promise was kept.

  npm run faults                          every scenario except "failover" and "upgrade"
  npm run faults -- --only server --times 3
  npm run faults -- --only upgrade
  npm run faults -- --only failover --rounds 4 --seed 7 --report docs/failover-report.md

Options:
  --times N      number of kills of the server or PostgreSQL, of each kind (default 20)
  --seconds N    duration of the scenarios "servers", "record" and "stream" (default 60)
  --fault WORD   in "arrival", only kills whose name contains it, such as "server 10000"
  --minutes N    in "receivers", for how long receivers hang (default 10)
  --small        little data, to see that every scenario works
  --only WORDS   only these scenarios: ${Object.keys(scenarios).join(', ')}

Options of the scenario "record" (faults/record/README.md):
  --minutes N    its duration, instead of --seconds
  --seed N       of its operations; without it, another one each time
  --build DIR    the servers of another checkout, which is built
  --strict       tolerates no known fault; --fixed NAME,NAME tolerates all except these
  --find-known   looks for each known fault, or for those of --fixed
  --equal-clocks the clocks of the servers do not differ
  --journeys     only movement messages

Options of the scenario "failover", which needs the packages postgresql, patroni, etcd-server, haproxy and openssl:
  --rounds N     how often each kind of fault is made (default 1)
  --seed N       of the order and the choice of machines (default 1)
  --fault WORD   only faults whose name contains it, such as "primary", "pause" or "switch over"
  --report FILE  writes the report to a file, and its numbers beside it as JSON
Nothing can be cut off from the network unless it is run as root on Linux, where network namespaces can be made.

PostgreSQL runs in a separate cluster that initdb creates in a temporary folder; as root, it runs as the user postgres.`;

const { values: options } = parseArgs({
  options: {
    times: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '60' },
    only: { type: 'string', default: usual.join(',') },
    rounds: { type: 'string', default: '1' },
    seed: { type: 'string' },
    minutes: { type: 'string', default: '0' },
    build: { type: 'string' },
    strict: { type: 'boolean', default: false },
    fixed: { type: 'string', default: '' },
    'find-known': { type: 'boolean', default: false },
    'equal-clocks': { type: 'boolean', default: false },
    journeys: { type: 'boolean', default: false },
    fault: { type: 'string', default: '' },
    report: { type: 'string' },
    small: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  console.log(help);
  process.exit();
}

const chosen = options.only.split(',');
for (const name of chosen) {
  if (scenarios[name] === undefined) {
    console.error(`no scenario "${name}": it is one of ${Object.keys(scenarios).join(', ')}`);
    process.exit(2);
  }
  requirePrograms(`the scenario "${name}"`, scenarios[name][2]);
}
let passed = 0;
let failed = 0;
for (const name of chosen) {
  const [title, run] = scenarios[name];
  const folder = mkdtempSync(join(tmpdir(), 'landfall-faults-'));
  console.log(`== ${title}`);
  try {
    const broken = await run({
      folder,
      times: Number(options.times),
      seconds: Number(options.seconds),
      rounds: Number(options.rounds),
      seed: Number(options.seed ?? (name === 'record' ? randomInt(1_000_000) : 1)),
      minutes: Number(options.minutes),
      build: options.build,
      strict: options.strict,
      fixed: options.fixed,
      findKnown: options['find-known'],
      shiftClocks: !options['equal-clocks'],
      journeysOnly: options.journeys,
      fault: options.fault,
      reportFile: options.report,
      small: options.small,
      report: console.log,
    });
    for (const line of broken) console.log(`BROKEN: ${line}`);
    if (broken.length === 0) passed++;
    else failed++;
  } catch (error) {
    console.error(error);
    failed++;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
console.log(`${passed} passed, ${failed} failed`);
// Also when a scenario has failed before it stopped what it has started.
process.exit(failed === 0 ? 0 : 1);
