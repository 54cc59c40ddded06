// `landfall organisation create`: creates an organisation.
import type { ScopeName } from '@landfall/contract';
import type { Command } from 'commander';
import { CommandFailedError } from '../../process/exit.js';
import { openService } from '../../service/open-service.js';
import {
  addOrganisationCommand,
  findOrganisation,
  newOrganisation,
  type OrganisationOptions,
  readScopes,
  scopeList,
  showOrganisation,
} from './organisation.js';

type CreateOptions = OrganisationOptions & { name: string; grant?: readonly ScopeName[] };

/** Adds the command. */
export function addOrganisationCreate(group: Command): void {
  addOrganisationCommand(group, 'create', 'create an organisation')
    .requiredOption('--name <name>', 'its name')
    .option('--grant <scopes>', 'its scopes, separated by commas', readScopes)
    .addHelpText('after', examples)
    .action(create);
}

const examples = `
${scopeList}

Examples:
  $ landfall organisation create 0192:987654325 --name 'Fjord Freight' --grant movement/entry,movement/air`;

async function create(id: string, { name, grant = [], ...options }: CreateOptions): Promise<void> {
  const { client } = await openService(options);
  if ((await findOrganisation(client, id)) !== undefined) {
    throw new CommandFailedError(
      `organisation ${id} exists already; change it with update or grant`,
    );
  }
  const { id: _, ...entry } = { ...newOrganisation(id, name), grantedScopes: [...grant] };
  showOrganisation(await client.putOrganisation(id, entry), options);
}
