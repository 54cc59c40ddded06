// Many tests at once on one playground, by several test runners: `node bench/parallel-tests/run.js --help`.
import '../../scripts/end-with-script.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startPlayground } from '../../packages/playground/dist/index.js';
import { suites } from './suites.js';

const help = `Runs many tests at once on one playground, each in a space of its own, and looks for what they leave.

  node bench/parallel-tests/run.js [runner...]    of ${Object.keys(suites).join(', ')}; default: all

Options:
  --tests N          how many (default 100)
  --prepared N       how many spaces are made ahead (default 2, from the first one on)
  --modules FOLDER   a node_modules with vitest and jest
  --python FOLDER    a folder with pytest-xdist
  --junit FOLDER     a folder with the jars of JUnit 5 and its console launcher, in place of Maven
junit needs a JDK.`;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tests: { type: 'string', default: '100' },
    prepared: { type: 'string' },
    modules: { type: 'string' },
    python: { type: 'string' },
    junit: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  console.log(help);
  process.exit();
}
const folders = {
  ...(options.modules && { modules: resolve(options.modules) }),
  ...(options.python && { python: resolve(options.python) }),
  ...(options.junit && { jars: resolve(options.junit) }),
};
const data = mkdtempSync(join(tmpdir(), 'landfall-parallel-'));
const controlSecret = 'secret-of-parallel-tests';
const playground = await startPlayground({
  data: join(data, 'playground'),
  controlSecret,
  maxSpaces: 1000,
  ...(options.prepared && { preparedSpaces: Number(options.prepared) }),
});
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

const spaces = join(data, 'playground', 'spaces');

/** What a run may leave behind. */
async function measure() {
  // What is made ahead again, and connections that end.
  await new Promise((done) => setTimeout(done, 5000));
  collectGarbage();
  return {
    spaces: playground.spaces().length,
    folders: existsSync(spaces) ? readdirSync(spaces).length : 0,
    heap: Math.round(process.memoryUsage().heapUsed / 1e6),
    memory: Math.round(process.memoryUsage().rss / 1e6),
  };
}

console.log(
  `${options.tests} tests each, ${cpus().length} processors, load ${loadavg()[0].toFixed(1)}`,
);
let failed = false;
for (const name of positionals.length > 0 ? positionals : Object.keys(suites)) {
  const folder = mkdtempSync(join(data, 'suite-'));
  const command = suites[name](folder, folders);
  if (typeof command === 'string') {
    console.log(`${name}: left out, ${command}`);
    continue;
  }
  const [program, words, environment = {}] = command;
  const used = process.cpuUsage();
  const startedAt = performance.now();
  const child = spawn(program, words, {
    cwd: folder,
    env: {
      ...process.env,
      ...environment,
      PLAYGROUND_URL: playground.baseUrl,
      PLAYGROUND_SECRET: controlSecret,
      TESTS: options.tests,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output += text;
    });
  }
  const [code] = await once(child, 'close');
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(used);
  const left = await measure();
  console.log(
    `${name}: ${code === 0 ? 'passed' : 'FAILED'} in ${seconds.toFixed(1)} s, ${((user + system) / 1e6).toFixed(1)} s of a processor in the playground; left: ${left.spaces} spaces, ${left.folders} folders, heap ${left.heap} MB, memory ${left.memory} MB`,
  );
  if (code !== 0) console.log(output.slice(-3000));
  failed ||= code !== 0 || left.spaces > 0;
}
await playground.close();
rmSync(data, { recursive: true });
process.exitCode = failed ? 1 : 0;
