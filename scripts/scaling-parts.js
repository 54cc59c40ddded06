// The generated parts of docs/scaling.md: what was measured, and the simulated years.
import { SCENARIOS, simulate } from '../bench/simulation/scenarios.js';
import {
  assumptionTable,
  capacityTable,
  machineTable,
  rateTable,
  sizeTable,
} from '../bench/simulation/tables.js';

/**
 * @param {any} capacity `bench/results/capacity.json`
 * @returns {Record<string, string>}
 */
export function makeScalingParts(capacity) {
  const simulated = Object.fromEntries(
    Object.entries(SCENARIOS).map(([name, replaced]) => [name, simulate(capacity, replaced)]),
  );
  const eu = simulated['EU, one installation'];
  const { date, command, commit, machine, versions } = capacity.measured;
  return {
    capacity: `\`${command}\` at commit ${commit}, ${date}; ${machine}; ${versions}.\n\n${capacityTable(capacity)}`,
    assumptions: assumptionTable(),
    rates: rateTable(eu),
    'rates of Norway': rateTable(simulated.Norway),
    sizes: sizeTable(eu),
    machines: machineTable(simulated),
  };
}
