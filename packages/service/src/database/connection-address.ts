// DATABASE_URL as the driver takes it: its session settings are added to ours and never replace them.
import { ownSettings } from './session.js';

/** DATABASE_URL sets something that Landfall's promises depend on. */
export class DatabaseAddressError extends Error {
  readonly code = 'DATABASE_ADDRESS';
  override name = 'DatabaseAddressError';
}

/** The driver's own limits, which it would also read from the address. */
const DRIVER_LIMITS = ['query_timeout'];

/** An address without its `options`, and these options, which go before ours. */
export type ConnectionAddress = { connectionString: string; options: string };

/**
 * Takes an address apart.
 *
 * @throws DatabaseAddressError when it sets, as a parameter or within `options`, what Landfall sets itself
 */
export function readAddress(address: string): ConnectionAddress {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined) return { connectionString: address, options: '' };
  for (const name of url.searchParams.keys()) refuseOwn(name);
  const options = url.searchParams.getAll('options').join(' ');
  for (const name of settingNames(options)) refuseOwn(name);
  if (options === '') return { connectionString: address, options };
  url.searchParams.delete('options');
  return { connectionString: url.href, options };
}

function refuseOwn(name: string): void {
  if (!ownSettings.has(name) && !DRIVER_LIMITS.includes(name)) return;
  throw new DatabaseAddressError(
    `DATABASE_URL must not set ${name}: Landfall sets it for each kind of session itself`,
  );
}

/** The names of the settings in `-c name=value`, `-cname=value` and `--name=value`, as PostgreSQL reads them. */
function settingNames(options: string): string[] {
  return [...options.matchAll(/(?:^|\s)(?:-c\s*|--)([\w.-]+)\s*=/g)].map(([, name = '']) =>
    name.replaceAll('-', '_').toLowerCase(),
  );
}
