// The test of upgrades on a database with many rows, for longer and with a higher rate, on a PostgreSQL of its own.
import { makeCluster, untilReady } from '../own-postgresql.js';
import { killNow } from '../present-while.js';
import { upgrade } from './upgrade.js';

/** A migration of a million rows takes long enough for thousands of presentations. */
const HOUSES = 1_000_000;

/** Presentations a second, and those of each release between two steps. */
const RATE = 300;
const STEPS = 3000;

export async function upgradeLargeTables({ folder, report }) {
  const cluster = makeCluster(folder, 20_500 + (process.pid % 500));
  const postgresql = cluster.start();
  try {
    await untilReady(cluster.url);
    return await upgrade({
      folder,
      url: cluster.url,
      houses: HOUSES,
      rate: RATE,
      steps: STEPS,
      report,
    });
  } finally {
    await killNow(postgresql);
  }
}
