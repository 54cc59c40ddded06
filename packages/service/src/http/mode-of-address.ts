// The mode of transport that an address names with its version.
import { type Mode, modes } from '@landfall/contract';
import { HttpError } from './problem.js';

const byAddress: ReadonlyMap<string, Mode> = new Map(
  Object.values(modes).map((mode) => [`${mode.name}/${mode.version}`, mode]),
);

/**
 * The mode of an address.
 *
 * @param params the parameters of its path
 * @throws HttpError 404 if there is no such mode in this version
 */
export function modeOfAddress({ mode, version }: { mode: string; version: string }): Mode {
  const found = byAddress.get(`${mode}/${version}`);
  if (found === undefined) throw new HttpError(404, 'There is no such mode in this version');
  return found;
}
