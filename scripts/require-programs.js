// Names the programs that a script needs and that are not installed, with the command that installs them.
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The Debian package of each program. */
const PACKAGES = {
  bridge: 'iproute2',
  etcd: 'etcd-server',
  git: 'git',
  haproxy: 'haproxy',
  initdb: 'postgresql',
  ip: 'iproute2',
  'nats-server': 'nats-server',
  openssl: 'openssl',
  patroni: 'patroni',
  pgbackrest: 'pgbackrest',
  psql: 'postgresql-client',
  setpriv: 'util-linux',
  tar: 'tar',
};

/** Ends this process with code 2 if a program is not installed. @param {string} what needs it @param {string[]} programs */
export function requirePrograms(what, programs) {
  const missing = programs.filter((program) => !isInstalled(program));
  if (missing.length === 0) return;
  const packages = new Set(missing.map((program) => PACKAGES[program]));
  console.error(
    `${what} needs ${missing.join(', ')}, which is not installed: apt-get install ${[...packages].join(' ')}`,
  );
  process.exit(2);
}

/** Whether a program is installed. @param {string} program */
export function isInstalled(program) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...postgresqlFolders()];
  return folders.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** The folders with the programs of PostgreSQL, which on Debian are not in the path. */
function postgresqlFolders() {
  const root = '/usr/lib/postgresql';
  return existsSync(root) ? readdirSync(root).map((version) => join(root, version, 'bin')) : [];
}
