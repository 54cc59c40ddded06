// Measures how long playgrounds of one process take to start, to reset and to close, and their memory:
// `node bench/playground.js --help`.
import '../scripts/end-with-script.js';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startPlayground } from '../packages/playground/dist/index.js';

const help = `Measures playgrounds of one process: starting, resetting and closing them, and their memory.

  node bench/playground.js

Options:
  --times N     how many are started (default 6)
  --keep        all run at once; otherwise each is closed before the next one starts
  --in-folder   each has its data in a folder`;

const { values: options } = parseArgs({
  options: {
    times: { type: 'string', default: '6' },
    keep: { type: 'boolean', default: false },
    'in-folder': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  console.log(help);
  process.exit();
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
const folder = mkdtempSync(join(tmpdir(), 'landfall-bench-'));
const running = [];
console.log(`${cpus().length} × ${cpus()[0]?.model.trim()}, Node.js ${process.version}; ms of time and of processor time, and MB of the process, which had ${resident()} before

| | start | processor | first reset | processor | second reset | closed | MB while it ran | MB after |
|---|---:|---:|---:|---:|---:|---:|---:|---:|`);
try {
  for (let number = 1; number <= Number(options.times); number++) {
    const data = options['in-folder'] ? { data: join(folder, String(number)) } : {};
    let playground;
    const start = await measure(async () => {
      playground = await startPlayground(data);
    });
    running.push(playground);
    const first = await measure(() => playground.reset());
    const second = await measure(() => playground.reset());
    const during = resident();
    const closed = options.keep ? undefined : await measure(() => running.pop().close());
    const cells = [start.ms, start.processor, first.ms, first.processor, second.ms, closed?.ms];
    const row = [number, ...cells.map((value) => value ?? ''), during, resident()];
    console.log(`| ${row.join(' | ')} |`);
  }
} finally {
  await Promise.all(running.map((playground) => playground.close()));
  rmSync(folder, { recursive: true, force: true });
}

/** @param {() => Promise<void>} work */
async function measure(work) {
  const began = performance.now();
  const used = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(used);
  return {
    ms: Math.round(performance.now() - began),
    processor: Math.round((user + system) / 1000),
  };
}

/** The resident memory of the process after garbage was collected, in MB. */
function resident() {
  collectGarbage();
  return Math.round(process.memoryUsage.rss() / 1e6);
}
