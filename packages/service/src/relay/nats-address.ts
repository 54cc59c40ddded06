// The address of NATS, as it is configured: one server, or several of a cluster.

/** What an address must be, in words. */
export const NATS_ADDRESS_RULE =
  'an address such as nats://host:4222 or tls://user:password@host, or several of a cluster, all with TLS or all without and with the same user, separated by commas';

/** The servers of an address; `undefined` if it is none. */
export function readNatsServers(address: string): URL[] | undefined {
  const servers = address.split(',').map((one) => readServer(one.trim()));
  const readable = servers.filter((server) => server !== undefined);
  // The driver has TLS with all servers or with none, and one user for all of them.
  const protocols = new Set(readable.map(({ protocol }) => protocol));
  const users = new Set(readable.map(userOf).filter((user) => user !== ''));
  const isOne = protocols.size === 1 && users.size <= 1;
  return readable.length === servers.length && isOne ? readable : undefined;
}

/** The name and the password of an address, or the token; `undefined` if none of the servers has one. */
export function readNatsUser(
  servers: readonly URL[],
): { name: string; password: string } | undefined {
  const server = servers.find((one) => userOf(one) !== '');
  return (
    server && {
      name: decodeURIComponent(server.username),
      password: decodeURIComponent(server.password),
    }
  );
}

const userOf = ({ username, password }: URL) =>
  username === '' && password === '' ? '' : `${username}:${password}`;

function readServer(address: string): URL | undefined {
  if (!/^(nats|tls):\/\/[^\s/?#]+\/?$/.test(address) || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  // The driver would leave out a password without a name.
  const isComplete = url.hostname !== '' && (url.username !== '' || url.password === '');
  return isComplete && isDecodable(url.username + url.password) ? url : undefined;
}

/** Whether what is written with percent signs can be read. */
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
