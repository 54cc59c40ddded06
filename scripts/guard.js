// Waits until the script that started it has ended, and ends what that has left: processes, databases, temporary files.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import pg from 'pg';

const [id = '', folder = ''] = process.argv.slice(2);
// Every process has an empty id.
if (id.length < 32)
  throw new Error('scripts/end-with-script.js starts this program, with the id of a script');

/** @type {{ address: string, name: string }[]} */
const databases = [];

// Signals of the terminal are for the script.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, () => undefined);

process.on('message', (database) => databases.push(database));

process.on('disconnect', async () => {
  // A process may have started another one meanwhile.
  while (killProcesses() > 0) await new Promise((resolve) => setTimeout(resolve, 100));
  for (const { address, name } of databases) await dropDatabase(address, name);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.exit();
});

/** Kills every process whose environment names the script; returns how many there were. Without /proc it finds none. */
function killProcesses() {
  if (!existsSync('/proc')) return 0;
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isOfScript(name));
  for (const pid of pids) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
  return pids.length;
}

/** @param {string} pid */
function isOfScript(pid) {
  if (Number(pid) === process.pid) return false;
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(id);
  } catch {
    // It has ended, or belongs to another user.
    return false;
  }
}

async function dropDatabase(address, name) {
  const client = new pg.Client({ connectionString: address });
  try {
    await client.connect();
    await client.query(`drop database if exists ${name} with (force)`);
  } catch {
    // PostgreSQL has been stopped.
  } finally {
    await client.end();
  }
}
