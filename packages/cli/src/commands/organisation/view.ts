// `landfall organisation view`: shows an organisation.
import type { Command } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { openService } from '../../service/open-service.js';
import {
  addOrganisationCommand,
  type OrganisationOptions,
  showOrganisation,
} from './organisation.js';

/** Adds the command. */
export function addOrganisationView(group: Command): void {
  onlyReads(
    addOrganisationCommand(
      group,
      'view',
      'show an organisation: scopes, clients, whether it is blocked',
    ),
  )
    .addHelpText('after', examples)
    .action(view);
}

const examples = `
Examples:
  $ landfall organisation view 0192:310000051`;

async function view(id: string, options: OrganisationOptions): Promise<void> {
  const { client } = await openService(options);
  showOrganisation(await client.getOrganisation(id), options);
}
