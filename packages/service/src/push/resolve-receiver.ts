// Finds the addresses of a receiver. Each is checked here, and what is connected to is what was checked: the connection asks
// no name server again.
import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { codeOf } from '../native-error.js';
import { isPublicAddress } from './public-addresses.js';
import { isThisMachine, type Receivers } from './receiver-address.js';

/** The name of a receiver leads to an address that is not public. */
export class AddressRefusedError extends Error {
  readonly code = 'ADDRESS_REFUSED';
  override name = 'AddressRefusedError';

  constructor() {
    super('the address of the receiver is not on the public internet');
  }
}

/** Asks name servers for the addresses of a name: all of them, at most some. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

/** How many addresses of a name are used. */
const MAX_ADDRESSES = 20;

/**
 * Asks the name servers of the system. Not its function `getaddrinfo`, which runs in one of four threads that files and
 * signatures need too: a receiver whose name server is slow would delay everybody.
 */
export function makeResolveName(): ResolveName {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  return async (name) => {
    if (isThisMachine(name)) return ['127.0.0.1', '::1'];
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = found.flatMap((result) =>
      result.status === 'fulfilled' ? result.value : [],
    );
    if (addresses.length > 0) return addresses;
    const [failed] = found.flatMap((result) =>
      result.status === 'rejected' ? [result.reason] : [],
    );
    throw new Error(`the name has no address (${codeOf(failed) ?? 'no answer'})`);
  };
}

/**
 * The addresses of a host, all of which may be connected to.
 *
 * @throws AddressRefusedError when one of them may not
 */
export async function resolveReceiver(
  host: string,
  receivers: Receivers,
  resolveName: ResolveName,
): Promise<readonly string[]> {
  const addresses = isIP(host) === 0 ? await resolveName(host) : [host];
  requirePublic(addresses, receivers);
  return addresses.slice(0, MAX_ADDRESSES);
}

/** @throws AddressRefusedError */
export function requirePublic(addresses: readonly string[], receivers: Receivers): void {
  if (receivers === 'public' && !addresses.every(isPublicAddress)) throw new AddressRefusedError();
}

/** Gives a connection the addresses that were checked, whatever name it asks for. */
export function lookUpChecked(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_name, { all, family }, callback) => {
    const wanted =
      family === 4 || family === 6 ? found.filter((one) => one.family === family) : found;
    const [first] = wanted;
    if (first === undefined) {
      callback(Object.assign(new Error('no address of this family'), { code: 'ENOTFOUND' }), '', 0);
    } else if (all === true) callback(null, wanted);
    else callback(null, first.address, first.family);
  };
}
