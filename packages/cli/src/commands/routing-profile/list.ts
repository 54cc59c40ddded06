// `landfall routing-profile list`: lists routing profiles.
import type { StoredRoutingProfile } from '@landfall/client';
import type { Command } from 'commander';
import { nextCommand } from '../../output/next-command.js';
import { print, printJson, readableTime } from '../../output/output.js';
import { type Column, printTable } from '../../output/table.js';
import { openService } from '../../service/open-service.js';
import { addRoutingProfileCommand, type RoutingProfileOptions } from './routing-profile.js';

/** Adds the command. */
export function addRoutingProfileList(group: Command): void {
  addRoutingProfileCommand(group, 'list', 'list all versions of all profiles')
    .addHelpText('after', examples)
    .action(list);
}

const examples = `
Examples:
  $ landfall routing-profile list`;

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

async function list(options: RoutingProfileOptions): Promise<void> {
  const { client } = await openService(options);
  const profiles = await client.listRoutingProfiles();
  if (options.json) return printJson(profiles);
  if (profiles.length === 0) {
    const help = nextCommand(['routing-profile', 'create', '--help'], options);
    return print(`No routing profiles yet. Try: ${help}`);
  }
  printTable(columns, profiles);
}
