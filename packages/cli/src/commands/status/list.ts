// `landfall status list`: lists the statuses of presentation requests.
import type { ValidationStatus } from '@landfall/client';
import { type Command, Option } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import {
  addJsonOption,
  addServiceOptions,
  type IdentityOptions,
  wholeNumber,
} from '../../input/options.js';
import { reportMore } from '../../output/more-results.js';
import { nextCommand } from '../../output/next-command.js';
import { printJson } from '../../output/output.js';
import { openService } from '../../service/open-service.js';
import { readPages } from '../../service/read-pages.js';
import { showStatuses } from './show-statuses.js';

type ListOptions = IdentityOptions & {
  mrn?: string;
  limit: number;
  marker?: string;
  status?: ValidationStatus['status'];
  json?: true;
};

const DEFAULT_LIMIT = 1000;

/** Adds the command. */
export function addStatusList(group: Command): void {
  const command = onlyReads(group.command('list')).description(
    'list the statuses of presentation requests, oldest first',
  );
  addServiceOptions(command, 'carrier')
    .option('--mrn <mrn>', 'only requests that reached this entry summary declaration')
    .addOption(
      new Option('--limit <number>', 'maximum number of requests (1 to 1000000)')
        .argParser(wholeNumber(1, 1_000_000))
        .default(DEFAULT_LIMIT),
    )
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
  const { found, next } = await readPages(
    (query) => client.listValidationStatuses({ ...query, mrn, status }),
    { limit, marker },
  );
  if (options.json) printJson(found);
  else showStatuses(found, options);
  const last = found.at(-1)?.requestId;
  if (next === undefined || last === undefined) return;
  const words = [
    ...(mrn === undefined ? [] : ['--mrn', mrn]),
    ...(status === undefined ? [] : ['--status', status]),
    ...(limit === DEFAULT_LIMIT ? [] : ['--limit', String(limit)]),
  ];
  const command = nextCommand(['status', 'list', ...words, '--marker', last], options);
  reportMore(command, { ...options, what: 'More requests' });
}
