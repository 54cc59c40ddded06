// Kills servers and databases under load and checks that every promise was kept: `npm run faults -- --help`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { airportDay } from './airport-day.js';
import { killEmbedded } from './kill-embedded.js';
import { killImport } from './kill-import.js';
import { killPostgresql } from './kill-postgresql.js';
import { killServer } from './kill-server.js';
import { killStream } from './kill-stream.js';
import { restartTwoServers } from './restart-two-servers.js';

const scenarios = {
  server: ['kill -9 of the server, on PostgreSQL', killServer],
  postgresql: ['kill -9 of PostgreSQL', killPostgresql],
  import: ['kill -9 of the server in the middle of an import', killImport],
  embedded: ['kill -9 of the server, on the embedded database', killEmbedded],
  servers: ['two servers restarted at random, eight writers and eight readers', restartTwoServers],
  airport: [
    'a day at one airport: 100,000 house consignments decided and presented on two servers',
    airportDay,
  ],
  stream: [
    'goods items: publisher, servers with their relay, and NATS killed at random',
    killStream,
  ],
};

const help = `Kills servers and databases under load and checks that every promise was kept.

  npm run faults                          every scenario
  npm run faults -- --only server --times 3

Options:
  --times N      number of kills of the server or PostgreSQL (default 20)
  --seconds N    duration of the scenarios "servers" and "stream" (default 60)
  --only WORDS   only these scenarios: ${Object.keys(scenarios).join(', ')}

PostgreSQL runs in a separate cluster that initdb creates in a temporary folder; as root, it runs as the user postgres.`;

const { values: options } = parseArgs({
  options: {
    times: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '60' },
    only: { type: 'string', default: Object.keys(scenarios).join(',') },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  console.log(help);
  process.exit();
}

let passed = 0;
let failed = 0;
for (const name of options.only.split(',')) {
  const scenario = scenarios[name];
  if (scenario === undefined) throw new Error(`unknown scenario: ${name}`);
  const [title, run] = scenario;
  const folder = mkdtempSync(join(tmpdir(), 'landfall-faults-'));
  console.log(`== ${title}`);
  try {
    const broken = await run({
      folder,
      times: Number(options.times),
      seconds: Number(options.seconds),
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
process.exitCode = failed === 0 ? 0 : 1;
