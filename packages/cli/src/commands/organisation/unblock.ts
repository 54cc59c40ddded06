// `landfall organisation unblock`: unblocks an organisation.
import type { Command } from 'commander';
import {
  addOrganisationCommand,
  changeOrganisation,
  type OrganisationOptions,
} from './organisation.js';

/** Adds the command. */
export function addOrganisationUnblock(group: Command): void {
  addOrganisationCommand(group, 'unblock', 'unblock an organisation')
    .addHelpText('after', examples)
    .action(unblock);
}

const examples = `
Servers apply the change within a minute.

Examples:
  $ landfall organisation unblock 0192:310000051`;

async function unblock(id: string, options: OrganisationOptions): Promise<void> {
  await changeOrganisation(id, options, () => ({ blocked: false }));
}
