// What the commands of routing profiles share.
import type { Command } from 'commander';
import {
  addJsonOption,
  addServiceOptions,
  type IdentityOptions,
  wholeNumber,
} from '../../input/options.js';

/** The options of each of the commands. */
export type RoutingProfileOptions = IdentityOptions & { json?: true };

/** Parses the version of a profile. */
export const versionNumber = wholeNumber(1, 1_000_000);

/** How long deciding for a million house consignments may take, in milliseconds. */
export const LONG_TIMEOUT_MS = 150_000;

/** Adds a command. */
export function addRoutingProfileCommand(
  group: Command,
  verb: string,
  description: string,
): Command {
  return addJsonOption(
    addServiceOptions(group.command(verb).description(description), 'authority'),
  );
}

/** A count with its noun, such as `2 rules`. */
export function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
