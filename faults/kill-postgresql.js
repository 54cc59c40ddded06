// PostgreSQL is killed repeatedly while writers present; the server keeps running and recovers.
import { stopTarget } from '../bench/processes.js';
import { untilReady } from './own-postgresql.js';
import { endAndCheck, prepare } from './prepare.js';
import { killNow, pause, presentWhile } from './present-while.js';

export async function killPostgresql({ folder, times, report, small }) {
  const made = await prepare({ folder, report, small });
  const server = await made.serve();
  const disturb = async () => {
    await killNow(made.postgresql);
    // Its child processes must have exited before a new server can start.
    await pause(500);
    made.postgresql = made.cluster.start();
    await untilReady(made.cluster.url);
  };
  const account = await presentWhile({ ...made, times, report, disturb });
  await stopTarget(server);
  return endAndCheck(made, account);
}
