// PostgreSQL is killed repeatedly while writers present; the server keeps running and recovers.
import { stopTarget } from '../bench/processes.js';
import { startAgain } from './own-postgresql.js';
import { endAndCheck, prepare } from './prepare.js';
import { killNow, presentWhile } from './present-while.js';

export async function killPostgresql({ folder, times, report, small }) {
  const made = await prepare({ folder, report, small });
  const server = await made.serve();
  const disturb = async () => {
    await killNow(made.postgresql);
    made.postgresql = await startAgain(made.cluster);
  };
  const account = await presentWhile({ ...made, times, report, disturb });
  await stopTarget(server);
  return endAndCheck(made, account);
}
