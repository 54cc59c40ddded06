// Which commands change nothing. Each says it itself; one that does not is taken to change data.
import type { Command } from 'commander';

const reading = new WeakSet<Command>();

/** Declares that a command changes nothing: whoever closes its output early has what they wanted. */
export function onlyReads(command: Command): Command {
  reading.add(command);
  return command;
}

/** Whether the command has declared that it changes nothing. */
export function isReading(command: Command): boolean {
  return reading.has(command);
}
