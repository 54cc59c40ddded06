// `landfall organisation block`: blocks an organisation, or one of its clients.
import type { Command } from 'commander';
import { printable, report } from '../../output/output.js';
import {
  addOrganisationCommand,
  changeOrganisation,
  findClient,
  type OrganisationOptions,
} from './organisation.js';

type BlockOptions = OrganisationOptions & { client?: string };

/** Adds the command. */
export function addOrganisationBlock(group: Command): void {
  addOrganisationCommand(
    group,
    'block',
    'block an organisation or one of its clients: it gets no tokens, and its tokens are refused',
  )
    .option('--client <client_id>', 'block only this client; of an eSeal: eidas-<serial number>')
    .addHelpText('after', examples)
    .action(block);
}

const examples = `
Servers apply the change within a minute, also to tokens that exist, and to tokens for other organisations that name the
blocked organisation as supplier, or the blocked client. Streams, waiting reads and uploads that are open end within
seconds. An eSeal is named by its serial number in hexadecimal, and blocked only for this organisation.

Examples:
  $ landfall organisation block 0192:310000051
  $ landfall organisation block 0192:310000051 --client newcomer-1
  $ landfall organisation block NTRDE-HRB000001 --client eidas-4d2a01`;

async function block(id: string, { client: clientId, ...options }: BlockOptions): Promise<void> {
  let note = '';
  await changeOrganisation(id, options, ({ grantedScopes, clients }) => {
    if (clientId === undefined) {
      note =
        grantedScopes.length === 0
          ? `${id} is granted nothing, so it got no tokens of its own before either: check the id.`
          : '';
      return { blocked: true };
    }
    const found = findClient(clients, clientId);
    note =
      found === undefined
        ? `${clientId} was not registered for ${id}. It is blocked now, which meets nobody if the id is misspelt: compare it with the client_id of a token or of the log.`
        : '';
    const others = clients.filter((client) => client !== found);
    return { clients: [...others, { ...(found ?? { client_id: clientId }), blocked: true }] };
  });
  if (note !== '') report(printable(note));
}
