// PostgreSQL is killed again and again while writers present; the server stays, and goes on when it is back.
import { stopTarget } from '../bench/processes.js';
import { untilReady } from './own-postgresql.js';
import { endAndCheck, prepare } from './prepare.js';
import { killNow, pause, presentWhile } from './present-while.js';

export async function killPostgresql({ folder, times, tell }) {
  const made = await prepare({ folder, tell });
  const server = await made.serve();
  const disturb = async () => {
    await killNow(made.postgresql);
    // Its children notice at their next breath; a new one may not start before.
    await pause(500);
    made.postgresql = made.cluster.start();
    await untilReady(made.cluster.url);
  };
  const account = await presentWhile({ ...made, times, tell, disturb });
  await stopTarget(server);
  return endAndCheck(made, account);
}
