// The server is killed again and again while writers present; PostgreSQL stays.
import { stopTarget } from '../bench/processes.js';
import { endAndCheck, prepare } from './prepare.js';
import { killNow, presentWhile } from './present-while.js';

export async function killServer({ folder, times, tell }) {
  const made = await prepare({ folder, tell });
  let server = await made.serve();
  const disturb = async () => {
    await killNow(server);
    server = await made.serve();
  };
  const account = await presentWhile({ ...made, times, tell, disturb });
  await stopTarget(server);
  return endAndCheck(made, account);
}
