// `landfall movement show`: shows a movement message with its state.
import type { ModeName, MovementLevel } from '@landfall/contract';
import type { Command } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { addJsonOption, addServiceOptions, type IdentityOptions } from '../../input/options.js';
import { printJson } from '../../output/output.js';
import { openService } from '../../service/open-service.js';
import { levelArgument, modeOption } from './mode-option.js';
import { showMovement } from './show-movement.js';

type ShowOptions = IdentityOptions & { mode: ModeName; json?: true };

/** Adds the command. */
export function addMovementShow(group: Command): void {
  const command = onlyReads(group.command('show'))
    .description('show a movement message as it was last accepted, with its state')
    .addArgument(levelArgument())
    .argument('<mrn>', 'MRN of the message');
  addServiceOptions(command, 'carrier').addOption(modeOption());
  addJsonOption(command).addHelpText('after', help).action(show);
}

const help = `
Whoever lodged the message can read it, and the representative that it names. With --json, the member message is what
landfall movement replace takes.

Examples:
  $ landfall movement show house-consignment 26NO7K2M4Q9XWR5HT0 --mode road`;

async function show(level: MovementLevel, mrn: string, options: ShowOptions): Promise<void> {
  const { client } = await openService(options);
  const movement = await client.getMovement(options.mode, level, mrn);
  if (options.json) {
    printJson(movement);
    return;
  }
  showMovement(movement, []);
}
