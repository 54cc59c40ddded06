// `landfall status view`: shows the status of one presentation request.
import { isUuid } from '@landfall/contract';
import type { Command } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { addJsonOption, addServiceOptions, type IdentityOptions } from '../../input/options.js';
import { nextCommand } from '../../output/next-command.js';
import { printJson } from '../../output/output.js';
import { CommandFailedError, UsageError } from '../../process/exit.js';
import { openService } from '../../service/open-service.js';
import { showStatus } from './show-statuses.js';

type ViewOptions = IdentityOptions & { json?: true };

/** Adds the command. */
export function addStatusView(group: Command): void {
  const command = onlyReads(group.command('view'))
    .description('show the status of one presentation request')
    .argument('<requestId>', 'id of the request');
  addServiceOptions(command, 'carrier');
  addJsonOption(command).addHelpText('after', examples).action(view);
}

const examples = `
Examples:
  $ landfall status view 4a3ff6a0-6d0c-4f5a-9b1f-3f1d9d4f0a01`;

async function view(requestId: string, options: ViewOptions): Promise<void> {
  if (!isUuid(requestId)) {
    const command = nextCommand(['status', 'list', '--mrn', requestId], options);
    throw new UsageError(`a requestId is a UUID; for the requests of a declaration: ${command}`);
  }
  const { client } = await openService(options);
  const status = await client.getValidationStatus(requestId);
  // Only an MRN has a list of statuses.
  if (Array.isArray(status)) throw new CommandFailedError('the service returned several statuses');
  if (options.json) printJson(status);
  else showStatus(status, options);
}
