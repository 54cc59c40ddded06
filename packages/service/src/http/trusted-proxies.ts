// Whose X-Forwarded-For is trusted: networks of proxies, or a number of them.
import { BlockList, isIP } from 'node:net';

/** Trusted proxies as a number of them: no more than a chain of load balancers has. */
export const PROXY_COUNT = /^[1-9]$/;

/** The rule of a list of networks, in words. */
export const NETWORKS_RULE =
  'addresses and networks such as 10.0.0.0/8, none larger than /8 (of IPv6: /16), and together not all of IPv4';

/** The shortest prefixes: with larger networks, a short list has every client, and each could choose its address. */
const MIN_PREFIX = { 4: 8, 6: 16 } as const;

/** IPv4 addresses as those of IPv6. */
const MAPPED_PREFIX = 96;
const MAPPED_IPV4 = '::ffff:0:0';
const isMapped = makeIsProxy(`${MAPPED_IPV4}/${MAPPED_PREFIX}`);

/** An address is a network of its own. */
type Network = { version: 4 | 6; prefix: number };

/** Whether these are addresses and networks, none of them too large, and together not all of IPv4. */
export function areNetworks(texts: readonly string[]): boolean {
  const networks = texts.map(readNetwork);
  let shareOfIpv4 = 0;
  for (const network of networks) {
    if (network === undefined || network.prefix < MIN_PREFIX[network.version]) return false;
    if (network.version === 4) shareOfIpv4 += 2 ** -network.prefix;
  }
  return shareOfIpv4 < 1;
}

function readNetwork(text: string): Network | undefined {
  const [address = '', given, ...rest] = text.split('/');
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 0 || rest.length > 0) return undefined;
  const bits = version === 6 ? 128 : 32;
  if (given !== undefined && !/^[1-9]\d{0,2}$/.test(given)) return undefined;
  const prefix = given === undefined ? bits : Number(given);
  if (prefix > bits) return undefined;
  if (version === 4) return { version: 4, prefix };
  if (prefix >= MAPPED_PREFIX && isMapped(address)) {
    return { version: 4, prefix: prefix - MAPPED_PREFIX };
  }
  // It has all of IPv4 where it has one of the mapped addresses.
  if (prefix < MAPPED_PREFIX && makeIsProxy(text)(MAPPED_IPV4)) return { version: 4, prefix: 0 };
  return { version: 6, prefix };
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
