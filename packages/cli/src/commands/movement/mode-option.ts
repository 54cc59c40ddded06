// The options and arguments of movement messages that several commands share.
import { keysOf, modes, movementLevels, movementMessages } from '@landfall/contract';
import { Argument, Option } from 'commander';

/** The mode of transport, which must be given. */
export const modeOption = () =>
  new Option('--mode <mode>', 'mode of transport').choices(keysOf(modes)).makeOptionMandatory();

/** The level of a message, or `relation`. */
export const messageOption = (description: string) =>
  new Option('--level <level>', description).choices(keysOf(movementMessages));

/** The level of a message as an argument. */
export const levelArgument = (name = '<level>', description = 'level of the message') =>
  new Argument(name, description).choices(keysOf(movementLevels));
