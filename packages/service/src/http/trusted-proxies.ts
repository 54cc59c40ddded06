// Whose X-Forwarded-For is trusted: networks of proxies, or a number of them.
import { BlockList, isIP } from 'node:net';

/** Trusted proxies as a number of them: no more than a chain of load balancers has. */
export const PROXY_COUNT = /^[1-9]$/;

/** An IPv4 address as one of IPv6. A network of IPv6 that has it, and is not smaller than all of IPv4, has all of IPv4. */
const MAPPED_IPV4 = '::ffff:0:0';

/** One address, or a network that is not all of IPv4 or IPv6: with that, every client could choose its address. */
export function isNetwork(network: string): boolean {
  const [address = '', prefix, ...rest] = network.split('/');
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  if (!/^[1-9]\d{0,2}$/.test(prefix) || Number(prefix) > (version === 6 ? 128 : 32)) return false;
  return version === 4 || Number(prefix) > 96 || !makeIsProxy(network)(MAPPED_IPV4);
}

/** The proxies as Fastify takes them. */
export function toTrustProxy(
  given: string,
): false | string | ((address: string, hop: number) => boolean) {
  if (given === '') return false;
  if (!PROXY_COUNT.test(given)) return given;
  const count = Number(given);
  return (_address, hop) => hop < count;
}

/** Makes a function that says whether an address is that of a proxy. Of a number of proxies, every address is one. */
export function makeIsProxy(given: string): (address: string) => boolean {
  if (given === '') return () => false;
  if (PROXY_COUNT.test(given)) return () => true;
  const proxies = new BlockList();
  for (const network of given.split(',')) {
    const [address = '', prefix] = network.split('/');
    if (prefix === undefined) proxies.addAddress(address, familyOf(address));
    else proxies.addSubnet(address, Number(prefix), familyOf(address));
  }
  return (address) => isIP(address) !== 0 && proxies.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
