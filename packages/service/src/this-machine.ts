// Whether a host is this machine, so that what is sent to it is on no network.
import { isIPv4 } from 'node:net';

/** Whether a host, as addresses name it, is this machine. */
export function isThisMachine(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  return name === 'localhost' || name === '::1' || (isIPv4(name) && name.startsWith('127.'));
}
