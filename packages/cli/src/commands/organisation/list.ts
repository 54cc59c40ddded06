// `landfall organisation list`: lists the organisations.
import type { OrganisationSummary } from '@landfall/client';
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
import { print, printJson } from '../../output/output.js';
import { type Column, printTable } from '../../output/table.js';
import { openService } from '../../service/open-service.js';
import { readPages } from '../../service/read-pages.js';

type ListOptions = IdentityOptions & { limit: number; marker?: string; json?: true };

const DEFAULT_LIMIT = 1000;

/** Adds the command. */
export function addOrganisationList(group: Command): void {
  const command = onlyReads(group.command('list')).description(
    'list the organisations, sorted by id: scopes, whether blocked',
  );
  addServiceOptions(command, 'authority')
    .addOption(
      new Option('--limit <number>', 'maximum number of organisations (1 to 1000000)')
        .argParser(wholeNumber(1, 1_000_000))
        .default(DEFAULT_LIMIT),
    )
    .option('--marker <id>', 'only organisations after this one (its id)');
  addJsonOption(command).addHelpText('after', examples).action(list);
}

const examples = `
Examples:
  $ landfall organisation list
  $ landfall organisation list --json`;

async function list(options: ListOptions): Promise<void> {
  const { client } = await openService(options);
  const { limit, marker } = options;
  const { found, next } = await readPages((query) => client.listOrganisations(query), {
    limit,
    marker,
  });
  if (options.json) printJson(found);
  else if (found.length === 0) print('No organisations.');
  else printTable(columns, found);
  if (next === undefined) return;
  const limitWords = limit === DEFAULT_LIMIT ? [] : ['--limit', String(limit)];
  const words = ['organisation', 'list', ...limitWords, '--marker', next];
  reportMore(nextCommand(words, options), options);
}

const columns: readonly Column<OrganisationSummary>[] = [
  { heading: 'id', value: ({ id }) => id },
  { heading: 'name', value: ({ name }) => name },
  { heading: 'kind', value: ({ kind }) => kind },
  {
    heading: 'blocked',
    value: ({ blocked }) => (blocked ? 'yes' : 'no'),
    colour: ({ blocked }, colours) => (blocked ? colours.red : String),
  },
  { heading: 'granted', value: ({ grantedScopes }) => grantedScopes.join(', ') || 'none' },
];
