// `landfall status list`: lists the statuses of presentation requests.
import type { ValidationStatus } from '@landfall/client';
import { type Command, Option } from 'commander';
import {
  addJsonOption,
  addServiceOptions,
  type IdentityOptions,
  wholeNumber,
} from '../../input/options.js';
import { printJson } from '../../output/output.js';
import { openService } from '../../service/open-service.js';
import { showStatuses } from './show-statuses.js';

type ListOptions = IdentityOptions & {
  mrn?: string;
  limit?: number;
  marker?: string;
  status?: ValidationStatus['status'];
  json?: true;
};

/** Adds the command. */
export function addStatusList(group: Command): void {
  const command = group
    .command('list')
    .description('list the statuses of presentation requests, oldest first');
  addServiceOptions(command, 'carrier')
    .option('--mrn <mrn>', 'only requests that reached this entry summary declaration')
    .option('--limit <number>', 'maximum number of requests (1 to 1000)', wholeNumber(1, 1000))
    .option('--marker <requestId>', 'only requests after this one')
    .addOption(
      new Option('--status <status>', 'only requests with this status').choices([
        'SUCCESS',
        'FAILURE',
      ]),
    );
  addJsonOption(command).addHelpText('after', examples).action(list);
}

const examples = `
Examples:
  $ landfall status list
  $ landfall status list --as forwarder --status FAILURE
  $ landfall status list --mrn 23NO00000000000003`;

async function list(options: ListOptions): Promise<void> {
  const { mrn, limit, marker, status } = options;
  const { client } = await openService(options);
  const { entries, next } = await client.listValidationStatuses({
    ...(mrn && { mrn }),
    ...(limit && { limit }),
    ...(marker && { marker }),
    ...(status && { status }),
  });
  if (options.json) printJson(entries);
  else showStatuses(entries, { ...options, more: next !== undefined });
}
