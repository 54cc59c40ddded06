// `landfall routing-profile list`: lists routing profiles.
import type { StoredRoutingProfile } from '@landfall/client';
import { type Command, Option } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { wholeNumber } from '../../input/options.js';
import { reportMore } from '../../output/more-results.js';
import { nextCommand } from '../../output/next-command.js';
import { print, printJson, readableTime } from '../../output/output.js';
import { type Column, printTable } from '../../output/table.js';
import { openService } from '../../service/open-service.js';
import { readPages } from '../../service/read-pages.js';
import { addRoutingProfileCommand, type RoutingProfileOptions } from './routing-profile.js';

type ListOptions = RoutingProfileOptions & { limit: number; name?: string; marker?: string };

const DEFAULT_LIMIT = 1000;

/** Adds the command. */
export function addRoutingProfileList(group: Command): void {
  onlyReads(
    addRoutingProfileCommand(group, 'list', 'list the versions of profiles, sorted by name'),
  )
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
  const { limit, name, marker } = options;
  const { found, next } = await readPages(
    (query) => client.listRoutingProfiles({ ...query, ...(name !== undefined && { name }) }),
    { limit, marker },
  );
  if (options.json) printJson(found);
  else if (found.length === 0) {
    if (name !== undefined || marker !== undefined) {
      return print('No such routing profiles.');
    }
    const help = nextCommand(['routing-profile', 'create', '--help'], options);
    return print(`No routing profiles yet. Try: ${help}`);
  } else printTable(columns, found);
  if (next === undefined) return;
  const limitWords = limit === DEFAULT_LIMIT ? [] : ['--limit', String(limit)];
  const nameWords = name === undefined ? [] : ['--name', name];
  const words = ['routing-profile', 'list', ...limitWords, ...nameWords, '--marker', next];
  reportMore(nextCommand(words, options), options);
}
