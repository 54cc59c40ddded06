// `landfall routing-profile deactivate`: deactivates the live profile.
import type { Command } from 'commander';
import { print, printJson } from '../../output/output.js';
import { openService } from '../../service/open-service.js';
import { addRoutingProfileCommand, type RoutingProfileOptions } from './routing-profile.js';

/** Adds the command. */
export function addRoutingProfileDeactivate(group: Command): void {
  addRoutingProfileCommand(
    group,
    'deactivate',
    'deactivate the live profile; existing decisions remain',
  )
    .addHelpText('after', examples)
    .action(deactivate);
}

const examples = `
Examples:
  $ landfall routing-profile deactivate`;

async function deactivate(options: RoutingProfileOptions): Promise<void> {
  const { client } = await openService(options);
  await client.deactivateRoutingProfile();
  if (options.json) printJson({ live: null });
  else print('No routing profile is live.');
}
