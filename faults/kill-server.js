// The server is killed repeatedly while writers present; PostgreSQL keeps running.
import { stopTarget } from '../bench/processes.js';
import { endAndCheck, prepare } from './prepare.js';
import { killNow, presentWhile } from './present-while.js';

export async function killServer({ folder, times, report, small }) {
  const made = await prepare({ folder, report, small });
  let server = await made.serve();
  const disturb = async () => {
    await killNow(server);
    server = await made.serve();
  };
  const account = await presentWhile({ ...made, times, report, disturb });
  await stopTarget(server);
  return endAndCheck(made, account);
}
