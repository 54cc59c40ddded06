// `landfall authority movement cancel`: cancels a movement message of any organisation.
import type { Command } from 'commander';
import { addJsonOption, addServiceOptions, type IdentityOptions } from '../../../input/options.js';
import { coloursFor, print, printJson } from '../../../output/output.js';
import { openService } from '../../../service/open-service.js';

type CancelOptions = IdentityOptions & { reason: string; json?: true };

/** Adds the command. */
export function addAuthorityMovementCancel(group: Command): void {
  const command = group
    .command('cancel')
    .description('cancel a movement message of any organisation, which frees its key')
    .argument('<mrn>', 'MRN of the message');
  addServiceOptions(command, 'authority').requiredOption(
    '--reason <text>',
    'reason, for the audit trail',
  );
  addJsonOption(command).addHelpText('after', help).action(cancel);
}

const help = `
For a message that was lodged by mistake, or whose sender does not exist any more. What is presented, and a transport that
has arrived, is not cancelled. Whoever lodged the message and the representative that it names read in their statuses that
the authority has cancelled it, and not why.

Examples:
  $ landfall authority movement cancel 26NO7K2M4Q9XWR5HT0 --reason "the sender is insolvent"`;

async function cancel(mrn: string, { reason, json, ...options }: CancelOptions): Promise<void> {
  const { client } = await openService(options);
  const result = await client.cancelMovementAsAuthority(mrn, { reason });
  if (json) {
    printJson(result);
    return;
  }
  const { green } = coloursFor();
  print(
    result.status === 'CANCELLED'
      ? `${green('Cancelled.')} MRN ${mrn}: its key is free`
      : `${green('Unchanged.')} MRN ${mrn} had been cancelled before`,
  );
}
