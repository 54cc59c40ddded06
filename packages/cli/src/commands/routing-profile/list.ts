// `landfall routing-profile list`: lists routing profiles.
import type { Landfall, StoredRoutingProfile } from '@landfall/client';
import { PAGE_LIMIT } from '@landfall/contract';
import { type Command, Option } from 'commander';
import { wholeNumber } from '../../input/options.js';
import { nextCommand } from '../../output/next-command.js';
import { print, printJson, readableTime } from '../../output/output.js';
import { type Column, printTable } from '../../output/table.js';
import { openService } from '../../service/open-service.js';
import { addRoutingProfileCommand, type RoutingProfileOptions } from './routing-profile.js';

type ListOptions = RoutingProfileOptions & { limit: number; name?: string; marker?: string };

const DEFAULT_LIMIT = 1000;

/** Adds the command. */
export function addRoutingProfileList(group: Command): void {
  addRoutingProfileCommand(group, 'list', 'list the versions of profiles, sorted by name')
    .addOption(
      new Option('--limit <number>', 'maximum number of versions (1 to 1000000)')
        .argParser(wholeNumber(1, 1_000_000))
        .default(DEFAULT_LIMIT),
    )
    .option('--name <beginning>', 'only profiles whose names begin with these characters')
    .option('--marker <name:version>', 'only versions after this one')
    .addHelpText('after', examples)
    .action(list);
}

const examples = `
Examples:
  $ landfall routing-profile list
  $ landfall routing-profile list --name first --json`;

const columns: Column<StoredRoutingProfile>[] = [
  { heading: 'name', value: ({ name }) => name },
  { heading: 'version', value: ({ version }) => String(version) },
  { heading: 'rules', value: ({ rules }) => String(rules.length) },
  { heading: 'created', value: ({ createdAt }) => readableTime(createdAt) },
  {
    heading: 'live since',
    value: ({ liveSince }) => (liveSince === undefined ? '-' : readableTime(liveSince)),
    colour: ({ live }, colours) => (live ? colours.green : String),
  },
];

async function list(options: ListOptions): Promise<void> {
  const { client } = await openService(options);
  const { found, next } = await readProfiles(client, options);
  if (options.json) return printJson(found);
  if (found.length === 0) {
    if (options.name !== undefined || options.marker !== undefined) {
      return print('No such routing profiles.');
    }
    const help = nextCommand(['routing-profile', 'create', '--help'], options);
    return print(`No routing profiles yet. Try: ${help}`);
  }
  printTable(columns, found);
  if (next === undefined) return;
  const limit = options.limit === DEFAULT_LIMIT ? [] : ['--limit', String(options.limit)];
  const name = options.name === undefined ? [] : ['--name', options.name];
  const words = ['routing-profile', 'list', ...limit, ...name, '--marker', next];
  print(`\nMore results: ${nextCommand(words, options)}`);
}

/** Reads pages until `limit` versions are found or there are no more; `next` is the marker of those that follow. */
async function readProfiles(
  client: Landfall,
  { limit, name, marker }: ListOptions,
): Promise<{ found: StoredRoutingProfile[]; next: string | undefined }> {
  const found: StoredRoutingProfile[] = [];
  let next = marker;
  do {
    const page = await client.listRoutingProfiles({
      limit: Math.min(PAGE_LIMIT, limit - found.length),
      ...(name !== undefined && { name }),
      ...(next !== undefined && { marker: next }),
    });
    found.push(...page.entries);
    next = page.next?.marker;
  } while (next !== undefined && found.length < limit);
  return { found, next };
}
