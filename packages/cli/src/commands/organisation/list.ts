// `landfall organisation list`: lists the organisations.
import type { Landfall, OrganisationSummary } from '@landfall/client';
import { PAGE_LIMIT } from '@landfall/contract';
import { type Command, Option } from 'commander';
import {
  addJsonOption,
  addServiceOptions,
  type IdentityOptions,
  wholeNumber,
} from '../../input/options.js';
import { nextCommand } from '../../output/next-command.js';
import { print, printJson } from '../../output/output.js';
import { type Column, printTable } from '../../output/table.js';
import { openService } from '../../service/open-service.js';

type ListOptions = IdentityOptions & { limit: number; marker?: string; json?: true };

const DEFAULT_LIMIT = 1000;

/** Adds the command. */
export function addOrganisationList(group: Command): void {
  const command = group
    .command('list')
    .description('list the organisations, sorted by id: scopes, whether blocked');
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
  const { found, more } = await readOrganisations(client, options);
  if (options.json) return printJson(found);
  if (found.length === 0) return print('No organisations.');
  printTable(columns, found);
  const last = found.at(-1);
  if (!more || last === undefined) return;
  const limit = options.limit === DEFAULT_LIMIT ? [] : ['--limit', String(options.limit)];
  const words = ['organisation', 'list', ...limit, '--marker', last.id];
  print(`\nMore results: ${nextCommand(words, options)}`);
}

/** Reads pages until `limit` organisations are found or there are no more. */
async function readOrganisations(
  client: Landfall,
  { limit, marker }: ListOptions,
): Promise<{ found: OrganisationSummary[]; more: boolean }> {
  const found: OrganisationSummary[] = [];
  let after = marker;
  for (;;) {
    const page = await client.listOrganisations({
      limit: Math.min(PAGE_LIMIT, limit - found.length),
      ...(after !== undefined && { marker: after }),
    });
    found.push(...page.entries);
    after = page.next?.marker;
    if (after === undefined || found.length >= limit) return { found, more: after !== undefined };
  }
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
