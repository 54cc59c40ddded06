// How the text of an option is read: a rule for each kind of value, and an error that names the variable.
import { isIP } from 'node:net';
import { countryCodes, hasInvisible, INVISIBLE_ERROR } from '@landfall/contract';
import { areOrigins, ORIGINS_RULE } from './http/cross-origin.js';
import { areNetworks, NETWORKS_RULE, PROXY_COUNT } from './http/trusted-proxies.js';
import { NATS_ADDRESS_RULE, readNatsServers } from './relay/nats-address.js';
import { readScannerAddress } from './scanning/instream-scanner.js';

/** How one option is read from its text. */
export type Option<Value> = {
  /** Name of the environment variable. */
  variable: string;
  description: string;
  default: Value;
  /** Returns the value. Throws ConfigError if the text breaks the option's rule. */
  read: (text: string) => Value;
};

/** An option has a value that breaks its rule. */
export class ConfigError extends Error {
  readonly code = 'CONFIG';
  override name = 'ConfigError';
}

/** A rule of a text: whether it holds, and the rule in words. */
export type TextRule = {
  holds: (text: string) => boolean;
  words: string;
  /** Whether an error must not show the text. */
  isSecret?: true;
};

/** A text, such as the name of a folder, a secret, or what is checked where it is used. */
export function text(
  variable: string,
  description: string,
  value: string,
  rule?: TextRule,
): Option<string> {
  return {
    variable,
    description,
    default: value,
    read: (given) => {
      // The value is not shown: it may be a secret.
      if (hasInvisible(given)) {
        throw new ConfigError(`${variable} ${INVISIBLE_ERROR}`);
      }
      if (rule === undefined || rule.holds(given)) return given;
      // An address with a user may have a password.
      const shown = rule.isSecret || given.includes('@') ? '' : `, not ${given}`;
      throw new ConfigError(`${variable} must be ${rule.words}${shown}`);
    },
  };
}

/** An address of HTTP, to which others add a path. Whether it must have TLS is checked at the start. */
export const webAddress: TextRule = {
  holds: (address) => isHttp(address) && !address.includes('?'),
  words: 'an address such as https://customs.example, without user, query or fragment',
};

/** An address of HTTP that is read as it is. */
export const webResource: TextRule = {
  holds: isHttp,
  words: 'an address such as https://idp.example/jwk, without user or fragment',
};

function isHttp(address: string): boolean {
  if (!/^https?:\/\/[^\s\\/#][^\s\\#]*$/.test(address) || !URL.canParse(address)) return false;
  const { username, password } = new URL(address);
  return username === '' && password === '';
}

/** Origins of pages. */
export const origins: TextRule = { holds: areOrigins, words: ORIGINS_RULE };

/** What a server listens on. */
export const listenAddress: TextRule = {
  holds: (host) => isIP(host) !== 0 || /^[a-z\d]([a-z\d.-]{0,251}[a-z\d])?$/i.test(host),
  words: 'an address or the name of a host',
};

/** What names in NATS begin with: a token of a subject, and a part of the name of a stream. */
export const natsPrefix: TextRule = {
  holds: (prefix) => /^[A-Za-z0-9_-]{1,40}$/.test(prefix),
  words: 'at most 40 letters, digits, `-` or `_`',
};

/** Servers of NATS. The address may have a password, so it is not shown. */
export const natsAddress: TextRule = {
  holds: (address) => readNatsServers(address) !== undefined,
  words: NATS_ADDRESS_RULE,
  isSecret: true,
};

/** A scanner of documents, or none. */
export const scannerAddress: TextRule = {
  holds: (address) => address === 'none' || readScannerAddress(address) !== undefined,
  words: '`none`, or a host and a port such as clamav:3310',
};

/** Characters of a scope (RFC 6749, section 3.3). */
export const scopeCharacters: TextRule = {
  holds: (prefix) => /^[!#-[\]-~]*$/.test(prefix),
  words: 'printable ASCII without blanks, quotes and backslashes',
};

/** A country by its code. */
export const country: TextRule = {
  holds: (code) => countryCodes.has(code),
  words: 'the code of a country (ISO 3166-1 alpha-2), such as NO',
};

/** A time zone by its name; offsets such as +01:00 are none, because they have no summer time. */
export const timeZone: TextRule = {
  holds: (name) => /^[a-z]/i.test(name) && isTimeZone(name),
  words: 'the name of a time zone such as Europe/Oslo or UTC',
};

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** One of some values. */
export function oneOf<const Value extends string>(
  variable: string,
  description: string,
  value: NoInfer<Value>,
  values: readonly Value[],
): Option<Value> & { values: readonly Value[] } {
  return {
    values,
    variable,
    description: `${description}: ${values.join(', ')}`,
    default: value,
    read: (given) => {
      const found = values.find((one) => one === given);
      if (found !== undefined) return found;
      throw new ConfigError(`${variable} must be one of ${values.join(', ')}, not ${given}`);
    },
  };
}

/** A whole number from `min` to `max`. */
export function wholeNumber(
  variable: string,
  description: string,
  { default: value, min, max }: { default: number; min: number; max: number },
): Option<number> {
  return {
    variable,
    description,
    default: value,
    read: (given) => {
      const number = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
      if (Number.isInteger(number) && number >= min && number <= max) return number;
      throw new ConfigError(
        `${variable} must be a whole number from ${min} to ${max}, not ${given}`,
      );
    },
  };
}

/** Addresses and networks of proxies, separated by commas, or how many proxies there are. */
export function proxies(variable: string, description: string): Option<string> {
  return {
    variable,
    description,
    default: '',
    read: (given) => {
      if (PROXY_COUNT.test(given.trim())) return given.trim();
      const networks = given.split(',').map((network) => network.trim());
      if (!areNetworks(networks)) {
        throw new ConfigError(
          `${variable} must list ${NETWORKS_RULE}, or be a number of proxies from 1 to 9, not ${given}`,
        );
      }
      return networks.join(',');
    },
  };
}
