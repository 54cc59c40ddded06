// Measures how long the command takes, compared with Node.js alone: `node bench/command.js --help`.
import '../scripts/end-with-script.js';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { startPlayground } from '../packages/playground/dist/index.js';

const help = `Measures how long the command takes, compared with an empty script on the same Node.js.

  node bench/command.js

Options:
  --times N   how often each is measured, in turn (default 15)`;

const { values: options } = parseArgs({
  options: {
    times: { type: 'string', default: '15' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  console.log(help);
  process.exit();
}

const command = fileURLToPath(new URL('../packages/cli/bin/landfall.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'landfall-bench-'));
const playground = await startPlayground({ data: folder });
const rows = {
  'node -e 0': ['-e', '0'],
  'landfall --version': [command, '--version'],
  'landfall routing list': [command, 'routing', 'list', '--as', 'carrier'],
};
const took = Object.fromEntries(Object.keys(rows).map((name) => [name, []]));
try {
  for (let time = 0; time < Number(options.times); time++) {
    for (const [name, args] of Object.entries(rows)) took[name].push(await measure(args));
  }
} finally {
  await playground.close();
  rmSync(folder, { recursive: true, force: true });
}

const median = (values) => [...values].sort((one, other) => one - other)[values.length >> 1];
const bare = median(took['node -e 0']);
console.log(`${cpus().length} × ${cpus()[0]?.model.trim()}, Node.js ${process.version}; medians of ${options.times}

| | ms | beside Node.js alone |
|---|---:|---:|`);
for (const [name, values] of Object.entries(took)) {
  console.log(
    `| \`${name}\` | ${median(values).toFixed(0)} | ${(median(values) / bare).toFixed(2)} |`,
  );
}

/** The milliseconds from the start of a process to its end. */
async function measure(args) {
  const began = performance.now();
  await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, LANDFALL_DATA: folder, LANDFALL_URL: playground.baseUrl },
  });
  return performance.now() - began;
}
