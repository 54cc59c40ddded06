// The options of movement messages that several commands share.
import { keysOf, modes, movementLevels } from '@landfall/contract';
import { Option } from 'commander';

/** The mode of transport, which must be given. */
export const modeOption = () =>
  new Option('--mode <mode>', 'mode of transport').choices(keysOf(modes)).makeOptionMandatory();

/** The level of a message. */
export const levelOption = (description: string) =>
  new Option('--level <level>', description).choices(keysOf(movementLevels));
