// Three PostgreSQL servers under Patroni, of which one must confirm every commit of the primary.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listMembers } from './etcd.js';

export const POSTGRESQL_PORT = 5442;
const PATRONI_PORT = 8008;

/** The folder with the programs of the newest PostgreSQL. */
function programs() {
  const root = '/usr/lib/postgresql';
  const [newest] = readdirSync(root).sort((one, other) => Number(other) - Number(one));
  return join(root, newest, 'bin');
}

/** The settings of the cluster; the guide has the same. */
const CLUSTER = {
  ttl: 15,
  loop_wait: 2,
  retry_timeout: 6,
  // A crashed primary is replaced at once, not started again first.
  primary_start_timeout: 0,
  synchronous_mode: true,
  synchronous_mode_strict: true,
  postgresql: {
    use_pg_rewind: true,
    parameters: {
      max_connections: 80,
      shared_buffers: '64MB',
      wal_keep_size: '512MB',
      wal_sender_timeout: '6s',
      wal_receiver_timeout: '6s',
      wal_receiver_status_interval: '1s',
    },
  },
};

/** Writes the configuration of a server and starts Patroni, which starts PostgreSQL. */
export function startPatroni(machine, etcd) {
  const { name, folder, address } = machine;
  const file = join(folder, 'patroni.json');
  // JSON is YAML.
  const configuration = {
    scope: 'landfall',
    name,
    restapi: {
      listen: `${address}:${PATRONI_PORT}`,
      connect_address: `${address}:${PATRONI_PORT}`,
    },
    // Not etcd3: with that, Patroni 3.0 overwrites the leader key of another server when it was paused (decision 0119).
    etcd: { hosts: listMembers(etcd) },
    bootstrap: { dcs: CLUSTER, initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }] },
    postgresql: {
      listen: `${address}:${POSTGRESQL_PORT}`,
      connect_address: `${address}:${POSTGRESQL_PORT}`,
      data_dir: join(folder, 'data'),
      bin_dir: programs(),
      pgpass: join(folder, 'pgpass'),
      parameters: { unix_socket_directories: folder },
      pg_hba: ['local all all trust', 'host all all all trust', 'host replication all all trust'],
      authentication: {
        superuser: { username: 'postgres' },
        replication: { username: 'replicator' },
      },
    },
  };
  writeFileSync(file, JSON.stringify(configuration, null, 2));
  machine.start('patroni', ['patroni', file]);
}

/**
 * The members as one of the machines sees them; those that it does not know are missing.
 *
 * @returns {Promise<{ name: string, role: string, state: string, lag?: number }[]>}
 */
export async function readMembers({ address }) {
  const response = await fetch(`http://${address}:${PATRONI_PORT}/cluster`, {
    signal: AbortSignal.timeout(3000),
  });
  const { members } = await response.json();
  return members;
}

/** Makes another server the primary, in order. */
export async function switchOver({ address }, leader, candidate) {
  const response = await fetch(`http://${address}:${PATRONI_PORT}/switchover`, {
    method: 'POST',
    body: JSON.stringify({ leader, candidate }),
    signal: AbortSignal.timeout(60_000),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`switchover: ${response.status} ${text}`);
}
