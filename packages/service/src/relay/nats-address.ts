// The address of NATS, as it is configured: one server, or several of a cluster.

/** What an address must be, in words. */
export const NATS_ADDRESS_RULE =
  'an address such as nats://host:4222 or tls://user:password@host, or several of a cluster, all with TLS or all without, separated by commas';

/** The servers of an address; `undefined` if it is none. */
export function readNatsServers(address: string): URL[] | undefined {
  const servers = address.split(',').map((one) => readServer(one.trim()));
  const readable = servers.filter((server) => server !== undefined);
  // The driver has TLS with all servers or with none.
  const protocols = new Set(readable.map(({ protocol }) => protocol));
  return readable.length === servers.length && protocols.size === 1 ? readable : undefined;
}

function readServer(address: string): URL | undefined {
  if (!/^(nats|tls):\/\/[^\s/]+\/?$/.test(address) || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  return url.hostname !== '' && isDecodable(url.username + url.password) ? url : undefined;
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
