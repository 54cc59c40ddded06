// Simulates a year of an installation and prints its tables: `npm run simulate -- --help`.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { assumptions } from './assumptions.js';
import { SEED, simulate } from './scenarios.js';
import { machineTable, rateTable, sizeTable } from './tables.js';

const help = `Simulates a year of arrivals, and prints rates, sizes, machines and costs. docs/scaling.md explains them.

  npm run simulate -- --set parcels=57000000 --set readers=300

Options:
  --set NAME=NUMBER   another value of an assumption; can be repeated
  --seed N            another year with the same assumptions (default ${SEED})

Assumptions: ${Object.keys(assumptions).join(', ')}`;

const { values: options } = parseArgs({
  options: {
    set: { type: 'string', multiple: true, default: [] },
    seed: { type: 'string', default: String(SEED) },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) console.log(help);
else {
  const replaced = Object.fromEntries(
    options.set.map((text) => {
      const [name, value] = text.split('=');
      return [name, value === undefined || value === '' ? Number.NaN : Number(value)];
    }),
  );
  try {
    print(replaced, Number(options.seed));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 2;
  }
}

/** @param {Record<string, number>} replaced @param {number} seed */
function print(replaced, seed) {
  const file = new URL('../results/capacity.json', import.meta.url);
  const simulated = simulate(JSON.parse(readFileSync(file, 'utf8')), replaced, seed);
  console.log(`${simulated.arrivals} arrivals in an installation

${rateTable(simulated)}

${sizeTable(simulated)}

${machineTable({ 'as simulated': simulated })}`);
}
