// The years that docs/scaling.md shows, and what the simulation says of one.
import { valuesWith } from './assumptions.js';
import { machinesOf } from './machines.js';
import { ratesOf, simulateGoods } from './rates.js';
import { countsOf, sizesOf } from './sizes.js';

/** The seed of docs/scaling.md. */
export const SEED = 18;

const EU_INHABITANTS = 449_000_000;
const NORWAY_INHABITANTS = 5_600_000;
const EU_PARCELS = valuesWith().parcels;
/** As many parcels for each inhabitant as in the EU. */
const NORWAY_PARCELS = Math.round(((EU_PARCELS / EU_INHABITANTS) * NORWAY_INHABITANTS) / 1e6) * 1e6;
const EVERY_PARCEL = {
  planeHouseLevel: 0.95,
  planeReceptacleLevel: 0,
  truckHouseLevel: 0.95,
  shipHouseLevel: 0.95,
};

/** @type {Record<string, Record<string, number>>} */
export const SCENARIOS = {
  'EU, one installation': {},
  'EU, each parcel presented by itself': EVERY_PARCEL,
  'EU, 4 installations': { regions: 4 },
  'EU, 27 installations': { regions: 27 },
  Norway: { parcels: NORWAY_PARCELS, readers: 300 },
};

/**
 * Simulates a year.
 *
 * @param {any} capacity what was measured: bench/results/capacity.json
 * @param {Record<string, number>} replaced values of assumptions
 * @param {number} seed
 */
export function simulate(capacity, replaced = {}, seed = SEED) {
  const values = valuesWith(replaced);
  const goods = simulateGoods(values, seed);
  const rates = ratesOf(goods, values);
  const sizes = sizesOf(countsOf(goods, rates, values), capacity.tables);
  const machines = machinesOf(goods, sizes, values, capacity.operations);
  return { values, arrivals: goods.arrivals, rates, sizes, machines };
}
