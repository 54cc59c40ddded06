// Three members of etcd, in which Patroni keeps who is the primary.
const CLIENT_PORT = 2379;
const PEER_PORT = 2380;

/** The addresses of the members for Patroni. */
export const listMembers = (machines) => machines.map(({ address }) => `${address}:${CLIENT_PORT}`);

/** Starts a member, or starts it again on its data. */
export function startEtcd(machine, machines) {
  const peer = ({ address }) => `http://${address}:${PEER_PORT}`;
  const client = `http://${machine.address}:${CLIENT_PORT}`;
  machine.start('etcd', [
    'etcd',
    `--name=${machine.name}`,
    `--data-dir=${machine.folder}/data`,
    `--listen-peer-urls=${peer(machine)}`,
    `--initial-advertise-peer-urls=${peer(machine)}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--initial-cluster=${machines.map((one) => `${one.name}=${peer(one)}`).join()}`,
    // Three times the defaults: the machine has few processors and other work.
    '--heartbeat-interval=300',
    '--election-timeout=3000',
    '--enable-v2',
    // A member that returns does not force an election, in which nothing can be written.
    '--pre-vote',
    '--log-level=warn',
  ]);
}

/** Whether a member can read and write. */
export async function isEtcdHealthy({ address }) {
  const response = await fetch(`http://${address}:${CLIENT_PORT}/health`, {
    signal: AbortSignal.timeout(3000),
  });
  const { health } = await response.json();
  return health === 'true';
}
