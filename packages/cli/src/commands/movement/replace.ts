// `landfall movement replace`: replaces a movement message.
import type { ModeName, MovementLevel } from '@landfall/contract';
import type { Command } from 'commander';
import { addJsonOption, addServiceOptions } from '../../input/options.js';
import { CommandFailedError } from '../../process/exit.js';
import { requestIdOption } from './lodge.js';
import { levelArgument, modeOption } from './mode-option.js';
import { readMessages, refuseInvalid } from './read-messages.js';
import { type SendOptions, sendMessage } from './send-message.js';

type ReplaceOptions = SendOptions & { mode: ModeName; file: string; requestId?: string };

/** Adds the command. */
export function addMovementReplace(group: Command): void {
  const command = group
    .command('replace')
    .description('replace a movement message, whole')
    .addArgument(levelArgument())
    .argument('<mrn>', 'MRN of the message');
  addServiceOptions(command, 'carrier')
    .addOption(modeOption())
    .requiredOption('--file <file>', 'the new message as JSON; - reads stdin')
    .addOption(requestIdOption());
  addJsonOption(command).addHelpText('after', help).action(replace);
}

const help = `
The whole message is replaced: what is left out is gone. Its key stays as it is; another lorry, or another document, is
another message: cancel this one and lodge that. landfall movement show prints the message as it is.

Examples:
  $ landfall movement replace house-consignment 26NO7K2M4Q9XWR5HT0 --mode road --file house.json`;

async function replace(level: MovementLevel, mrn: string, options: ReplaceOptions): Promise<void> {
  const { file, mode, requestId } = options;
  const { items, invalid } = await readMessages(file, mode, level);
  refuseInvalid(invalid);
  const [message, ...others] = items;
  if (message === undefined || others.length > 0) {
    throw new CommandFailedError(
      `${file} has several messages: one replaces one. Nothing was sent.`,
    );
  }
  const sent = requestId === undefined ? message : { ...message, requestId };
  await sendMessage(
    {
      level,
      done: 'replaced',
      message,
      send: (client, settings) => client.replaceMovement(mode, mrn, sent, { ...settings, level }),
    },
    options,
  );
}
