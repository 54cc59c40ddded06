// What follows from the mode of transport: the version of the addresses, and the scope.

import { type ModeName, modes } from '../contract/modes.js';
import { ConfigurationError } from '../errors/landfall-error.js';
import type { OperationInput } from './operation.js';

/**
 * The mode and its version, as the addresses of movement messages have them.
 *
 * @throws ConfigurationError for what is no mode
 * @example
 * await connection.call(getMovement, { parameters: { ...inMode('road'), level: 'transport', mrn } });
 */
export function inMode<Name extends ModeName>(mode: Name): { mode: Name; version: 'v1' | 'v2' } {
  return { mode, version: findMode(mode).version };
}

/** The scope that a call needs, by the mode in its address. */
export function scopeOf({ parameters }: OperationInput): string {
  return findMode(parameters?.mode).scope;
}

function findMode(name: string | undefined): (typeof modes)[ModeName] {
  const [, mode] = Object.entries(modes).find(([each]) => each === name) ?? [];
  if (mode !== undefined) return mode;
  throw new ConfigurationError(`mode must be one of ${Object.keys(modes).join(', ')}`);
}
