// `landfall movement cancel`: cancels a movement message.
import type { MovementLevel } from '@landfall/contract';
import type { Command } from 'commander';
import { addJsonOption, addServiceOptions } from '../../input/options.js';
import { levelArgument, modeOption } from './mode-option.js';
import { type SendOptions, sendMessage } from './send-message.js';

/** Adds the command. */
export function addMovementCancel(group: Command): void {
  const command = group
    .command('cancel')
    .description('cancel a movement message, which frees its key')
    .addArgument(levelArgument())
    .argument('<mrn>', 'MRN of the message');
  addServiceOptions(command, 'carrier').addOption(modeOption());
  addJsonOption(command).addHelpText('after', help).action(cancel);
}

const help = `
What is presented is not cancelled. Cancelling what was cancelled changes nothing.

Examples:
  $ landfall movement cancel house-consignment 26NO7K2M4Q9XWR5HT0 --mode road`;

async function cancel(level: MovementLevel, mrn: string, options: SendOptions): Promise<void> {
  const { mode } = options;
  await sendMessage(
    {
      level,
      done: 'cancelled',
      send: (client, settings) => client.cancelMovement(mode, level, mrn, settings),
    },
    options,
  );
}
