// `landfall organisation block`: blocks an organisation.
import type { Command } from 'commander';
import {
  addOrganisationCommand,
  changeOrganisation,
  type OrganisationOptions,
} from './organisation.js';

/** Adds the command. */
export function addOrganisationBlock(group: Command): void {
  addOrganisationCommand(
    group,
    'block',
    'block an organisation: it gets no tokens, and its tokens are refused',
  )
    .addHelpText('after', examples)
    .action(block);
}

const examples = `
Servers apply the change within a minute, also to tokens that exist. Streams, waiting reads and uploads that are open end within seconds.

Examples:
  $ landfall organisation block 0192:310000051`;

async function block(id: string, options: OrganisationOptions): Promise<void> {
  await changeOrganisation(id, options, () => ({ blocked: true }));
}
