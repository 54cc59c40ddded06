// `landfall organisation unblock`: unblocks an organisation, or one of its clients.
import type { Command } from 'commander';
import { UsageError } from '../../process/exit.js';
import {
  addOrganisationCommand,
  changeOrganisation,
  findClient,
  type OrganisationOptions,
} from './organisation.js';

type UnblockOptions = OrganisationOptions & { client?: string };

/** Adds the command. */
export function addOrganisationUnblock(group: Command): void {
  addOrganisationCommand(group, 'unblock', 'unblock an organisation or one of its clients')
    .option('--client <client_id>', 'unblock only this client')
    .addHelpText('after', examples)
    .action(unblock);
}

const examples = `
Servers apply the change within a minute.

Examples:
  $ landfall organisation unblock 0192:310000051
  $ landfall organisation unblock 0192:310000051 --client newcomer-1`;

async function unblock(
  id: string,
  { client: clientId, ...options }: UnblockOptions,
): Promise<void> {
  await changeOrganisation(id, options, ({ clients }) => {
    if (clientId === undefined) return { blocked: false };
    const found = findClient(clients, clientId);
    if (found === undefined) {
      const ids = clients.map(({ client_id: each }) => each).join(', ') || 'none';
      throw new UsageError(`organisation ${id} has no client ${clientId}; its clients: ${ids}`);
    }
    return {
      clients: clients.map((client) => (client === found ? { ...found, blocked: false } : client)),
    };
  });
}
