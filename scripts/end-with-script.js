// What a script has started ends with it, whatever ends it: an error, a signal, also SIGKILL. A script imports this first.
// Its processes and its temporary files need no more; a database is named with `dropWithScript`.
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const id = randomUUID();

// In the environment of every process that the script starts: its id, after those of the scripts that started it.
process.env.LANDFALL_SCRIPT = [process.env.LANDFALL_SCRIPT, id].filter(Boolean).join(' ');

// Everything temporary is in one folder. PostgreSQL, which runs as another user, may enter it.
const folder = mkdtempSync(join(tmpdir(), 'lf-'));
chmodSync(folder, 0o755);
process.env.TMPDIR = folder;

/** The process that outlives the script. It has no options of this one, such as one that writes a profile. */
const guard = fork(fileURLToPath(new URL('./guard.js', import.meta.url)), [id, folder], {
  detached: true,
  stdio: 'ignore',
  execArgv: [],
});
guard.unref();
guard.channel?.unref();

/**
 * Names a database that is dropped when the script has ended and has not dropped it.
 *
 * @param {string} address of PostgreSQL, as an administrator
 * @param {string} name of the database
 */
export function dropWithScript(address, name) {
  guard.send({ address, name });
}
