// `landfall routing-profile activate`: makes a version the live one.
import type { Command } from 'commander';
import { nextCommand } from '../../output/next-command.js';
import { print, printJson, readableTime } from '../../output/output.js';
import { openService } from '../../service/open-service.js';
import {
  addRoutingProfileCommand,
  type RoutingProfileOptions,
  versionNumber,
} from './routing-profile.js';

/** Adds the command. */
export function addRoutingProfileActivate(group: Command): void {
  addRoutingProfileCommand(
    group,
    'activate',
    'make a version decide new pre-notifications that have no decision',
  )
    .argument('<name>')
    .argument('<version>', 'version number', versionNumber)
    .addHelpText('after', examples)
    .action(activate);
}

const examples = `
Examples:
  $ landfall routing-profile activate random-control 1`;

async function activate(
  name: string,
  version: number,
  options: RoutingProfileOptions,
): Promise<void> {
  const { client } = await openService(options);
  const stored = await client.activateRoutingProfile({ name, version });
  if (options.json) return printJson(stored);
  const { liveSince = '' } = stored;
  print(`${name} version ${version} is live since ${readableTime(liveSince)}.`);
  const words = ['routing-profile', 'apply'];
  print(
    `Consignments pre-notified earlier remain undecided. To decide them: ${nextCommand(words, options)}`,
  );
}
