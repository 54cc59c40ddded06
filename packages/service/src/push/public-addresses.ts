// Which addresses are on the public internet. Everything that IANA lists as special is not, and neither is an IPv4 address that
// is not public and is written, translated or tunnelled in an IPv6 one.
import { BlockList, isIP, isIPv6 } from 'node:net';

const special = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // shared by customers of a provider
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local; the metadata of clouds
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112
  ['192.52.193.0', 24], // AMT
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, and broadcast
] as const) {
  special.addSubnet(network, prefix, 'ipv4');
}

/**
 * Only 2000::/3 is assigned for unicast. Everything else is loopback, link-local, unique-local, multicast, mapped, translated
 * (64:ff9b::/96, 64:ff9b:1::/48), discarded or not assigned.
 */
const unicast = new BlockList();
unicast.addSubnet('2000::', 3, 'ipv6');
for (const [network, prefix] of [
  ['2001::', 23], // protocol assignments, with Teredo, ORCHID and benchmarks
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4
  ['2620:4f:8000::', 48], // AS112
  ['3fff::', 20], // documentation
] as const) {
  special.addSubnet(network, prefix, 'ipv6');
}

/** Whether an address is on the public internet. What is no address is not. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  if (!isIPv6(address)) return !special.check(address, 'ipv4');
  // With a zone, it is of one link.
  if (address.includes('%')) return false;
  return unicast.check(address, 'ipv6') && !special.check(address, 'ipv6');
}
